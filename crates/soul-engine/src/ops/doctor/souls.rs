//! The souls of agents and of the library: whether they can be read, are valid, have no findings, and are in their
//! files as they were recorded.

use soul_core::diagnostics::Severity;
use soul_core::digest::RawDigest;
use soul_core::scan::Finding;
use soul_core::text::visible;

use super::{Check, Group, many};
use crate::Keeper;
use crate::authoring::Subject;
use crate::context::Context;
use crate::files;
use crate::library;
use crate::library::member::Member;
use crate::ops::{Error, Operation, scan};
use crate::souls::{self, Loader, Resolved, Target};
use crate::store::Store;
use crate::workspace::{AgentName, Kind, SoulKey};

const SOULS: Group = Group::Souls;

pub(super) fn check(context: &Context<'_>, store: Option<&dyn Store>) -> Result<Vec<Check>, Error> {
    let mut checks = store.map(|store| recorded(context.keeper, store)).unwrap_or_default();
    checks.extend(agents(context)?);
    checks.extend(library(context.keeper));
    Ok(checks)
}

/// Compares every soul on record with its file.
fn recorded(keeper: &Keeper, store: &dyn Store) -> Vec<Check> {
    let compared = store.souls().map_err(Error::from).and_then(|keys| {
        let mut found = Vec::new();
        for key in keys {
            found.extend(compare(keeper, store, &key)?);
        }
        Ok(found)
    });
    compared.unwrap_or_else(|error| {
        vec![match error {
            error @ Error::Soul(souls::Error::LibraryUnusable(..)) => {
                SOULS.broken("souls", error.to_string(), "check the folder that `[library] dir` names")
            }
            Error::Store(error) => SOULS.unusable("souls", &error),
            error => SOULS.broken("souls", error.to_string(), super::RESTORE),
        }]
    })
}

fn compare(keeper: &Keeper, store: &dyn Store, key: &SoulKey) -> Result<Vec<Check>, Error> {
    let Some(place) = place(keeper, key)? else { return Ok(Vec::new()) };
    let tail = store.tail(key)?;
    let name = visible(&key.name);
    let is_agent = key.kind == Kind::Agent;
    let history = if is_agent { format!("soul history {name}") } else { format!("soul library history {name}") };
    let mut found = Vec::new();
    if tail.pending.is_some() {
        let help = format!("run `{history}`, which completes it, unless another program is writing");
        found.push(SOULS.warning("pending", format!("a change of `{name}` was interrupted"), help));
    }
    if !tail.stuck.is_empty() {
        let message = format!("{} of `{name}` cut off inside the record", many(tail.stuck.len(), "change"));
        found.push(SOULS.warning("pending", message, "run `soul audit repair`"));
    }
    let recorded = tail.last.and_then(|revision| revision.sealed.raw_digest);
    let now = match &place {
        Place::Open(subject) => match subject.directory().read(subject.file()) {
            Ok(bytes) => Some(RawDigest::of(&bytes)),
            Err(files::Error::NotFound) => None,
            // The agent has a check of its own.
            Err(_) => return Ok(found),
        },
        Place::Gone => None,
    };
    let problem = match (recorded, now) {
        (recorded, now) if recorded == now => None,
        (Some(_), None) => {
            let help = match is_agent {
                true => format!("`soul undo {name}` restores it"),
                false => format!("`{history}` shows its revisions; `soul library rollback {name}` restores one"),
            };
            Some(SOULS.broken("missing", format!("`{name}` is recorded, but its file is missing"), help))
        }
        (..) => {
            let help = match is_agent {
                true => format!(
                    "`soul status {name}` shows the change, `soul record {name}` records it, `soul undo {name}` undoes it"
                ),
                false => format!("`{history} --diffs` shows the change; the next update records it"),
            };
            Some(SOULS.broken("changed", format!("`{name}` was changed outside of soul"), help))
        }
    };
    found.extend(problem);
    Ok(found.into_iter().map(|check| if is_agent { check.about(&name) } else { check }).collect())
}

/// Where a recorded soul is.
enum Place {
    Open(Box<dyn Subject>),
    /// Even its directory is gone.
    Gone,
}

/// Where a recorded soul is, if its record belongs to this home or workspace.
fn place(keeper: &Keeper, key: &SoulKey) -> Result<Option<Place>, Error> {
    if key.kind == Kind::Library {
        let Ok(id) = key.name.parse() else { return Ok(None) };
        return Ok(Member::open(keeper, id)?.map(|member| Place::Open(Box::new(member))));
    }
    let Ok(name) = key.name.parse::<AgentName>() else { return Ok(None) };
    match keeper.agent(&name) {
        Ok(agent) if agent.known_key().is_ok_and(|known| known.as_ref() == Some(key)) => {
            Ok(Some(Place::Open(Box::new(agent))))
        }
        Err(souls::Error::AgentNotFound(_)) if is_here(keeper, key) => Ok(Some(Place::Gone)),
        _ => Ok(None),
    }
}

fn is_here(keeper: &Keeper, key: &SoulKey) -> bool {
    keeper.roots.scopes(&keeper.settings.discovery).contains(&key.scope)
}

