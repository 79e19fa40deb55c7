//! The record, for people: revisions, what changed between them, and whether they verify.

use std::fmt::Write;

use anstyle::Style;
use soul_core::model::{Change, ChangeKind, Value, summary};
use soul_core::text::{DiffBudget, unified_diff, visible};
use soul_engine::fields::Cursor;
use soul_engine::ops::audit::{repair, verify};
use soul_engine::ops::{Operation, backup, diff, history, restore_backup, rollback, undo, write};
use soul_engine::store::{Action, Party, Problem, Sealed};
use soul_engine::workspace::Kind;

use super::agents::who;
use super::style::{
    ERROR, FAINT, GOOD, HINT, STRONG, WARNING, brief, brief_id, brief_ids, count, digest, hint, row, short,
};
use super::table::{Table, cell};
use super::terminal::glance;
use super::wrap::hanging;
use super::{concise, findings, sigil, view};

/// A change that was made, or that made no difference.
pub(crate) fn changed(response: &write::Response) -> String {
    let write::Response { soul, revision, unchanged, findings, reconnected } = response;
    let sealed = &revision.sealed;
    let (style, word) = if *unchanged { (FAINT, "unchanged") } else { action(sealed) };
    let mut out = format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n", soul.source_path);
    let mut row = |name: &str, value: &str| row(&mut out, 10, name, value);
    row("revision", &brief_id(sealed.id.as_str()));
    if let Some(previous) = sealed.previous_digest.filter(|_| !unchanged) {
        row("from", &digest(&previous));
    }
    if let Some(new) = sealed.new_digest {
        row("digest", &digest(&new));
    }
    row("by", &party(&sealed.actor));
    if let Some(message) = &sealed.message {
        row("message", &visible(message.as_str()));
    }
    if let Some(reason) = &sealed.reason {
        row("forced", &visible(reason));
    }
    if *reconnected {
        row("record", &format!("reconnected with {}: `.soul/id` was lost", sealed.scope));
    }
    out.extend(findings.iter().map(findings::accepted));
    out.extend(soul.diagnostics.iter().filter(|_| soul.present).map(concise::diagnostic));
    out
}

/// A rollback, or what one would change.
pub(crate) fn rolled_back(response: &rollback::Response) -> String {
    match response {
        rollback::Response::Done(done) => changed(done),
        rollback::Response::Plan(plan) => difference(&plan.diff),
    }
}

/// What was taken back: the change from what was there to what is there again.
pub(crate) fn undone(response: &rollback::Response, diff: Option<&diff::Response>, edit: Option<&str>) -> String {
    let mut out = rolled_back(response);
    if let Some(diff) = diff {
        let meaning = summary(&diff.changes);
        row(
            &mut out,
            10,
            "change",
            &visible(if meaning.is_empty() { "same meaning, different bytes" } else { &meaning }),
        );
    }
    if let Some(edit) = edit {
        row(&mut out, 10, "recorded", &format!("the edit that was undone: {}", visible(edit)));
    }
    out
}

fn action(sealed: &Sealed) -> (Style, &'static str) {
    done(sealed.action, &sealed.actor, &sealed.origin)
}

/// What was done to a soul, in a word.
pub(super) fn done(action: Action, actor: &Party, origin: &Party) -> (Style, &'static str) {
    match action {
        Action::Put => (GOOD, "written"),
        Action::Delete => (ERROR, "deleted"),
        Action::Rollback if origin.name == undo::Request::NAME => (WARNING, "undone"),
        Action::Rollback => (WARNING, "rolled back"),
        // Nobody knows who changed a file that was found changed.
        Action::Adopt if actor.kind == "outside" => (HINT, "adopted"),
        Action::Adopt => (GOOD, "recorded"),
    }
}

fn party(party: &Party) -> String {
    let (kind, name) = (visible(&party.kind), visible(&party.name));
    if name.is_empty() { kind } else { format!("{name} {FAINT}({kind}){FAINT:#}") }
}

