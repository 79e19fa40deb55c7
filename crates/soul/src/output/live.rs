//! Sessions, tasks, events and the keeper's health, for people.

use std::fmt::Write;

use anstyle::Style;
use soul_core::diagnostics::Severity;
use soul_core::prompt::Persona;
use soul_core::text::visible;
use soul_engine::ops::session::{Bound, Response, list, show};
use soul_engine::ops::{context, task};
use soul_engine::store::{RunState, Session, SessionState, Task, TaskState};

use super::library;
use super::record::next_page;
use super::style::{self, ERROR, FAINT, GOOD, HINT, STRONG, WARNING, ago, brief, brief_id, brief_ids, short};
use super::table::{Table, cell, fitted};
use super::view;

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
            out.push_str(&style::hint(&visible(help)));
        }
    }
    out
}

pub(crate) fn shown(response: &show::Response) -> String {
    let mut out = headline(&response.session);
    details(&mut out, &response.session);
    if let Some(run) = &response.live_run {
        row(&mut out, "run", &format!("{} (running)", brief_id(run.as_str())));
    }
    if response.behind == Some(true) {
        row(&mut out, "behind", "the soul was changed after the session was bound to it");
        out.push_str(&refresh(&response.session));
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
            row(out, "snapshot", &brief_id(snapshot.as_str()));
        }
        _ => row(out, "soul", "none"),
    }
    if let Some(source) = &session.soul_source {
        row(out, "from library", &library::choice(&source.id, source.reason, &source.passed_over));
    }
    if let Some(persona) = &session.persona {
        persona_rows(out, persona);
    }
    if let Some(parent) = &session.parent_id {
        row(out, "parent", &brief_id(parent.as_str()));
    }
    if let Some(digest) = &session.parent_soul_digest {
        row(out, "parent soul", &style::digest(digest));
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
        return "no sessions\n".to_owned() + &style::hint("`soul session start AGENT` starts one");
    }
    let mut table = Table::new(["SESSION", "STATE", "AGENT", "SOUL", "STARTED", "NOTE"]);
    let ids: Vec<_> = response.sessions.iter().map(|listed| listed.session.id.as_str()).collect();
    for (list::ListedSession { session, behind, .. }, id) in response.sessions.iter().zip(brief_ids(&ids)) {
        let soul = session.soul_digest.map_or_else(|| "none".to_owned(), |digest| style::digest(&digest));
        let started = if view::is_verbose() { short(&session.created_at) } else { ago(&session.created_at) };
        let note = if *behind == Some(true) { "behind its soul" } else { "" };
        table.row([
            cell(id, STRONG),
            cell(session.state.as_str(), state(session)),
            who(session).into(),
            cell(soul, FAINT),
            started.into(),
            cell(note, WARNING),
        ]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(next_page));
    let mut stale = response.sessions.iter().filter(|listed| listed.behind == Some(true));
    if let Some(first) = stale.next() {
        out.push_str(&refresh(&first.session));
    }
    out
}

fn refresh(session: &Session) -> String {
    style::hint(&format!("`soul session refresh {}` binds it to the current soul", brief_id(session.id.as_str())))
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
        row(&mut out, "digest", &style::digest(&digest));
    }
    if !soul.source_path.is_empty() {
        row(&mut out, "source", &soul.source_path);
    }
    if let Some(source) = &response.soul_source {
        row(&mut out, "from library", &library::choice(&source.id, source.reason, &source.passed_over));
    }
    if let Some(snapshot) = &soul.snapshot_id {
        row(&mut out, "snapshot", &brief_id(snapshot));
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
        let _ = writeln!(out, "  {WARNING}truncated{WARNING:#} to `agents.soul.context_projection_bytes`");
    }
    out
}

fn task_state(task: &Task) -> (Style, &'static str) {
    let style = match task.state {
        TaskState::Queued => HINT,
        TaskState::Claimed => WARNING,
        TaskState::Done => GOOD,
        TaskState::Failed => ERROR,
    };
    (style, task.state.as_str())
}

fn for_whom(task: &Task) -> String {
    task.agent.as_deref().map_or_else(|| "any agent".to_owned(), visible)
}

fn payload(task: &Task) -> String {
    fitted(&visible(&task.payload.to_string()), PAYLOAD)
}

/// The most of a payload that is shown.
const PAYLOAD: usize = 60;

/// One task. Its id is what a script takes from here, so it is complete.
pub(crate) fn task(task: &Task) -> String {
    let (style, word) = task_state(task);
    let (agent, payload) = (for_whom(task), payload(task));
    format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}  {agent}  {FAINT}{payload}{FAINT:#}\n", task.id)
}

pub(crate) fn tasks(response: &task::list::Response) -> String {
    if response.tasks.is_empty() {
        return "no tasks\n".to_owned() + &style::hint("`soul task add --payload JSON` adds one");
    }
    let mut table = Table::new(["TASK", "STATE", "AGENT", "PAYLOAD…"]);
    let ids: Vec<_> = response.tasks.iter().map(|task| task.id.as_str()).collect();
    for (task, id) in response.tasks.iter().zip(brief_ids(&ids)) {
        let (style, word) = task_state(task);
        table.row([cell(id, STRONG), cell(word, style), for_whom(task).into(), cell(payload(task), FAINT)]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}

pub(crate) fn run(response: &task::Response) -> String {
    let Some(run) = &response.run else { return "no task is waiting\n".to_owned() };
    let mut out = format!("{STRONG}{}{STRONG:#}  {}\n", run.id, run.state);
    row(&mut out, "task", &brief_id(run.task_id.as_str()));
    row(&mut out, "session", &brief_id(run.session_id.as_str()));
    match run.metadata["soul"]["digest"].as_str() {
        Some(digest) => row(&mut out, "soul", &brief(digest)),
        None => row(&mut out, "soul", "none"),
    }
    match &run.finished_at {
        Some(finished) => row(&mut out, "finished", &short(finished)),
        None => row(&mut out, "leased until", &short(&run.lease_expires_at)),
    }
    row(&mut out, "payload", &visible(&run.payload.to_string()));
    out
}

/// A page of runs.
pub(crate) fn runs(response: &task::runs::Response) -> String {
    if response.runs.is_empty() {
        return "no runs\n".to_owned() + &style::hint("`soul task claim --session ID` claims a task");
    }
    let mut table = Table::new(["RUN", "STATE", "TASK", "SESSION", "SOUL", "CLAIMED", "PAYLOAD…"]);
    let ids: Vec<_> = response.runs.iter().map(|listed| listed.run.id.as_str()).collect();
    for (listed, id) in response.runs.iter().zip(brief_ids(&ids)) {
        let run = &listed.run;
        let style = match run.state {
            RunState::Claimed => WARNING,
            RunState::Done => GOOD,
            RunState::Failed | RunState::Expired => ERROR,
        };
        table.row([
            cell(id, STRONG),
            cell(run.state.as_str(), style),
            brief_id(run.task_id.as_str()).into(),
            brief_id(run.session_id.as_str()).into(),
            listed.soul_digest.map_or_else(|| "none".to_owned(), |digest| brief(&digest.to_string())).into(),
            ago(&run.claimed_at).into(),
            cell(fitted(&visible(&run.payload.to_string()), PAYLOAD), FAINT),
        ]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}
