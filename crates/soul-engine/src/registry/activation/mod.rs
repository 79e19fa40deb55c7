//! Using a package for an agent, and taking that back.
//!
//! The soul itself is changed by the one authoring service; the files beside it follow a record that is on disk before
//! the first of them is touched:
//!
//! note → files → soul → done
//!
//! The soul decides. If a process is cut off, the next caller looks whether the soul is the new one: then the files are
//! made to follow it, else they go back.

mod files;
mod layout;
mod record;

use std::collections::{BTreeMap, BTreeSet};

use soul_core::digest::RawDigest;
use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::model::Dialect;

use files::{Direction, Found, apply_files, found, is_own, missing_folders, same};
use layout::{Layout, Placed, Rule, merged, without_part};
use record::{Blob, Change, Kept, Record, Shelf, State, is_pending};

use super::lock::{Locked, PackageStep, Packages};
use super::{Error, Package, PackageName, PackagePath, PackageRange};
use crate::authoring::{self, Applied, Intent, Lock, Subject};
use crate::caller::Author;
use crate::fields::{ExpectedDigest, NonBlank};
use crate::files::SOUL_FILE;
use crate::souls::{self, Text};
use crate::store::Message;
use crate::workspace::{Agent, AgentName, SoulKey};
use crate::{Keeper, Step};

/// What using or restoring has done.
pub(crate) struct Done {
    pub(crate) applied: Option<Applied>,
    pub(crate) package: PackageName,
    pub(crate) version: super::Version,
    /// Files that were written or brought back.
    pub(crate) written: Vec<String>,
    /// Files that were removed.
    pub(crate) removed: Vec<String>,
    /// Files of the package, or of the state before, that gave way to what the agent owns.
    pub(crate) kept: Vec<String>,
}

/// Uses an installed package for an agent.
pub(crate) fn activate(
    keeper: &Keeper,
    package: &PackageName,
    name: &AgentName,
    message: Option<Message>,
    author: Author,
) -> Result<Done, Error> {
    authoring::check_not_own(keeper, &authoring::Owner::Agent(name.clone()), &author.actor)?;
    let packages = Packages::lock(keeper)?;
    heal_locked(keeper)?;
    if keeper.texts()?.is_some() {
        return Err(Error::InDatabase);
    }
    let row = packages.find(package).ok_or_else(|| Error::NotInstalled(package.clone()))?.clone();
    let package = read_whole(&packages, &row)?;
    let layout = Layout::of(&package)?;
    // Until the agent has a soul, its directory is marked as one that is being made.
    let (agent, creation) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) => authoring::create_agent(keeper, &name, None)?,
        found => (found?, None),
    };
    let is_new_agent = creation.is_some();
    let lock = authoring::lock(keeper, &agent).inspect_err(|_| remove_if_new(&agent, is_new_agent))?;
    let used = Using { keeper, agent: &agent, lock: &lock, package: &package, row: &row, is_new_agent };
    used.run(layout, message, author)
}

fn read_whole(packages: &Packages<'_>, row: &Locked) -> Result<Package, Error> {
    let tampered = |why: String| Error::Tampered(row.package.clone(), why);
    let contents = packages.contents(row).map_err(|error| tampered(error.to_string()))?;
    if contents.digest() != row.digest {
        return Err(tampered("their checksums differ from soul.lock".to_owned()));
    }
    Package::read(contents, Some(row.package.owner()), Profile::Lenient)
}

fn remove_if_new(agent: &Agent, is_new: bool) {
    if is_new {
        let _ = std::fs::remove_dir(&agent.path);
    }
}

/// What will change, the bytes of all of it by their names, and the files that stay.
type Prepared = (Record, BTreeMap<String, Vec<u8>>, Vec<String>);

struct Using<'a> {
    keeper: &'a Keeper,
    agent: &'a Agent,
    lock: &'a Lock,
    package: &'a Package,
    row: &'a Locked,
    is_new_agent: bool,
}

