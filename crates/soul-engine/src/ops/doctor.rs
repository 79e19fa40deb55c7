//! Check the keeper's home, store, souls and settings, and say what to do about each problem.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::text::visible;

use super::workspace::list;
use super::{Error, Hints, Operation, Verdict, audit};
use crate::authoring::Subject;
use crate::caller::Grant;
use crate::context::Context;
use crate::files;
use crate::library;
use crate::library::member::Member;
use crate::places;
use crate::settings::{Origin, Setting};
use crate::souls;
use crate::store::{self, Store};
use crate::workspace::{AgentName, Kind, SoulKey};
use crate::{Keeper, STORE_FILE};

/// Check the keeper's home, store, souls and settings. Changes nothing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// What was checked, and what is wrong.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DoctorReport")]
pub struct Response {
    /// Whether nothing is broken.
    pub ok: bool,
    /// Each check.
    pub checks: Vec<Check>,
    /// Every setting that is not a default, and the file that it comes from.
    pub settings: Vec<Setting>,
}

/// One check.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DoctorCheck")]
pub struct Check {
    /// What was checked.
    pub name: Cow<'static, str>,
    /// How it is.
    pub status: Health,
    /// The same in a sentence.
    pub message: String,
    /// What to do, if anything.
    pub help: Option<String>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "CheckStatus")]
pub enum Health {
    /// Fine.
    Ok,
    /// Somebody should look at it.
    Warning,
    /// It is broken.
    Broken,
}

impl Check {
    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self { name: name.into(), status: Health::Ok, message: message.into(), help: None }
    }

    fn warning(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { name: name.into(), status: Health::Warning, message: message.into(), help: Some(help.into()) }
    }

    fn broken(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { name: name.into(), status: Health::Broken, message: message.into(), help: Some(help.into()) }
    }
}

impl Operation for Request {
    const NAME: &'static str = "doctor";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// What is broken is part of the answer, never an error.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let mut checks = vec![home(keeper), settings(keeper)];
        checks.extend(room(keeper));
        checks.extend(workspace(keeper));
        match keeper.existing_store() {
            Ok(None) => checks.push(Check::ok("store", "nothing has been recorded yet")),
            Err(error) => checks.push(unusable("store", &error)),
            Ok(Some(store)) => {
                checks.push(database(store));
                checks.push(chain(context));
                match orphans(keeper, store) {
                    Ok(found) => checks.extend(found),
                    Err(error) => checks.push(Check::broken("records", error.to_string(), RESTORE)),
                }
                match souls(keeper, store) {
                    Ok(found) => checks.extend(found),
                    Err(error @ Error::Soul(souls::Error::LibraryUnusable(..))) => {
                        let help = "check the folder that `[library] dir` names";
                        checks.push(Check::broken("souls", error.to_string(), help));
                    }
                    Err(Error::Store(error)) => checks.push(unusable("souls", &error)),
                    Err(error) => checks.push(Check::broken("souls", error.to_string(), RESTORE)),
                }
            }
        }
        context.progress.check_awaited()?;
        checks.extend(agents(keeper));
        checks.extend(self::library(keeper));
        let ok = checks.iter().all(|check| check.status != Health::Broken);
        Ok(Response { ok, checks, settings: shown_settings(keeper) })
    }

    fn verdict(response: &Response) -> Verdict {
        if response.ok { Verdict::Passed } else { Verdict::Failed }
    }
}

/// The settings that files set, with paths as users see them.
fn shown_settings(keeper: &Keeper) -> Vec<Setting> {
    let mut settings = keeper.settings.origins.clone();
    for said in settings.iter_mut().filter(|said| said.key == "discovery.roots") {
        let roots: Vec<_> = keeper.settings.discovery.roots.iter().map(|root| keeper.roots.shown(root)).collect();
        said.value = format!("{roots:?}");
    }
    for said in settings.iter_mut().filter(|said| said.key == "library.dir") {
        let folder = keeper.library_path().map(|folder| keeper.roots.shown(&folder)).unwrap_or_default();
        said.value = format!("{folder:?}");
    }
    settings
}

const RESTORE: &str = "stop the service, and run `soul restore-backup FILE` with a backup; the souls themselves are in \
    their files and are safe";

/// A store that could not be used, with what helps against that.
fn unusable(name: &'static str, error: &store::Error) -> Check {
    let help = match error {
        store::Error::Damaged(_) => RESTORE.to_owned(),
        error => error.fault().hint.unwrap_or_default().into_owned(),
    };
    Check::broken(name, error.to_string(), help)
}

fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn home(keeper: &Keeper) -> Check {
    let Some(home) = &keeper.roots.home else {
        return Check::broken("home", "there is no home", "set `SOUL_HOME`, or give `--home`");
    };
    match std::fs::metadata(home) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Check::ok("home", "not made yet; the first write makes it")
        }
        Err(error) => Check::broken("home", files::plain(&error), "check the permissions of the home"),
        Ok(metadata) if !metadata.is_dir() => Check::broken("home", "it is not a directory", "choose another home"),
        Ok(_) if !is_writable(home) => {
            Check::broken("home", "it cannot be written", "check the permissions of the home, and its disk")
        }
        Ok(_) if is_open(home) => {
            Check::warning("home", "others on this machine can enter the home", "run `chmod 700` on the home")
        }
        Ok(_) if PRIVATE.iter().any(|file| is_open(&home.join(file))) => {
            let files: Vec<_> = PRIVATE.into_iter().filter(|file| is_open(&home.join(file))).collect();
            let help = format!("run `chmod 600 {}` in the home", files.join(" "));
            Check::warning("home", "others on this machine can read the store", help)
        }
        Ok(_) => Check::ok("home", "it is there and can be written"),
    }
}

/// Files of the home that only its owner should read.
const PRIVATE: [&str; 6] = [STORE_FILE, "keeper.db-wal", "keeper.db-shm", "keeper.mark", "keeper.lock", "keeper.sock"];

/// What a disk should have left: a store needs room for its log before it can change anything.
const LEAST_ROOM: u64 = 64 << 20;

/// A disk that is nearly full.
#[cfg(unix)]
fn room(keeper: &Keeper) -> Option<Check> {
    let disk = rustix::fs::statvfs(keeper.roots.home.as_ref()?).ok()?;
    let left = disk.f_bavail.saturating_mul(disk.f_frsize);
    let message = format!("the disk of the home has {} MiB left", left >> 20);
    (left < LEAST_ROOM).then(|| Check::warning("disk", message, "make room: what cannot be recorded cannot be changed"))
}

#[cfg(not(unix))]
fn room(_: &Keeper) -> Option<Check> {
    None
}

/// Whether a file can be made there; mode bits do not tell of disks that are read-only.
fn is_writable(home: &std::path::Path) -> bool {
    let probe = home.join(format!(".doctor-{}", std::process::id()));
    let made = std::fs::File::create_new(&probe).is_ok();
    let _ = std::fs::remove_file(probe);
    made
}

/// How the workspace stands to its record.
fn workspace(keeper: &Keeper) -> Option<Check> {
    let root = keeper.roots.workspace.as_deref()?;
    // A workspace whose id is damaged has lost its name, and with it its record.
    if let Err(error) = keeper.roots.check_workspace() {
        let help = "put `.soul/id` back as it was, from version control or a backup, or remove it and run `soul \
                    workspace adopt`; `soul workspace list` shows every record";
        return Some(Check::broken("workspace", files::plain(&error), help));
    }
    match places::status(keeper, root) {
        Ok(places::Status::Unrecorded | places::Status::Bound) => None,
        Ok(places::Status::Lost(scope)) => Some(Check::warning(
            "workspace",
            format!("`.soul/id` is gone, and with it the history of the agents; it was `{scope}`"),
            "run `soul workspace adopt`; the next change does the same",
        )),
        Ok(places::Status::Copy(other)) => Some(Check::warning(
            "workspace",
            format!("it is a copy: `{other}` has the same id, and with it the same record"),
            "run `soul workspace fork` to give it a record of its own, or `soul workspace share` to use one in both",
        )),
        // Whatever is wrong with the store has a check of its own.
        Err(places::Error::Store(_)) => None,
        Err(error) => Some(Check::warning("workspace", error.to_string(), error.fault().hint.unwrap_or_default())),
    }
}

/// Records of workspaces whose directory is gone.
fn orphans(keeper: &Keeper, store: &dyn Store) -> Result<Option<Check>, Error> {
    let mut lost = Vec::new();
    for record in store.scopes()? {
        let entry = list::entry(keeper, store, record)?;
        // A record of an earlier version that was not used since has no place yet; nobody knows whether it is lost.
        // What this workspace has lost is told by its own check.
        let is_elsewhere = entry.last_place.as_deref().is_some_and(|place| place != ".");
        if entry.revisions > 0 && entry.places.is_empty() && is_elsewhere {
            lost.push(entry.scope);
        }
    }
    Ok((!lost.is_empty()).then(|| {
        let message = format!("no workspace uses {}: {}", many(lost.len(), "record"), lost.join(", "));
        let help = "`soul workspace list` shows what is in them; `soul workspace adopt SCOPE` reconnects a workspace";
        Check::warning("records", message, help)
    }))
}

#[cfg(unix)]
fn is_open(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &std::path::Path) -> bool {
    false
}

fn settings(keeper: &Keeper) -> Check {
    if let Some(problem) = keeper.settings_problem() {
        let message = format!("{problem}; the settings from before stay in use");
        return Check::broken("settings", message, "fix the file; it is read again at the next request");
    }
    let of = |origin| keeper.settings.origins.iter().filter(|said| said.origin == origin).count();
    match (of(Origin::Home), of(Origin::Workspace)) {
        (0, 0) => Check::ok("settings", "all are defaults"),
        (home, workspace) => Check::ok("settings", format!("{home} from the home, {workspace} from the workspace")),
    }
}

fn database(store: &dyn Store) -> Check {
    match store.check() {
        Ok(problems) if problems.is_empty() => Check::ok("store", "the database is whole"),
        Ok(problems) => Check::broken("store", problems.join("; "), RESTORE),
        Err(error) => unusable("store", &error),
    }
}