/// A page of history; the first one begins with the revision that is current.
pub(crate) fn history(name: &str, response: &history::Response, is_first: bool) -> String {
    let name = visible(name);
    let mut out = String::new();
    if let Some(change) = &response.unrecorded_change {
        let line = format!("{WARNING}not recorded{WARNING:#}: changed outside ({})", visible(change));
        let _ = writeln!(out, "{}", hanging(&line, 5));
        out.push_str(&hint(&format!("`soul record {name}` records it, `soul undo {name}` undoes it")));
        out.push('\n');
    }
    if response.revisions.is_empty() {
        return format!("{STRONG}{name}{STRONG:#}  no recorded changes\n");
    }
    // The meaning matters most, so it gets a line of its own where there is no room beside the rest.
    let is_narrow = view::width().is_some_and(|width| width < 110);
    let mut table = Table::new(["", "REVISION", "PARTS", "ACTION", "WHEN", "BY", "CHANGE…"]);
    let ids: Vec<_> = response.revisions.iter().map(|entry| entry.revision.sealed.id.as_str()).collect();
    for (index, (entry, id)) in response.revisions.iter().zip(brief_ids(&ids)).enumerate() {
        let sealed = &entry.revision.sealed;
        let (style, word) = action(sealed);
        let below = hanging(&format!("     {}", meaning(entry)), 5);
        let below = if is_narrow { below.trim_end().to_owned() + "\n" } else { String::new() };
        let cells = [
            cell(if is_first && index == 0 { "@" } else { "" }, GOOD),
            cell(id, STRONG),
            sigil::changed(response.hue, entry.changed_parts.as_deref()),
            cell(word, style),
            short(&sealed.created_at).into(),
            who(&sealed.actor).into(),
            if is_narrow { "".into() } else { meaning(entry).into() },
        ];
        table.row_with(cells, below + &details(entry));
    }
    out.push_str(&table.render());
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}

/// What a revision changed, and whether its text is one that can be used.
fn meaning(entry: &history::Entry) -> String {
    let sealed = &entry.revision.sealed;
    let summary = entry.summary.as_deref().map(visible).unwrap_or_default();
    match (sealed.new_digest, sealed.raw_digest) {
        (None, Some(_)) => format!("{summary} (invalid)").trim_start().to_owned(),
        _ => summary,
    }
}

/// What stands below the line of a revision.
fn details(entry: &history::Entry) -> String {
    let sealed = &entry.revision.sealed;
    let mut out = String::new();
    let mut row = |name: &str, value: &str| {
        out.push_str(&hanging(&format!("     {FAINT}{name}{FAINT:#}{}", visible(value)), 5));
        out.push('\n');
    };
    if let Some(message) = &sealed.message {
        message.as_str().lines().for_each(|line| row("", line));
    }
    if let Some(reason) = &sealed.reason {
        row("forced: ", reason);
    }
    if view::is_verbose() {
        let digest = sealed.new_digest.map(|digest| digest.to_string());
        let raw = || sealed.raw_digest.map(|digest| digest.to_string());
        row("", &digest.or_else(raw).unwrap_or_else(|| "no soul".to_owned()));
    }
    if let Some(diff) = &entry.diff {
        out.push_str(&indented(&patch(diff)));
    }
    if let Some(body) = &entry.body {
        out.push_str(&indented(&visible_lines(body)));
    }
    out
}

/// Revisions to choose from, in a table, and the short ids that name them there.
pub(crate) fn choices(entries: &[&history::Entry]) -> (String, Vec<String>) {
    let ids: Vec<_> = entries.iter().map(|entry| entry.revision.sealed.id.as_str()).collect();
    let ids = brief_ids(&ids);
    let mut table = Table::new([">", "REVISION", "WHEN", "BY", "CHANGE…", "MESSAGE…"]);
    for (index, (entry, id)) in entries.iter().zip(&ids).enumerate() {
        let sealed = &entry.revision.sealed;
        let said = sealed.message.as_ref().map(|message| visible(message.as_str().lines().next().unwrap_or_default()));
        table.row([
            cell((index + 1).to_string(), FAINT),
            cell(id, STRONG),
            short(&sealed.created_at).into(),
            who(&sealed.actor).into(),
            meaning(entry).into(),
            said.unwrap_or_default().into(),
        ]);
    }
    (table.render(), ids)
}

