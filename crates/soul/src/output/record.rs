//! What is on record, for people: revisions, what changed between them, whether they hold.

use std::fmt::Write;

use anstyle::Style;
use soul_core::model::{ChangeKind, Value};
use soul_core::text::visible;
use soul_engine::fields::Cursor;
use soul_engine::ops::audit::{repair, verify};
use soul_engine::ops::{backup, diff, history, restore_backup, rollback, write};
use soul_engine::store::{Action, Problem};
use soul_engine::workspace::Kind;

use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING, count, row, short};
use super::terminal::glance;
use super::{concise, findings};

/// A change that was made.
pub(crate) fn changed(response: &write::Response) -> String {
    let write::Response { soul, revision, findings, reconnected } = response;
    let sealed = &revision.sealed;
    let (style, word) = action(sealed.action);
    let mut out = format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n", soul.source_path);
    let mut row = |name: &str, value: &str| row(&mut out, 10, name, value);
    row("revision", sealed.id.as_str());
    if let Some(previous) = sealed.previous_digest {
        row("from", &previous.to_string());
    }
    if let Some(digest) = sealed.new_digest {
        row("digest", &digest.to_string());
    }
    row("by", &party(&sealed.actor.kind, &sealed.actor.name));
    if let Some(message) = &sealed.message {
        row("message", &visible(message.as_str()));
    }
    if let Some(reason) = &sealed.reason {
        row("forced", &visible(reason));
    }
    if *reconnected {
        row("record", &format!("reconnected with {}: `.soul/id` was lost", sealed.scope));
    }
    out.extend(findings.iter().map(findings::line));
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

fn action(action: Action) -> (Style, &'static str) {
    match action {
        Action::Put => (GOOD, "written"),
        Action::Delete => (ERROR, "deleted"),
        Action::Rollback => (WARNING, "rolled back"),
        Action::Adopt => (HINT, "adopted"),
    }
}

fn party(kind: &str, name: &str) -> String {
    let (kind, name) = (visible(kind), visible(name));
    if name.is_empty() { kind } else { format!("{name} {FAINT}({kind}){FAINT:#}") }
}

pub(crate) fn history(name: &str, response: &history::Response) -> String {
    if response.revisions.is_empty() {
        return format!("{STRONG}{}{STRONG:#}  nothing on record\n", visible(name));
    }
    let mut out = String::new();
    for entry in &response.revisions {
        let sealed = &entry.revision.sealed;
        let (style, word) = action(sealed.action);
        let by = party(&sealed.actor.kind, &sealed.actor.name);
        let when = short(&sealed.created_at);
        let _ = writeln!(out, "{STRONG}{}{STRONG:#}  {style}{word:<11}{style:#}  {when}  {by}", sealed.id);
        let digest = match (sealed.new_digest, sealed.raw_digest) {
            (Some(digest), _) => digest.to_string(),
            (None, Some(raw)) => format!("{raw} {WARNING}invalid{WARNING:#}"),
            (None, None) => "no soul".to_owned(),
        };
        let _ = writeln!(out, "  {FAINT}{digest}{FAINT:#}");
        out.extend(sealed.message.iter().map(|message| format!("  {}\n", visible(message.as_str()))));
        if let Some(diff) = &entry.diff {
            out.push_str(&indented(&patch(diff)));
        }
        if let Some(body) = &entry.body {
            out.push_str(&indented(&visible_lines(body)));
        }
    }
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}

/// How to see the next page of a list.
pub(super) fn next_page(cursor: &Cursor) -> String {
    format!("{HINT}hint{HINT:#}: continue with `--cursor {}`\n", visible(cursor.as_str()))
}

fn visible_lines(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// What lies between two texts: the meaning first, then the lines.
pub(crate) fn difference(response: &diff::Response) -> String {
    let mut out = format!("{STRONG}{} → {}{STRONG:#}\n", response.from.name, response.to.name);
    if response.text.is_empty() {
        out.push_str("  the same\n");
        return out;
    }
    for change in &response.changes {
        let (style, word) = match change.change {
            ChangeKind::Removed => (ERROR, "removed"),
            ChangeKind::Changed => (WARNING, "changed"),
            ChangeKind::Added => (GOOD, "added"),
            ChangeKind::Moved => (WARNING, "moved"),
        };
        let said = |value: &Option<Value>| value.as_ref().map(glance);
        let what = match (said(&change.before), said(&change.after)) {
            (Some(before), Some(after)) if before != after => format!("{before} {FAINT}→{FAINT:#} {after}"),
            (Some(said), _) | (None, Some(said)) => said,
            (None, None) => String::new(),
        };
        let _ = writeln!(out, "  {style}{word:<7}{style:#}  {:<14} {what}", change.field.as_str());
    }
    if response.changes.is_empty() {
        out.push_str("  the meaning is the same\n");
    }
    out.push('\n');
    out.push_str(&patch(&response.text));
    out
}

/// A patch with its colours.
fn patch(text: &str) -> String {
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
    let holds = [count(*revisions, "revision"), count(*souls, "soul"), count(*snapshots, "snapshot")];
    row(out, 10, "holds", &format!("{} of {}, {}", holds[0], holds[1], holds[2]));
    row(out, 10, "bytes", &bytes.to_string());
    row(out, 10, "digest", &raw_digest.to_string());
}

pub(crate) fn audit(response: &verify::Response) -> String {
    let mut out = String::new();
    let counted = format!("{} of {}", count(response.revisions, "revision"), count(response.heads.len(), "soul"));
    let (style, word) = if response.ok { (GOOD, "holds") } else { (ERROR, "does not hold") };
    let _ = writeln!(out, "{STRONG}the record{STRONG:#}  {style}{word}{style:#}  {FAINT}{counted}{FAINT:#}");
    for head in &response.heads {
        let (name, scope) = (visible(&head.key.name), &head.key.scope);
        let shelf = if head.key.kind == Kind::Library { " library" } else { "" };
        let _ = writeln!(out, "  {name:<20} {:>5}  {}  {FAINT}{scope}{shelf}{FAINT:#}", head.seq, head.chain);
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
        let _ = writeln!(out, "{ERROR}missing{ERROR:#}: {} is in no chain: its end was cut off", visible(head));
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
        let _ = writeln!(out, "{HINT}hint{HINT:#}: nothing was changed; `soul audit repair` does it");
    }
    out
}