impl Using<'_> {
    fn run(&self, layout: Layout, message: Option<Message>, author: Author) -> Result<Done, Error> {
        let Self { keeper, agent, package, .. } = *self;
        let key = agent.key().map_err(souls::Error::WorkspaceId)?;
        let home = keeper.home().ok_or(Error::NoHome)?;
        let shelf = Shelf::of(home, &key);
        let adopted = authoring::adopt_held(keeper, agent, &key, &author.origin).map_err(Error::from);
        let prepared = adopted.and_then(|()| self.prepare(&shelf, &key, layout));
        let (record, blobs, kept) = prepared.inspect_err(|_| remove_if_new(agent, self.is_new_agent))?;
        let soul = record.soul.clone();
        let mut noted = shelf.keep(record, &blobs)?;
        let result = (|| {
            pass(keeper, PackageStep::Noted)?;
            let changed = apply_files(keeper, agent, &noted, Direction::Forward)?;
            pass(keeper, PackageStep::Placed)?;
            let message = match message {
                Some(message) => Some(message),
                None => format!("use {} {}", package.name, package.version).try_into().ok(),
            };
            let body = blobs.get(&soul.after.as_ref().map(|blob| blob.sha256.clone()).unwrap_or_default());
            let change = authoring::Change {
                expected: expected(keeper, agent, &key)?,
                dialect: Some(Dialect::Soulspec),
                message,
                ..authoring::Change::new(Intent::Put(body.cloned().unwrap_or_default()), author)
            };
            Ok((changed, authoring::apply_locked(keeper, agent, self.lock, change)?))
        })();
        match result {
            Ok((changed, applied)) => {
                pass(keeper, PackageStep::Settled)?;
                noted.set(State::Used)?;
                Ok(Done {
                    applied: Some(applied),
                    package: package.name.clone(),
                    version: package.version,
                    written: changed.written,
                    removed: changed.removed,
                    kept,
                })
            }
            Err(error) => {
                // The soul was not changed, or it was and nobody could confirm that: the files follow it.
                finish(keeper, agent, noted)?;
                Err(error)
            }
        }
    }

    /// What will change, with the bytes of all of it.
    fn prepare(&self, shelf: &Shelf, key: &SoulKey, layout: Layout) -> Result<Prepared, Error> {
        let Self { keeper, agent, package, .. } = *self;
        // A soul that is invalid could not be brought back.
        let chosen = keeper.chosen_without_caller(agent, keeper.store()?.pinned_dialect(key)?);
        let soul = agent.resolve(keeper, chosen, Text::OnDisk);
        if soul.is_present() && !soul.is_valid() {
            return Err(souls::Error::Invalid(Box::new(soul)).into());
        }
        let last = shelf.last()?;
        let earlier: BTreeMap<PackagePath, Change> =
            last.as_ref().map(|kept| kept.record.files.clone()).unwrap_or_default();
        let mut blobs = BTreeMap::new();
        let mut keep = |found: &Option<Found>| {
            found.as_ref().map(|found| {
                let blob = Blob::of(&found.bytes, found.mode);
                blobs.insert(blob.sha256.clone(), found.bytes.clone());
                blob
            })
        };
        let (mut files, mut kept) = (BTreeMap::new(), Vec::new());
        let mut paths: BTreeSet<PackagePath> = layout.files.keys().chain(earlier.keys()).cloned().collect();
        // Only one manifest counts.
        paths.extend(MANIFESTS.iter().filter_map(|name| name.parse().ok()));
        for path in paths {
            let now = found(agent, path.as_str())?;
            let before = earlier.get(&path);
            // A file that the package before has placed, and that nobody has changed since, is not the agent's own.
            let is_of_package = before.is_some_and(|change| same(&change.after, &now));
            let base = match before {
                Some(change) if is_of_package => match (&change.base, &last) {
                    (Some(blob), Some(kept)) => Some(Found { bytes: kept.bytes(blob)?, mode: blob.mode }),
                    _ => None,
                },
                _ => now.clone(),
            };
            let after = match layout.files.get(&path) {
                Some(Placed { rule: Rule::Keep, .. }) if base.is_some() => {
                    if !is_of_package {
                        kept.push(path.to_string());
                    }
                    base.clone()
                }
                Some(Placed { rule: Rule::Merge, bytes }) => {
                    let own = base.as_ref().map(|found| String::from_utf8_lossy(&found.bytes).into_owned());
                    let text = merged(own.as_deref(), &package.name, &String::from_utf8_lossy(bytes));
                    Some(Found { bytes: text.into_bytes(), mode: base.as_ref().and_then(|found| found.mode) })
                }
                Some(Placed { bytes, .. }) => Some(Found { bytes: bytes.clone(), mode: None }),
                None if MANIFESTS.contains(&path.as_str()) => None,
                // What the package before has changed goes back to what it was.
                None if is_of_package => base.clone(),
                None => match (path.as_str(), &now) {
                    ("AGENTS.md", Some(found)) => {
                        let text = without_part(&String::from_utf8_lossy(&found.bytes));
                        text.map(|text| Found { bytes: text.into_bytes(), mode: found.mode }).or_else(|| now.clone())
                    }
                    _ => now.clone(),
                },
            };
            if after.as_ref().map(|found| &found.bytes) == now.as_ref().map(|found| &found.bytes) && !is_of_package {
                continue;
            }
            let change = Change { before: keep(&now), after: keep(&after), base: keep(&base) };
            files.insert(path, change);
        }
        let soul_now = found(agent, &agent.soul_file())?;
        let soul_after = Some(Found { bytes: layout.soul, mode: None });
        let soul_change = Change { before: keep(&soul_now), after: keep(&soul_after), base: None };
        let record = Record {
            state: State::Using,
            package: package.name.clone(),
            version: self.row.version,
            scope: key.scope.clone(),
            agent: agent.name.clone(),
            at: keeper.now(),
            is_new_agent: self.is_new_agent,
            dialect: soul.dialect(),
            soul: soul_change,
            folders: missing_folders(
                agent,
                files.iter().filter(|(_, change)| change.after.is_some()).map(|(path, _)| path),
            ),
            files,
        };
        Ok((record, blobs, kept))
    }
}

