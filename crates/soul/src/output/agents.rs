//! Agents at a glance: all of them in a table, one with what to do about it.

use std::fmt::Write;

use anstyle::Style;
use soul_core::model::Dialect;
use soul_core::prompt::Status as Validity;
use soul_core::text::visible;
use soul_engine::ops::list::{self, Agent};
use soul_engine::ops::status::{self, AgentStatus, NextStep};
use soul_engine::standing::{LastChange, RecordState};
use soul_engine::store::Party;

use super::record::done;
use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING, ago, count, digest, hint, row, short, with_brief_ids};
use super::table::{Table, cell};
use super::wrap::hanging;
use super::{concise, findings, sigil, view};

pub(crate) fn list(response: &list::Response) -> String {
    if response.agents.is_empty() {
        return "no agents yet\n".to_owned() + &hint("`soul new NAME` creates one");
    }
    let mut table = Table::new(["NAME", "PARTS", "ROLE…", "DIALECT", "STATE", "CHANGED", "BY", "SESSIONS"]);
    for agent in &response.agents {
        let (style, word) = state(agent);
        let change = agent.last_change.as_ref();
        table.row([
            cell(visible(&agent.name), STRONG),
            sigil::written(agent.hue, agent.parts.as_ref()),
            role(agent).into(),
            agent.dialect.map_or("", Dialect::as_str).into(),
            cell(word, style),
            change.map_or_else(String::new, |change| ago(&change.created_at)).into(),
            change.map_or_else(String::new, |change| who(&change.actor)).into(),
            sessions(agent),
        ]);
    }
    let mut out = table.render();
    if response.agents.iter().any(is_doubtful) {
        out.push_str(&hint("`soul status` shows what to do"));
    }
    out
}

fn role(agent: &Agent) -> String {
    let role = agent.role.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    visible(role)
}

/// Whether somebody should look at it.
fn is_doubtful(agent: &Agent) -> bool {
    agent.sessions_behind > 0 || !matches!(state(agent).0, GOOD | FAINT)
}

/// The state of a soul in a word, the worst first.
fn state(agent: &Agent) -> (Style, &'static str) {
    match (agent.validation_status, agent.record) {
        (_, RecordState::Missing) => (ERROR, "missing"),
        (_, RecordState::Unreadable) => (ERROR, "unreadable"),
        (Validity::Invalid, _) => (ERROR, "invalid"),
        (Validity::Missing, _) => (FAINT, "no soul"),
        (_, RecordState::Changed) => (WARNING, "changed outside"),
        (_, RecordState::Unrecorded) => (WARNING, "not recorded"),
        (Validity::Inactive, _) => (FAINT, "inactive"),
        (Validity::Valid, _) => (GOOD, "valid"),
    }
}

/// Who did something: a person by name, whatever else by name and kind.
pub(super) fn who(party: &Party) -> String {
    let (kind, name) = (visible(&party.kind), visible(&party.name));
    match (kind.as_str(), name.as_str()) {
        (_, "") => kind,
        ("user", _) => name,
        _ => format!("{name} ({kind})"),
    }
}

fn sessions(agent: &Agent) -> super::table::Cell {
    match (agent.sessions, agent.sessions_behind) {
        (0, _) => "".into(),
        (live, 0) => live.to_string().into(),
        (live, behind) => cell(format!("{live} ({behind} behind)"), WARNING),
    }
}

pub(crate) fn status(response: &status::Response, is_one: bool) -> String {
    if response.agents.is_empty() {
        return "no agents yet\n".to_owned() + &hint("`soul new NAME` creates one");
    }
    let needs_look = |status: &&AgentStatus| is_one || !status.next.is_empty();
    let commands = || response.agents.iter().flat_map(|status| &status.next).map(|step| step.command.as_str());
    let one = |status| one(status, |command| with_brief_ids(command, commands()));
    let mut out: Vec<String> = response.agents.iter().filter(needs_look).map(one).collect();
    let others = response.agents.iter().filter(|status| status.next.is_empty());
    let (fine, without): (Vec<_>, Vec<_>) = others.partition(|status| status.agent.present);
    if !is_one && !fine.is_empty() {
        let whose = if fine.len() == response.agents.len() { "all " } else { "" };
        out.push(format!("{GOOD}{whose}{}{GOOD:#} valid, recorded, nothing to do\n", count(fine.len(), "agent")));
    }
    if !is_one && !without.is_empty() {
        out.push(format!("{FAINT}{} without a soul{FAINT:#}\n", count(without.len(), "agent")));
    }
    out.join("\n")
}