/// Agents that cannot be read, are invalid, or have findings at the gate.
fn agents(context: &Context<'_>) -> Result<Vec<Check>, Error> {
    let keeper = context.keeper;
    let names = match keeper.roots.agent_names(&keeper.settings.discovery) {
        Ok(names) => names,
        Err((path, error)) => {
            let problem = format!("could not list `{}`: {error}", keeper.roots.shown(&path));
            return Ok(vec![SOULS.broken("agents", problem, "check the folder and its permissions")]);
        }
    };
    let mut found = Vec::new();
    let (mut fine, mut checked, mut without) = (0, 0, 0);
    for name in &names {
        context.progress.check_awaited()?;
        let mut problems: Vec<Check> = match read(keeper, name) {
            // One without a soul is neither valid nor invalid; whether it should have one is for the record to say.
            Ok(soul) if !soul.is_present() => {
                without += 1;
                continue;
            }
            Ok(soul) => invalid(&soul, name).into_iter().collect(),
            // The store has a check of its own.
            Err(souls::Error::Store(_)) => continue,
            Err(error) => vec![SOULS.broken("unreadable", error.to_string(), "put a regular file there")],
        };
        problems.extend(poisoned(context, name)?);
        checked += 1;
        fine += usize::from(problems.is_empty());
        found.extend(problems.into_iter().map(|check| check.about(name.as_str())));
    }
    if checked + without < names.len() {
        let message = format!("{} could not be checked", many(names.len() - checked - without, "agent"));
        found.push(SOULS.warning("agents", message, "fix the store first"));
    }
    match (fine, checked) {
        _ if names.is_empty() => found.push(SOULS.ok("agents", "no agents yet; `soul new NAME` creates one")),
        (_, 0) => {}
        (fine, all) if fine == all => {
            found.push(SOULS.ok("agents", format!("{} valid and without findings", many(all, "agent"))));
        }
        (fine, all) => {
            found.push(SOULS.ok("agents", format!("{fine} of {} valid and without findings", many(all, "agent"))));
        }
    }
    Ok(found)
}

fn read(keeper: &Keeper, name: &AgentName) -> Result<Resolved, souls::Error> {
    let agent = keeper.agent(name)?;
    match agent.directory.read(agent.soul_file()) {
        Ok(_) | Err(files::Error::NotFound) => Loader::new(keeper, None).target(&Target::Agent(name.clone())),
        Err(error) => Err(souls::Error::Layer(keeper.roots.shown(&agent.path.join(agent.soul_file())), error.into())),
    }
}

fn invalid(soul: &Resolved, name: &AgentName) -> Option<Check> {
    if soul.is_valid() {
        return None;
    }
    let first = soul.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    let why = first.map(|first| format!(": {}", first.message)).unwrap_or_default();
    let help = format!("`soul check {name}` shows what is wrong");
    Some(SOULS.broken("invalid", format!("`{name}` is invalid{why}"), help))
}

/// Findings at the gate, in any file of the agent: its memory reaches the model too.
fn poisoned(context: &Context<'_>, name: &AgentName) -> Result<Option<Check>, Error> {
    let request = scan::Request { agent: Some(name.clone()), ..scan::Request::default() };
    let scanned = match request.run(context) {
        Ok(response) => response.targets,
        Err(error @ Error::Cancelled(_)) => return Err(error),
        // What cannot be read has a check of its own.
        Err(_) => return Ok(None),
    };
    let findings: Vec<&Finding> =
        scanned.iter().flat_map(|target| &target.findings).filter(|finding| finding.is_confident_error()).collect();
    let Some(first) = findings.first() else { return Ok(None) };
    let more = if findings.len() > 1 { format!(" (and {} more)", findings.len() - 1) } else { String::new() };
    let message = format!(
        "`{name}` is poisoned (prompt injection): {} in {} line {}{more}",
        first.message,
        visible(&first.file),
        first.line
    );
    let next = match files::is_soul_file(&first.file) {
        true => format!("`soul undo {name}` undoes the last change"),
        false => format!("then remove it from `{}`", visible(&first.file)),
    };
    let help = format!("`soul check {name}` shows it; {next}");
    Ok(Some(SOULS.broken("poisoned", message, help)))
}

/// Souls for selection, and files among them that are not souls.
fn library(keeper: &Keeper) -> Vec<Check> {
    let index = match keeper.library() {
        Ok(index) => index,
        // The home has a check of its own.
        Err(library::Error::Soul(souls::Error::Store(_)) | library::Error::Store(_)) => return Vec::new(),
        Err(error) => return vec![SOULS.broken("library", error.to_string(), "check the folder and its permissions")],
    };
    let skipped = index.skipped().into_iter().map(|skipped| {
        let message = format!("`{}` in the library is not a soul: {}", skipped.file, skipped.reason);
        SOULS.warning("library", message, "fix it, or move it elsewhere")
    });
    skipped.chain([SOULS.ok("library", format!("{} in the library", many(index.souls().count(), "soul")))]).collect()
}