/// Takes back what using the last package has changed.
pub(crate) fn restore(keeper: &Keeper, name: &AgentName, force: bool, author: Author) -> Result<Done, Error> {
    authoring::check_not_own(keeper, &authoring::Owner::Agent(name.clone()), &author.actor)?;
    let _packages = Packages::lock(keeper)?;
    heal_locked(keeper)?;
    let agent = keeper.agent(name)?;
    let key = agent.key().map_err(souls::Error::WorkspaceId)?;
    let shelf = Shelf::of(keeper.home().ok_or(Error::NoHome)?, &key);
    let mut kept = shelf.last()?.ok_or_else(|| Error::NothingInUse(name.clone()))?;
    let lock = authoring::lock(keeper, &agent)?;
    let mut stay = Vec::new();
    let mut changed = Vec::new();
    for (path, change) in &kept.record.files {
        if !same(&change.after, &found(&agent, path.as_str())?) {
            // What the agent has learnt since, and what the user wrote, is theirs.
            if is_own(path) { stay.push(path.to_string()) } else { changed.push(path.to_string()) }
        }
    }
    if !force && !changed.is_empty() {
        return Err(Error::ChangedSince(changed));
    }
    // What is discarded by force is what is there now.
    if force {
        for path in changed.iter().filter_map(|path| path.parse::<PackagePath>().ok()) {
            let now = found(&agent, path.as_str())?;
            if let Some(now) = &now {
                kept.add(&now.bytes)?;
            }
            if let Some(change) = kept.record.files.get_mut(&path) {
                change.after = now.map(|now| Blob::of(&now.bytes, now.mode));
            }
        }
    }
    let before = kept.record.soul.before.clone();
    let body = before.as_ref().map(|blob| kept.bytes(blob)).transpose()?;
    let (package, version, is_new) = (kept.record.package.clone(), kept.record.version, kept.record.is_new_agent);
    let dialect = kept.record.dialect.unwrap_or(Dialect::Plain);
    authoring::adopt_held(keeper, &agent, &key, &author.origin)?;
    kept.set(State::Restoring)?;
    let result = (|| {
        pass(keeper, PackageStep::Noted)?;
        let done = apply_files(keeper, &agent, &kept, Direction::Back)?;
        pass(keeper, PackageStep::Placed)?;
        let intent = body.map_or(Intent::Delete, Intent::Put);
        let reason: Option<NonBlank> = format!("restored as it was before {package} was used").try_into().ok();
        let change = authoring::Change {
            expected: expected(keeper, &agent, &key)?,
            dialect: Some(dialect),
            message: format!("restore what was before {package} {version}").try_into().ok(),
            force: reason,
            ..authoring::Change::new(intent, author)
        };
        let is_absent = matches!(change.intent, Intent::Delete) && found(&agent, &agent.soul_file())?.is_none();
        let applied = match is_absent {
            // It was deleted by hand.
            true => None,
            false => Some(authoring::apply_locked(keeper, &agent, &lock, change)?),
        };
        Ok((done, applied))
    })();
    match result {
        Ok((done, applied)) => {
            pass(keeper, PackageStep::Settled)?;
            end_restore(&agent, kept)?;
            let removed = done.removed;
            if is_new && agent.path.exists() {
                stay.extend(agent.directory.names().unwrap_or_default());
            }
            Ok(Done { applied, package, version, written: done.written, removed, kept: stay })
        }
        Err(error) => {
            finish(keeper, &agent, kept)?;
            Err(error)
        }
    }
}

/// Removes what the use had made, and the record.
fn end_restore(agent: &Agent, kept: Kept) -> Result<(), Error> {
    let mut folders: Vec<&String> = kept.record.folders.iter().collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
    for folder in folders {
        // One that somebody has put something into stays.
        let _ = std::fs::remove_dir(agent.path.join(folder));
    }
    remove_if_new(agent, kept.record.is_new_agent);
    kept.forget()
}

