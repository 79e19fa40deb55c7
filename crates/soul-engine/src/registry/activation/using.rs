//! Using a package: what will change is prepared and noted, then the files change, then the soul.

use std::collections::{BTreeMap, BTreeSet};

use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::model::Dialect;

use super::super::lock::{Locked, PackageStep, Packages};
use super::super::{Error, Package, PackageName, PackagePath};
use super::healing::{finish, heal_locked};
use super::layout::{Layout, Placed, Rule, merged, without_part};
use super::place::{Direction, Found, Place, same};
use super::record::{Blob, Change, Record, Shelf, State};
use super::{Done, expected, pass};
use crate::Keeper;
use crate::authoring::{self, Intent, Lock, Subject};
use crate::caller::Author;
use crate::souls::{self, Text};
use crate::store::Message;
use crate::workspace::{Agent, AgentName};

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
    let row = packages.find(package).ok_or_else(|| Error::NotInstalled(package.clone()))?.clone();
    let package = read_whole(&packages, &row)?;
    let layout = Layout::of(&package)?;
    // Until the agent has a soul, its directory is marked as one that is being made.
    let (agent, creation) = match keeper.agent(name) {
        Err(souls::Error::AgentNotFound(name)) => authoring::create_agent(keeper, &name, None)?,
        found => (found?, None),
    };
    let is_new_agent = creation.is_some();
    let place = Place::of(keeper, &agent)?;
    let lock = authoring::lock(keeper, &agent).inspect_err(|_| place.remove_if_new(is_new_agent))?;
    let used = Using { keeper, agent: &agent, place, lock: &lock, package: &package, row: &row, is_new_agent };
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

/// What will change, the bytes of all of it by their names, and the files that stay.
type Prepared = (Record, BTreeMap<String, Vec<u8>>, Vec<String>);

struct Using<'a> {
    keeper: &'a Keeper,
    agent: &'a Agent,
    place: Place<'a>,
    lock: &'a Lock,
    package: &'a Package,
    row: &'a Locked,
    is_new_agent: bool,
}

impl Using<'_> {
    fn run(&self, layout: Layout, message: Option<Message>, author: Author) -> Result<Done, Error> {
        let Self { keeper, agent, ref place, package, .. } = *self;
        let shelf = Shelf::of(keeper.home().ok_or(Error::NoHome)?, &place.key);
        let adopted = authoring::adopt_held(keeper, agent, &place.key, &author.origin).map_err(Error::from);
        let prepared = adopted.and_then(|()| self.prepare(&shelf, layout));
        let (record, blobs, kept) = prepared.inspect_err(|_| place.remove_if_new(self.is_new_agent))?;
        let soul = record.soul.clone();
        let mut noted = shelf.keep(record, &blobs)?;
        let result = (|| {
            pass(keeper, PackageStep::Noted)?;
            let changed = place.apply(&noted, Direction::Forward)?;
            pass(keeper, PackageStep::Placed)?;
            let message = match message {
                Some(message) => Some(message),
                None => format!("use {} {}", package.name, package.version).try_into().ok(),
            };
            let body = blobs.get(&soul.after.as_ref().map(|blob| blob.sha256.clone()).unwrap_or_default());
            let change = authoring::Change {
                expected: expected(place)?,
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
                finish(place, noted)?;
                Err(error)
            }
        }
    }

    /// What will change, with the bytes of all of it.
    fn prepare(&self, shelf: &Shelf, layout: Layout) -> Result<Prepared, Error> {
        let Self { keeper, agent, ref place, package, .. } = *self;
        // A soul that is invalid could not be brought back.
        let chosen = keeper.chosen_without_caller(agent, keeper.store()?.pinned_dialect(&place.key)?);
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
            let now = place.found(path.as_str())?;
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
        let soul_now = place.soul()?;
        let soul_after = Some(Found { bytes: layout.soul, mode: None });
        let soul_change = Change { before: keep(&soul_now), after: keep(&soul_after), base: None };
        let record = Record {
            state: State::Using,
            package: package.name.clone(),
            version: self.row.version,
            scope: place.key.scope.clone(),
            agent: agent.name.clone(),
            at: keeper.now(),
            is_new_agent: self.is_new_agent,
            dialect: soul.dialect(),
            soul: soul_change,
            folders: place
                .missing_folders(files.iter().filter(|(_, change)| change.after.is_some()).map(|(path, _)| path)),
            files,
        };
        Ok((record, blobs, kept))
    }
}
