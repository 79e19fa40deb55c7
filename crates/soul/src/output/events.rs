//! Events for people: columns that stay where they are while more of them come.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ids::{RevisionId, RunId, SessionId, TaskId, TokenId};
use soul_engine::store::{Event, EventFinding, NewEvent};

use super::agents::who;
use super::style::{FAINT, STRONG, WARNING, brief_id, short};

/// Renders events a page at a time. A column grows with what comes, and never shrinks.
#[derive(Default)]
pub(crate) struct EventLines {
    widths: Option<[usize; 5]>,
}

const HEADINGS: [&str; 6] = ["SEQ", "WHEN", "EVENT", "AGENT", "BY", "ABOUT"];

impl EventLines {
    pub(crate) fn render(&mut self, events: &[Event]) -> String {
        let rows: Vec<[String; 6]> = events.iter().map(columns).collect();
        if rows.is_empty() {
            return String::new();
        }
        let mut out = String::new();
        let is_first = self.widths.is_none();
        let widths = self.widths.get_or_insert_with(|| [0, 1, 2, 3, 4].map(|column| HEADINGS[column].len()));
        for row in &rows {
            for (width, text) in widths.iter_mut().zip(row) {
                *width = (*width).max(text.chars().count());
            }
        }
        let [seq, when, event, agent, by] = *widths;
        if is_first {
            let [a, b, c, d, e, f] = HEADINGS;
            let _ = writeln!(out, "{FAINT}{a:>seq$}  {b:<when$}  {c:<event$}  {d:<agent$}  {e:<by$}  {f}{FAINT:#}");
        }
        for ([a, b, c, d, e, f], event_row) in rows.iter().zip(events) {
            let style = if event_row.event.findings.is_empty() { STRONG } else { WARNING };
            let line = format!(
                "{FAINT}{a:>seq$}  {b:<when$}{FAINT:#}  {style}{c:<event$}{style:#}  {d:<agent$}  {e:<by$}  {f}"
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }
}

fn columns(event: &Event) -> [String; 6] {
    let what = &event.event;
    // What is about a workspace as such names no agent.
    let scope = what.scope.as_deref().filter(|_| what.kind.as_str().starts_with("workspace."));
    let agent = what.agent.as_deref().or(scope).map(visible);
    let library = what.soul.as_deref().map(|soul| format!("library/{}", visible(soul)));
    [
        event.seq.to_string(),
        short(&event.time),
        what.kind.as_str().to_owned(),
        agent.or(library).unwrap_or_default(),
        who(&what.actor),
        about(what),
    ]
}

fn about(what: &NewEvent) -> String {
    let ids = [
        what.revision.as_ref().map(RevisionId::as_str),
        what.session.as_ref().map(SessionId::as_str),
        what.task.as_ref().map(TaskId::as_str),
        what.run.as_ref().map(RunId::as_str),
        what.token.as_ref().map(TokenId::as_str),
    ];
    let found =
        |finding: &EventFinding| format!("{} at {}:{}", visible(&finding.rule), visible(&finding.file), finding.line);
    let ids = ids.into_iter().flatten().map(|id| visible(&brief_id(id)));
    ids.chain(what.findings.iter().map(found)).collect::<Vec<_>>().join("  ")
}
