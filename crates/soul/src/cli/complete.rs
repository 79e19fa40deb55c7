//! What can follow on the command line: names of agents, revisions, sessions, library souls, synced items and rules,
//! as they are now. The shell runs this program with `COMPLETE` set, and every word that was typed after `--`.

use std::ffi::OsString;

use clap::{Command, FromArgMatches, ValueHint};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::{CompleteEnv, Shell};
use soul_core::text::visible;
use soul_engine::fields::Limit;
use soul_engine::ops::{explain, history, library, list, proposals, session, sync};
use soul_engine::sync::ItemStatus;
use soul_engine::workspace::AgentName;

use super::Global;

/// The variable that says which shell asks.
const VARIABLE: &str = "COMPLETE";

/// Answers a shell, if one asks. Returns whether it did.
pub(super) fn answer() -> bool {
    if std::env::var_os(VARIABLE).is_none_or(|shell| shell.is_empty() || shell == "0") {
        return false;
    }
    let here = std::env::current_dir().ok();
    let answered = CompleteEnv::with_factory(|| with_candidates(super::command()))
        .var(VARIABLE)
        .try_complete(std::env::args_os(), here.as_deref());
    // A shell has no use for a message in the middle of a line.
    answered.unwrap_or(true)
}

/// The script that makes a shell ask.
pub(super) fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let shells = clap_complete::env::Shells::builtins();
    let mut script = Vec::new();
    match shells.completer(&shell.to_string()) {
        Some(completer) => completer.write_registration(VARIABLE, "soul", "soul", "soul", &mut script)?,
        None => clap_complete::generate(shell, &mut super::command(), "soul", &mut script),
    }
    Ok(script)
}

/// Gives arguments that name something what it can be called.
fn with_candidates(command: Command) -> Command {
    with_candidates_below(command, "")
}

fn with_candidates_below(command: Command, parent: &str) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|argument| {
        let candidates: Option<fn() -> Vec<CompletionCandidate>> = match argument.get_id().as_str() {
            "agent" | "target" | "targets" => Some(agents),
            "revision" | "revision_id" | "expected_revision" | "from" | "to"
                if argument.get_possible_values().is_empty() && argument.get_value_hint() != ValueHint::Url =>
            {
                Some(revisions)
            }
            "session" | "session_id" | "parent" | "parent_id" => Some(sessions),
            "soul" => Some(souls),
            "id" | "ids" if parent == "sync" => match name.as_str() {
                "publish" => Some(sync_publishable),
                "resolve" => Some(sync_conflicts),
                _ => Some(sync_items),
            },
            "code" => Some(codes),
            "id" => match name.as_str() {
                "rule" => Some(codes),
                "review" => Some(proposals),
                "refresh" | "resume" | "stop" => Some(sessions),
                "show" | "update" | "select" | "delete" | "diff" | "history" | "rollback" => Some(souls),
                _ => None,
            },
            _ => None,
        };
        match candidates {
            Some(candidates) => argument.add(ArgValueCandidates::new(candidates)),
            None => argument,
        }
    });
    command.mut_subcommands(|command| with_candidates_below(command, &name))
}

/// The words that were typed so far, without the one that is being completed.
fn typed() -> Vec<OsString> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    words.collect()
}

/// The options of every command as far as they were typed: where the home and the workspace are.
fn global() -> Option<Global> {
    let command = <Global as clap::Args>::augment_args(Command::new("soul").ignore_errors(true));
    Global::from_arg_matches(&command.try_get_matches_from(typed()).ok()?).ok()
}

fn candidates<T>(named: impl IntoIterator<Item = T>, show: impl Fn(T) -> (String, String)) -> Vec<CompletionCandidate> {
    let candidate = |item| {
        let (name, about) = show(item);
        let about = visible(about.lines().next().unwrap_or_default());
        CompletionCandidate::new(name).help((!about.is_empty()).then(|| about.into()))
    };
    named.into_iter().map(candidate).collect()
}

fn agents() -> Vec<CompletionCandidate> {
    let listed = global().and_then(|global| global.ask(list::Request::default()).ok());
    candidates(listed.into_iter().flat_map(|listed| listed.agents), |agent| {
        (agent.name, agent.role.unwrap_or_default())
    })
}

/// The latest revisions of the agent that was named before.
fn revisions() -> Vec<CompletionCandidate> {
    let Some(global) = global() else { return Vec::new() };
    let mut named = typed().into_iter().filter_map(|word| word.into_string().ok()?.parse::<AgentName>().ok());
    let known = global.ask(list::Request::default()).map(|listed| listed.agents).unwrap_or_default();
    let is_known = |name: &AgentName| known.iter().any(|agent| agent.name == name.as_str());
    let Some(agent) = named.rfind(is_known) else {
        return Vec::new();
    };
    let request = history::Request { agent, limit: Limit::new(20), cursor: None, bodies: false, diffs: false };
    let page = global.ask(request).map(|page| page.revisions).unwrap_or_default();
    candidates(page, |entry| (entry.revision.sealed.id.to_string(), entry.summary.unwrap_or_default()))
}

fn sessions() -> Vec<CompletionCandidate> {
    let page = global().and_then(|global| global.ask(session::list::Request::default()).ok());
    let sessions = page.into_iter().flat_map(|page| page.sessions);
    candidates(sessions, |listed| (listed.session.id.to_string(), listed.session.agent.unwrap_or_default()))
}

fn souls() -> Vec<CompletionCandidate> {
    let page = global().and_then(|global| global.ask(library::list::Request::default()).ok());
    candidates(page.into_iter().flat_map(|page| page.souls), |soul| (soul.id.to_string(), soul.description))
}

/// Items of the sync that stand so, with how they stand.
fn items(is_wanted: impl Fn(ItemStatus) -> bool) -> Vec<CompletionCandidate> {
    let status = global().and_then(|global| global.ask(sync::status::Request {}).ok());
    let items = status.into_iter().flat_map(|status| status.items).filter(|item| is_wanted(item.status));
    candidates(items, |item| (item.item_id.to_string(), item.status.as_str().to_owned()))
}

fn sync_items() -> Vec<CompletionCandidate> {
    items(|_| true)
}

fn sync_publishable() -> Vec<CompletionCandidate> {
    items(|status| matches!(status, ItemStatus::Modified | ItemStatus::Untracked | ItemStatus::Conflict))
}

fn sync_conflicts() -> Vec<CompletionCandidate> {
    items(|status| status == ItemStatus::Conflict)
}

fn proposals() -> Vec<CompletionCandidate> {
    let page = global().and_then(|global| global.ask(proposals::Request::default()).ok());
    candidates(page.into_iter().flat_map(|page| page.proposals), |proposal| {
        (proposal.id.to_string(), format!("{}: {}", proposal.agent, proposal.summary))
    })
}

fn codes() -> Vec<CompletionCandidate> {
    let all = global().and_then(|global| global.ask(explain::Request::default()).ok());
    candidates(all.into_iter().flat_map(|all| all.codes), |explained| (explained.code, explained.meaning))
}