/// Why a change needs a second look: what was done since the caller looked, and how the new text differs from what is
/// there.
pub(crate) fn conflict(
    name: &str,
    since: Option<&[history::Entry]>,
    current: &history::Entry,
    text: Option<&[u8]>,
) -> String {
    let name = visible(name);
    // A caller that did not say what it has seen is only shown what is there.
    let mut out = match since {
        None => format!("`{name}` has a soul:\n"),
        Some(_) => format!("{WARNING}`{name}` was changed{WARNING:#}\n"),
    };
    let since = since.unwrap_or(std::slice::from_ref(current));
    for entry in since {
        let sealed = &entry.revision.sealed;
        let (_, word) = action(sealed);
        let _ =
            writeln!(out, "  {}  {word} by {}: {}", short(&sealed.created_at), party(&sealed.actor), meaning(entry));
        out.extend(sealed.message.iter().map(|message| format!("    {}\n", visible(message.as_str()))));
    }
    if let Some(text) = text {
        let (there, text) = (current.body.as_deref().unwrap_or_default(), String::from_utf8_lossy(text));
        let diff = unified_diff(there, &text, &mut DiffBudget::ONE.clone());
        let _ = writeln!(out, "\n{ERROR}- current text{ERROR:#}\n{GOOD}+ your text{GOOD:#}\n{}", patch(&diff));
    }
    out
}

/// How to see the next page of a list.
pub(super) fn next_page(cursor: &Cursor) -> String {
    hint(&format!("continue with `--cursor {}`", visible(cursor.as_str())))
}

fn visible_lines(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// What lies between two texts: the meaning first, then the lines.
pub(crate) fn difference(response: &diff::Response) -> String {
    let letters = sigil::changed_text(response.hue, &response.changed_parts);
    let mut out =
        format!("{STRONG}{} {} {}{STRONG:#}  {letters}\n", response.from.name, view::arrow(), response.to.name);
    if response.text.is_empty() {
        out.push_str("  no difference\n");
        return out;
    }
    out.push_str(&statements(&response.changes));
    out.push('\n');
    out.push_str(&patch(&response.text));
    out
}

/// What a change means, a line for each statement.
pub(super) fn statements(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        let (style, word) = match change.change {
            ChangeKind::Removed => (ERROR, "removed"),
            ChangeKind::Changed => (WARNING, "changed"),
            ChangeKind::Added => (GOOD, "added"),
            ChangeKind::Moved => (WARNING, "moved"),
        };
        let said = |value: &Option<Value>| value.as_ref().map(glance);
        let what = match (said(&change.before), said(&change.after)) {
            (Some(before), Some(after)) if before != after => {
                format!("{before} {FAINT}{}{FAINT:#} {after}", view::arrow())
            }
            (Some(said), _) | (None, Some(said)) => said,
            (None, None) => String::new(),
        };
        let _ = writeln!(out, "  {style}{word:<7}{style:#}  {:<14} {what}", change.field.as_str());
    }
    if changes.is_empty() {
        out.push_str("  same meaning, different text\n");
    }
    out
}

/// A patch with its colours.
pub(super) fn patch(text: &str) -> String {
    let line = |line: &str| {
        let shown = visible(line);
        match line.as_bytes().first() {
            Some(b'+') => format!("{GOOD}{shown}{GOOD:#}\n"),
            Some(b'-') => format!("{ERROR}{shown}{ERROR:#}\n"),
            Some(b'@') => format!("{FAINT}{shown}{FAINT:#}\n"),
            _ => shown + "\n",
        }
    };
    text.lines().map(line).collect()
}

/// A backup that was made.
pub(crate) fn backed_up(response: &backup::Response) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#}  {GOOD}backed up{GOOD:#}\n", visible(&response.file));
    contents(&mut out, response);
    out
}