fn one(status: &AgentStatus, brief: impl Fn(&str) -> String) -> String {
    let AgentStatus { agent, unrecorded_change, diagnostics, findings: found, behind, next } = status;
    let (style, word) = state(agent);
    let dialect = agent.dialect.map(|dialect| format!("  {dialect}")).unwrap_or_default();
    let mut out = format!("{STRONG}{}{STRONG:#}{dialect}  {style}{word}{style:#}\n", visible(&agent.name));
    let mut row = |name: &str, value: &str| row(&mut out, 9, name, value);
    if !role(agent).is_empty() {
        row("role", &role(agent));
    }
    row("file", &visible(&agent.source_path));
    if let Some(of_soul) = &agent.digest {
        row("digest", &digest(of_soul));
    }
    row("record", &record(agent, unrecorded_change.as_deref()));
    if let Some(change) = &agent.last_change {
        row("changed", &last_change(change));
    }
    if agent.sessions > 0 {
        let behind = match behind.len() {
            0 => String::new(),
            number => format!(", {WARNING}{number} behind{WARNING:#} the current soul"),
        };
        row("sessions", &format!("{} live{behind}", agent.sessions));
    }
    let problems = diagnostics.iter().map(concise::diagnostic).chain(found.iter().map(findings::line));
    out.extend(problems.map(|line| hanging(&format!("  {}", line.trim_end()), 4) + "\n"));
    if next.is_empty() && diagnostics.is_empty() && found.is_empty() {
        let _ = writeln!(out, "  {GOOD}nothing to do{GOOD:#}");
    }
    out.push_str(&steps(next, brief));
    out
}

/// What to do next: commands, and beside them what they do, or below where there is no room.
fn steps(next: &[NextStep], brief: impl Fn(&str) -> String) -> String {
    let commands: Vec<String> = next.iter().map(|step| brief(&step.command)).collect();
    let columns = |text: &str| text.chars().count();
    let width = commands.iter().map(|command| columns(command)).max().unwrap_or_default();
    let widest = next.iter().map(|step| columns(&step.purpose)).max().unwrap_or_default();
    let is_narrow = view::width().is_some_and(|room| room < 14 + width + widest);
    let mut out = if is_narrow && !next.is_empty() { format!("  {HINT}next{HINT:#}\n") } else { String::new() };
    for (index, (NextStep { purpose, .. }, command)) in next.iter().zip(commands).enumerate() {
        let label = if index == 0 { "next" } else { "" };
        let _ = if is_narrow {
            let purpose = hanging(&format!("      {FAINT}{purpose}{FAINT:#}"), 6);
            writeln!(out, "    {STRONG}{command}{STRONG:#}\n{purpose}")
        } else {
            let command = format!("{STRONG}{command:<width$}{STRONG:#}");
            writeln!(out, "  {HINT}{label:<9}{HINT:#} {command}  {FAINT}{purpose}{FAINT:#}")
        };
    }
    out
}

fn record(agent: &Agent, change: Option<&str>) -> String {
    let change = change.map(|change| format!(": {}", visible(change))).unwrap_or_default();
    match agent.record {
        RecordState::Unrecorded if agent.present => format!("{WARNING}not recorded yet{WARNING:#}"),
        RecordState::Unrecorded => "not recorded yet".to_owned(),
        RecordState::Recorded => "the file matches the record".to_owned(),
        RecordState::Unreadable => format!("{ERROR}the file cannot be read{ERROR:#}"),
        RecordState::Changed => format!("{WARNING}changed outside{WARNING:#}{change}"),
        RecordState::Missing => format!("{ERROR}the file is missing{ERROR:#}, and its deletion is not recorded"),
    }
}

fn last_change(change: &LastChange) -> String {
    let LastChange { revision_id, action, actor, origin, created_at, message, .. } = change;
    let (_, done) = done(*action, actor, origin);
    let said = message.as_ref().map(|message| format!(": {}", visible(message.as_str()))).unwrap_or_default();
    let when = if view::is_verbose() { short(created_at) } else { ago(created_at) };
    let id = if view::is_verbose() { format!("  {revision_id}") } else { String::new() };
    format!("{done} {when} by {}{said}{FAINT}{id}{FAINT:#}", who(actor))
}
