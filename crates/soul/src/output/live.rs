//! Sessions, tasks, events and the keeper's health, for people.

use std::fmt::Write;

use anstyle::Style;
use soul_core::diagnostics::Severity;
use soul_core::prompt::Persona;
use soul_core::text::visible;
use soul_engine::ops::session::{Bound, Response, list, show};
use soul_engine::ops::{context, task};
use soul_engine::store::{Session, SessionState, Task, TaskState};

use super::library;
use super::record::next_page;
use super::style::{self, ERROR, FAINT, GOOD, HINT, STRONG, WARNING, short};
use super::table::{Table, cell};

fn row(out: &mut String, name: &str, value: &str) {
    style::row(out, 12, name, value);
}

pub(crate) fn session(response: &Response) -> String {
    let mut out = headline(&response.session);
    details(&mut out, &response.session);
    for (name, hook) in [("bootstrap", &response.hooks.bootstrap), ("teardown", &response.hooks.teardown)] {
        if let Some(text) = hook {
            let _ = writeln!(out, "\n{HINT}{name}{HINT:#}");
            text.lines().for_each(|line| out.push_str(&format!("  {}\n", visible(line))));
        }
    }
    out
}

/// A session that was just bound to a soul, with what is doubtful about the soul.
pub(crate) fn bound(bound: &Bound) -> String {
    let mut out = session(&bound.response);
    for diagnostic in bound.soul.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning) {
        let code = diagnostic.code;
        let _ = writeln!(out, "\n{WARNING}warning{WARNING:#}[{code}]: {}", visible(&diagnostic.message));
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  {HINT}hint{HINT:#}: {}", visible(help));
        }
    }
    out
}

pub(crate) fn shown(response: &show::Response) -> String {
    let mut out = headline(&response.session);
    details(&mut out, &response.session);
    if let Some(run) = &response.live_run {
        row(&mut out, "run", &format!("{run} is under way"));
    }
    if response.behind == Some(true) {
        row(&mut out, "behind", "the soul has changed since");
        out.push_str(&style::hint(&format!(
            "`soul session refresh {}` binds it to the current soul",
            response.session.id
        )));
    }
    out
}

fn state(session: &Session) -> Style {
    if session.state == SessionState::Active { GOOD } else { FAINT }
}

fn headline(session: &Session) -> String {
    let (style, word) = (state(session), session.state.as_str());
    format!("{STRONG}{}{STRONG:#}  {}  {style}{word}{style:#}\n", session.id, who(session))
}

/// The agent, or the soul of the library that runs alone.
fn who(session: &Session) -> String {
    match (&session.agent, &session.soul_source) {
        (Some(agent), _) => visible(agent),
        (None, Some(source)) => format!("library/{}", visible(&source.id)),
        (None, None) => "library".to_owned(),
    }
}

/// Traits and mood, a line each.
fn persona_rows(out: &mut String, persona: &Persona) {
    let traits: Vec<_> = persona.traits.known().map(|(of, score)| format!("{of} {score:.2}")).collect();
    if !traits.is_empty() {
        row(out, "traits", &traits.join(", "));
    }
    if let Some(mood) = &persona.mood {
        row(out, "mood", &visible(mood));
    }
}

fn details(out: &mut String, session: &Session) {
    match (&session.soul_snapshot_id, &session.soul_digest) {
        (Some(snapshot), Some(digest)) => {
            row(out, "soul", &style::digest(digest));
            row(out, "snapshot", snapshot.as_str());
        }
        _ => row(out, "soul", "none"),
    }
    if let Some(source) = &session.soul_source {
        row(out, "taken", &library::choice(&source.id, source.reason, &source.passed_over));
    }
    if let Some(persona) = &session.persona {
        persona_rows(out, persona);
    }
    if let Some(parent) = &session.parent_id {
        row(out, "parent", parent.as_str());
    }
    if let Some(digest) = &session.parent_soul_digest {
        row(out, "parent soul", &digest.to_string());
    }
    row(out, "started", &short(&session.created_at));
    if session.captured_at != session.created_at {
        row(out, "refreshed", &short(&session.captured_at));
    }
    if let Some(stopped) = &session.stopped_at {
        row(out, "stopped", &short(stopped));
    }
}