/// Ends what was cut off, before a command looks at an agent. Another process that is at it is not disturbed.
pub(crate) fn heal(keeper: &Keeper) {
    if !keeper.home().is_some_and(is_pending) {
        return;
    }
    // What cannot be ended now is ended later; whatever the command does has its own errors.
    if let Ok(_packages) = Packages::try_lock(keeper) {
        let _ = heal_locked(keeper);
    }
}

fn heal_locked(keeper: &Keeper) -> Result<(), Error> {
    let home = keeper.home().ok_or(Error::NoHome)?;
    let Some(kept) = Kept::pending(home)? else { return Ok(()) };
    let key = SoulKey {
        scope: kept.record.scope.clone(),
        kind: crate::workspace::Kind::Agent,
        name: kept.record.agent.as_str().to_owned(),
    };
    match keeper.agent_of(&key) {
        Ok(agent) => {
            let lock = authoring::lock(keeper, &agent)?;
            let ended = finish(keeper, &agent, kept);
            drop(lock);
            ended
        }
        // Its directory is gone, or was never made; there is nothing to end.
        Err(souls::Error::AgentNotFound(_)) => kept.forget(),
        Err(error) => Err(error.into()),
    }
}

/// Makes the files follow the soul.
fn finish(keeper: &Keeper, agent: &Agent, mut kept: Kept) -> Result<(), Error> {
    let key = agent.key().map_err(souls::Error::WorkspaceId)?;
    authoring::recover_held(keeper, agent, &key)?;
    let soul = found(agent, &agent.soul_file())?;
    let pinned = keeper.store()?.pinned_dialect(&key)?;
    let is_used = same(&kept.record.soul.after, &soul) && pinned == Some(Dialect::Soulspec);
    let is_restored =
        same(&kept.record.soul.before, &soul) && (soul.is_none() || pinned.is_none() || pinned == kept.record.dialect);
    match kept.record.state {
        State::Used => Ok(()),
        State::Restoring if is_restored => {
            apply_files(keeper, agent, &kept, Direction::Back)?;
            end_restore(agent, kept)
        }
        State::Using if !is_used => {
            apply_files(keeper, agent, &kept, Direction::Back)?;
            end_restore(agent, kept)
        }
        State::Using | State::Restoring => {
            apply_files(keeper, agent, &kept, Direction::Forward)?;
            kept.set(State::Used)
        }
    }
}

/// The digest of the soul as it is now, which is what is replaced.
fn expected(keeper: &Keeper, agent: &Agent, key: &SoulKey) -> Result<Option<ExpectedDigest>, Error> {
    if let Some(found) = found(agent, &agent.soul_file())? {
        return Ok(Some(ExpectedDigest::new(&RawDigest::of(&found.bytes).to_string())));
    }
    // A manifest without a soul is a soul too, by its own bytes.
    let chosen = keeper.chosen_without_caller(agent, keeper.store()?.pinned_dialect(key)?);
    let soul = agent.resolve(keeper, chosen, Text::Absent);
    Ok(soul.raw_digest.filter(|_| soul.is_present()).map(|digest| ExpectedDigest::new(&digest.to_string())))
}

fn pass(keeper: &Keeper, step: PackageStep) -> Result<(), Error> {
    keeper.pass(Step::Package(step)).map_err(|error| Error::Io("the package".to_owned(), error))
}

/// The texts of a package as they would be in the directory of a new agent, by their path.
pub(crate) fn starting_files(
    keeper: &Keeper,
    wanted: &PackageRange,
) -> Result<(PackageName, BTreeMap<String, String>), Error> {
    let package = super::find(keeper, wanted, super::Recency::Now)?.package;
    let report = package.scan();
    let mut problems = super::scan_problems(&report);
    problems.extend(package.errors().map(|error| error.message.clone()));
    if let Some(problem) = problems.into_iter().next() {
        return Err(Error::Refused(package.name, problem, report.findings));
    }
    let Layout { files, soul } = Layout::of(&package)?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
    let mut texts: BTreeMap<String, String> =
        files.into_iter().filter_map(|(path, placed)| Some((path.to_string(), text(placed.bytes)?))).collect();
    texts.insert(SOUL_FILE.to_owned(), text(soul).unwrap_or_default());
    Ok((package.name, texts))
}

/// The package that is in use for an agent, if one is.
pub(crate) fn in_use(keeper: &Keeper, agent: &Agent) -> Result<Option<(PackageName, super::Version)>, Error> {
    let Some(key) = agent.known_key().map_err(souls::Error::WorkspaceId)? else { return Ok(None) };
    let Some(home) = keeper.home() else { return Ok(None) };
    Ok(Shelf::of(home, &key).last()?.map(|kept| (kept.record.package, kept.record.version)))
}