fn chain(context: &Context<'_>) -> Check {
    match audit::verify::Request::default().run(context) {
        Ok(audit::verify::Response { ok: true, revisions, heads, .. }) => {
            Check::ok("chain", format!("{} of {} hold", many(revisions, "revision"), many(heads.len(), "soul")))
        }
        Ok(audit::verify::Response { first_broken, problem, .. }) => {
            let id = first_broken.map(|id| format!("{id}: ")).unwrap_or_default();
            let message = format!("{id}{}", problem.unwrap_or_default());
            let help = "`soul audit repair --dry-run` tells what earlier versions left from what was changed outside; \
                        `soul restore-backup FILE` brings back the record of a backup";
            Check::broken("chain", message, help)
        }
        Err(Error::Store(error)) => unusable("chain", &error),
        Err(error) => Check::broken("chain", error.to_string(), RESTORE),
    }
}

/// Whether each soul that is on record is in its file as it was recorded.
fn souls(keeper: &Keeper, store: &dyn Store) -> Result<Vec<Check>, Error> {
    let mut found = Vec::new();
    let (mut same, mut all) = (0, 0);
    for key in store.souls()? {
        let Some(subject) = reachable(keeper, &key)? else { continue };
        let name = visible(&key.name);
        let (history, differences) = match key.kind {
            Kind::Agent => (format!("soul history {name}"), format!("soul diff {name}")),
            Kind::Library => (format!("soul library history {name}"), format!("soul library history {name} --diffs")),
        };
        all += 1;
        let tail = store.tail(&key)?;
        if tail.pending.is_some() {
            let help = format!("run `{history}`, which ends it, unless another program is writing");
            found.push(Check::warning("pending", format!("a change of `{name}` was cut off"), help));
        }
        if !tail.stuck.is_empty() {
            let message = format!("{} of `{name}` cut off inside the record", many(tail.stuck.len(), "change"));
            found.push(Check::warning("pending", message, "run `soul audit repair`"));
        }
        let recorded = tail.last.and_then(|revision| revision.sealed.raw_digest);
        let now = match subject.directory().read(subject.file()) {
            Ok(bytes) => Some(RawDigest::of(&bytes)),
            Err(files::Error::NotFound) => None,
            Err(_) => continue,
        };
        if recorded == now {
            same += 1;
        } else {
            let help = format!("`{differences}` shows how; the next write takes it into the record");
            found.push(Check::warning("outside", format!("`{name}` was changed outside"), help));
        }
    }
    found.push(Check::ok("souls", format!("{same} of {} as recorded", many(all, "soul"))));
    Ok(found)
}

/// Whose soul it is, if that can be reached from here.
fn reachable(keeper: &Keeper, key: &SoulKey) -> Result<Option<Box<dyn Subject>>, Error> {
    if key.kind == Kind::Library {
        let Ok(id) = key.name.parse() else { return Ok(None) };
        return Ok(Member::open(keeper, id)?.map(|member| Box::new(member) as Box<dyn Subject>));
    }
    let Ok(name) = key.name.parse::<AgentName>() else { return Ok(None) };
    match keeper.agent(&name) {
        Ok(agent) if agent.known_key().is_ok_and(|known| known.as_ref() == Some(key)) => Ok(Some(Box::new(agent))),
        _ => Ok(None),
    }
}

/// Souls for selection, and files among them that are none.
fn library(keeper: &Keeper) -> Vec<Check> {
    let index = match keeper.library() {
        Ok(index) => index,
        // The home has a check of its own.
        Err(library::Error::Soul(souls::Error::Store(_)) | library::Error::Store(_)) => return Vec::new(),
        Err(error) => return vec![Check::broken("library", error.to_string(), "check the folder and its permissions")],
    };
    let skipped = index.skipped().into_iter().map(|skipped| {
        let message = format!("`{}` is no soul: {}", skipped.file, skipped.reason);
        Check::warning("library", message, "mend it, or move it elsewhere")
    });
    skipped.chain([Check::ok("library", format!("{} can be read", many(index.souls().count(), "soul")))]).collect()
}

/// Agents that cannot be read at all.
fn agents(keeper: &Keeper) -> Vec<Check> {
    let names = match keeper.roots.agent_names(&keeper.settings.discovery) {
        Ok(names) => names,
        Err((path, error)) => {
            let problem = format!("`{}` could not be listed: {error}", keeper.roots.shown(&path));
            return vec![Check::broken("agents", problem, "check the folder and its permissions")];
        }
    };
    let mut found = Vec::new();
    for name in &names {
        let problem = match keeper.agent(name) {
            Ok(agent) => match agent.directory.read(agent.soul_file()) {
                Ok(_) | Err(files::Error::NotFound) => continue,
                Err(error) => format!("the SOUL.md of `{name}` was not read: {error}"),
            },
            Err(error) => error.to_string(),
        };
        found.push(Check::broken("agents", problem, "put a plain file there"));
    }
    if found.is_empty() {
        found.push(Check::ok("agents", format!("{} can be read", many(names.len(), "agent"))));
    }
    found
}