pub(crate) fn sessions(response: &list::Response) -> String {
    if response.sessions.is_empty() {
        return "there are no sessions\n".to_owned();
    }
    let mut table = Table::new(["SESSION", "STATE", "AGENT", "SOUL", "STARTED", "NOTE"]);
    for list::ListedSession { session, behind } in &response.sessions {
        let soul = session.soul_digest.map_or_else(|| "none".to_owned(), |digest| style::digest(&digest));
        let note = if *behind == Some(true) { "behind its soul" } else { "" };
        table.row([
            cell(session.id.as_str(), STRONG),
            cell(session.state.as_str(), state(session)),
            who(session).into(),
            cell(soul, FAINT),
            short(&session.created_at).into(),
            cell(note, WARNING),
        ]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(next_page));
    let mut stale = response.sessions.iter().filter(|listed| listed.behind == Some(true));
    if let Some(first) = stale.next() {
        out.push_str(&style::hint(&format!(
            "`soul session refresh {}` binds it to the current soul",
            first.session.id
        )));
    }
    out
}

pub(crate) fn context(response: &context::Response) -> String {
    let soul = &response.soul;
    let name = response.agent.as_deref().map_or_else(|| soul.source_path.clone(), visible);
    let mut out = format!("{STRONG}{name}{STRONG:#}\n");
    let yes = |value: bool| if value { "yes" } else { "no" };
    row(&mut out, "present", yes(soul.present));
    if let Some(active) = soul.active {
        row(&mut out, "active", yes(active));
    }
    if let Some(digest) = soul.digest {
        row(&mut out, "digest", &digest.to_string());
    }
    if !soul.source_path.is_empty() {
        row(&mut out, "source", &soul.source_path);
    }
    if let Some(source) = &response.soul_source {
        row(&mut out, "taken", &library::choice(&source.id, source.reason, &source.passed_over));
    }
    if let Some(snapshot) = &soul.snapshot_id {
        row(&mut out, "snapshot", snapshot);
    }
    if !soul.role.is_empty() {
        row(&mut out, "role", &visible(&soul.role));
    }
    for (name, list) in [("tone", &soul.tone), ("principles", &soul.principles)] {
        for (index, item) in list.iter().flatten().enumerate() {
            row(&mut out, if index == 0 { name } else { "" }, &visible(item));
        }
    }
    if let Some(persona) = &soul.persona {
        persona_rows(&mut out, persona);
    }
    if soul.truncated {
        let _ = writeln!(out, "  {WARNING}shortened{WARNING:#} to fit agents.soul.context_projection_bytes");
    }
    out
}

pub(crate) fn task(task: &Task) -> String {
    let style = match task.state {
        TaskState::Queued => HINT,
        TaskState::Claimed => WARNING,
        TaskState::Done => GOOD,
        TaskState::Failed => ERROR,
    };
    let word = task.state.as_str();
    let agent = task.agent.as_deref().map_or_else(|| "any agent".to_owned(), visible);
    let payload = visible(&task.payload.to_string().chars().take(60).collect::<String>());
    format!("{STRONG}{}{STRONG:#}  {style}{word:<7}{style:#}  {agent:<20}  {FAINT}{payload}{FAINT:#}\n", task.id)
}

pub(crate) fn tasks(response: &task::list::Response) -> String {
    let mut out: String = response.tasks.iter().map(task).collect();
    if out.is_empty() {
        out.push_str("there are no tasks\n");
    }
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}

pub(crate) fn run(response: &task::Response) -> String {
    let Some(run) = &response.run else { return "no task waits\n".to_owned() };
    let mut out = format!("{STRONG}{}{STRONG:#}  {}\n", run.id, run.state);
    row(&mut out, "task", run.task_id.as_str());
    row(&mut out, "session", run.session_id.as_str());
    match run.metadata["soul"]["digest"].as_str() {
        Some(digest) => row(&mut out, "soul", digest),
        None => row(&mut out, "soul", "none"),
    }
    match &run.finished_at {
        Some(finished) => row(&mut out, "finished", &short(finished)),
        None => row(&mut out, "lease until", &short(&run.lease_expires_at)),
    }
    row(&mut out, "payload", &visible(&run.payload.to_string()));
    out
}
