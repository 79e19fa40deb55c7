//! Using a package for an agent, and taking that back.
//!
//! The soul itself is changed by the one authoring service; the files beside it follow a record that is on disk before
//! the first of them is touched:
//!
//! note → files → soul → done
//!
//! The soul decides. If a process is cut off, the next caller looks whether the soul is the new one: then the files are
//! made to follow it, else they go back. The record is in the home of the keeper that uses the package, also where souls
//! are kept in a database.

mod healing;
mod layout;
mod place;
mod record;
mod restoring;
mod using;

use std::collections::BTreeMap;

use soul_core::digest::RawDigest;

pub(crate) use healing::heal;
use layout::Layout;
use place::Place;
use record::Shelf;
pub(crate) use restoring::restore;
pub(crate) use using::activate;

use super::lock::PackageStep;
use super::{Error, PackageName, PackageRange};
use crate::authoring::{Applied, Subject};
use crate::context::Progress;
use crate::fields::ExpectedDigest;
use crate::files::SOUL_FILE;
use crate::souls::{self, Text};
use crate::workspace::Agent;
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

/// The digest of the soul as it is now, which is what is replaced.
fn expected(place: &Place<'_>) -> Result<Option<ExpectedDigest>, Error> {
    if let Some(found) = place.soul()? {
        return Ok(Some(ExpectedDigest::new(&RawDigest::of(&found.bytes).to_string())));
    }
    // A manifest without a soul is a soul too, by its own bytes.
    let (keeper, agent) = (place.keeper, place.agent);
    let chosen = keeper.chosen_without_caller(agent, keeper.store()?.pinned_dialect(&place.key)?);
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
    progress: &dyn Progress,
) -> Result<(PackageName, BTreeMap<String, String>), Error> {
    let package = super::find(keeper, wanted, super::Recency::Now, progress)?.package;
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