/// A backup that was put in the place of the store.
pub(crate) fn restored(response: &restore_backup::Response) -> String {
    let restore_backup::Response { backup, replaced } = response;
    let mut out = format!("{STRONG}{}{STRONG:#}  {GOOD}restored{GOOD:#}\n", visible(&backup.file));
    contents(&mut out, backup);
    if let Some(replaced) = replaced {
        row(&mut out, 10, "replaced", &format!("kept in the home as {replaced}"));
    }
    out
}

fn contents(out: &mut String, backup: &backup::Response) {
    let backup::Response { souls, revisions, snapshots, bytes, raw_digest, .. } = backup;
    let parts = [count(*revisions, "revision"), count(*souls, "soul"), count(*snapshots, "snapshot")];
    row(out, 10, "contents", &format!("{} of {}, {}", parts[0], parts[1], parts[2]));
    row(out, 10, "bytes", &bytes.to_string());
    row(out, 10, "digest", &brief(&raw_digest.to_string()));
}

pub(crate) fn audit(response: &verify::Response) -> String {
    let mut out = String::new();
    let counted = format!("{} of {}", count(response.revisions, "revision"), count(response.heads.len(), "soul"));
    let (style, word) = if response.ok { (GOOD, "verified") } else { (ERROR, "broken") };
    let _ = writeln!(out, "{STRONG}record{STRONG:#}  {style}{word}{style:#}  {FAINT}{counted}{FAINT:#}");
    let mut table = Table::new(["SOUL", ">REVISIONS", "HEAD", "RECORD"]);
    for head in &response.heads {
        let shelf = if head.key.kind == Kind::Library { " library" } else { "" };
        table.row([
            cell(visible(&head.key.name), STRONG),
            head.seq.to_string().into(),
            brief(&head.chain.to_string()).into(),
            cell(format!("{}{shelf}", head.key.scope), FAINT),
        ]);
    }
    if !response.heads.is_empty() {
        out.push_str(&table.render());
    }
    if response.ok && !response.heads.is_empty() && !view::is_verbose() {
        out.push_str(&hint("`-v` prints complete heads; keep them, and pass them to `--expect-head` next time"));
    }
    for verify::Repaired { key, link } in &response.repaired {
        let (id, by) = (&link.revision, visible(&link.actor.name));
        let what = format!("{key}: {}; accepted by {by} at {}", link.problem.message(), short(&link.created_at));
        let _ = writeln!(out, "{WARNING}repaired{WARNING:#}: {id}: {what}");
    }
    if let Some(id) = &response.first_broken {
        let problem = response.problem.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{ERROR}broken{ERROR:#}: {id}: {problem}");
    } else if let (Some(problem), true) = (&response.problem, response.problems.is_empty()) {
        let _ = writeln!(out, "{ERROR}broken{ERROR:#}: {problem}");
    }
    for Problem { table, id, problem } in &response.problems {
        let _ = writeln!(out, "{ERROR}broken{ERROR:#}: {table} {id}: {problem}");
    }
    for head in &response.missing_heads {
        let _ = writeln!(
            out,
            "{ERROR}missing{ERROR:#}: {} is in no chain: the end of its chain was removed",
            visible(head)
        );
    }
    out
}

pub(crate) fn repair(response: &repair::Response) -> String {
    let repair::Response { ok, dry_run, repaired, unrepairable } = response;
    if repaired.is_empty() && unrepairable.is_empty() {
        return "nothing to repair\n".to_owned();
    }
    let mut out = String::new();
    let word = if *dry_run { "would repair" } else { "repaired" };
    let (good, bad) = (repaired.iter().map(|item| (GOOD, word, item)), unrepairable.iter());
    for (style, word, item) in good.chain(bad.map(|item| (ERROR, "cannot repair", item))) {
        let repair::Item { key, revision, problem, action, .. } = item;
        let _ = writeln!(out, "{style}{word}{style:#}: {key}: {revision}: {problem}");
        let _ = writeln!(out, "  {FAINT}{action}{FAINT:#}");
    }
    if *dry_run && *ok {
        out.push_str(&hint("nothing was changed; `soul audit repair` applies it"));
    }
    out
}
