//! What is on record, for people: revisions, what changed between them, whether they hold.

use std::fmt::Write;

use anstyle::Style;
use soul_core::model::{ChangeKind, Value};
use soul_core::text::visible;
use soul_engine::ops::payload::Changed;
use soul_engine::ops::{audit, diff, history};
use soul_engine::store::{Action, Revision};
use soul_engine::workspace::Kind;

use super::findings;
use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING};
use super::terminal::glance;

/// A change that was made.
pub(crate) fn changed(changed: &Changed) -> String {
    let Changed { soul, revision, .. } = changed;
    let sealed = &revision.sealed;
    let (style, word) = action(sealed.action);
    let mut out = format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n", soul.inspected.source_path);
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "  {FAINT}{name:<10}{FAINT:#} {value}");
    };
    row("revision", sealed.id.as_str());
    if let Some(previous) = sealed.previous_digest {
        row("from", &previous.to_string());
    }
    if let Some(digest) = sealed.new_digest {
        row("digest", &digest.to_string());
    }
    row("by", &party(&sealed.actor.kind, &sealed.actor.name));
    if let Some(reason) = &sealed.reason {
        row("forced", &visible(reason));
    }
    changed.findings.iter().for_each(|finding| out.push_str(&findings::line(finding)));
    let problems = &soul.inspected.diagnostics;
    if !problems.is_empty() && soul.inspected.present {
        out.push('\n');
        out.push_str(&super::terminal::diagnostics(&soul.inspected));
    }
    out
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
    if name.is_empty() { kind.to_owned() } else { format!("{name} {FAINT}({kind}){FAINT:#}") }
}

pub(crate) fn history(agent: &str, response: &history::Response) -> String {
    if response.revisions.is_empty() {
        return format!("{STRONG}{}{STRONG:#}  nothing on record\n", visible(agent));
    }
    let mut out = String::new();
    for entry in &response.revisions {
        let Revision { sealed, .. } = &entry.revision;
        let (style, word) = action(sealed.action);
        let by = party(&sealed.actor.kind, &sealed.actor.name);
        let when = sealed.created_at.to_string().get(..19).unwrap_or_default().replace('T', " ");
        let _ = writeln!(out, "{STRONG}{}{STRONG:#}  {style}{word:<11}{style:#}  {when}  {by}", sealed.id);
        let digest = match (sealed.new_digest, sealed.raw_digest) {
            (Some(digest), _) => digest.to_string(),
            (None, Some(raw)) => format!("{raw} {WARNING}invalid{WARNING:#}"),
            (None, None) => "no soul".to_owned(),
        };
        let _ = writeln!(out, "  {FAINT}{digest}{FAINT:#}");
        if let Some(diff) = &entry.diff {
            out.push_str(&indented(&patch(diff)));
        }
        if let Some(body) = &entry.body {
            out.push_str(&indented(&visible_lines(body)));
        }
    }
    if let Some(cursor) = &response.next_cursor {
        let _ = writeln!(out, "{HINT}hint{HINT:#}: go on with `--cursor {cursor}`");
    }
    out
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

pub(crate) fn audit(response: &audit::Response) -> String {
    let mut out = String::new();
    let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let counted = format!("{} of {}", many(response.revisions, "revision"), many(response.heads.len(), "soul"));
    let (style, word) = if response.ok { (GOOD, "holds") } else { (ERROR, "does not hold") };
    let _ = writeln!(out, "{STRONG}the record{STRONG:#}  {style}{word}{style:#}  {FAINT}{counted}{FAINT:#}");
    for head in &response.heads {
        let (name, scope) = (visible(&head.key.name), &head.key.scope);
        let shelf = if head.key.kind == Kind::Library { " library" } else { "" };
        let _ = writeln!(out, "  {name:<20} {:>5}  {}  {FAINT}{scope}{shelf}{FAINT:#}", head.seq, head.chain);
    }
    if let Some(id) = &response.first_broken {
        let problem = response.problem.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{ERROR}broken{ERROR:#}: {id}: {problem}");
    }
    for head in &response.missing_heads {
        let _ = writeln!(out, "{ERROR}missing{ERROR:#}: {} is in no chain: its end was cut off", visible(head));
    }
    out
}
