//! What people find in a home that has nothing: the default soul of the library, and one agent to look at.

use std::path::Path;

use crate::Keeper;
use crate::authoring::{self, Change, Intent};
use crate::caller::{Author, Caller};
use crate::files;
use crate::library::{self, member, member::Member};
use crate::souls::built_in::{DEFAULT_SOUL, GUIDE};
use crate::store::Party;
use crate::workspace::{AgentName, Kind, SoulId};

/// Says that a library has been seeded once, so that a soul which was deleted does not come back.
const MARKER: &str = ".examples-created";

const MARKER_TEXT: &str =
    "# This library was given its first soul.\n# Delete this file and every soul to have that done again.\n";

/// The name by which what is seeded is recorded.
const OPERATION: &str = "seed";

/// The caller that seeds.
fn author() -> Author {
    Caller::local(Party::new("system", "soul"), OPERATION).author(OPERATION)
}

/// Makes the default soul of the library, if that is empty, and one agent, if the home has neither agents nor
/// a record of any. Returns that agent.
///
/// # Errors
/// When the home cannot be written.
pub fn home(keeper: &Keeper) -> Result<Option<AgentName>, library::Error> {
    let Some(home) = &keeper.roots.home else { return Ok(None) };
    let souls = keeper.existing_store()?.map(|store| store.souls()).transpose()?.unwrap_or_default();
    let is_known = home.join("agents").exists() || souls.iter().any(|key| key.kind == Kind::Agent);
    library(keeper)?;
    if is_known {
        return Ok(None);
    }
    let Ok(guide) = "guide".parse::<AgentName>() else { return Ok(None) };
    let only_home = keeper.without_workspace();
    let change = Change::new(Intent::Put(GUIDE.as_bytes().to_vec()), author());
    match authoring::put(&only_home, &guide, true, change) {
        // Another keeper of the same database was faster.
        Err(authoring::Error::Conflict { .. }) if keeper.has_remote_store() => Ok(None),
        seeded => seeded.map(|_| Some(guide)).map_err(Into::into),
    }
}

/// Puts the default soul into a library that was never begun: one without the marker and without a single
/// `.md` file. Returns whether it did.
pub(crate) fn library(keeper: &Keeper) -> Result<bool, library::Error> {
    keeper.check_home()?;
    let path = keeper.library_path()?;
    if is_begun(&path) {
        return Ok(false);
    }
    let member = Member::make(keeper, SoulId::default_soul())?;
    let lock = member.lock(keeper)?;
    // Another may have done it while we waited.
    if is_begun(&path) {
        return Ok(false);
    }
    let now = member.now(keeper);
    member.apply(keeper, &lock, &now, Change::new(Intent::Put(DEFAULT_SOUL.as_bytes().to_vec()), author()))?;
    if let Some(texts) = keeper.texts()? {
        let key = member::key(keeper, &SoulId::default_soul());
        texts.replace_text(&key, MARKER, None, Some(MARKER_TEXT.as_bytes()), keeper.now())?;
        return Ok(true);
    }
    files::replace(&path.join(MARKER), MARKER_TEXT.as_bytes())
        .map_err(|error| keeper.library_unusable(files::Error::Io(error)))?;
    Ok(true)
}

/// The same for an operation that only reads: where nothing can be written, an empty library is empty.
pub(crate) fn library_if_possible(keeper: &Keeper) {
    let _ = library(keeper);
}

fn is_begun(path: &Path) -> bool {
    let entries = || std::fs::read_dir(path).into_iter().flatten().flatten();
    let is_soul = |entry: std::fs::DirEntry| {
        let named = entry.file_name().as_encoded_bytes().ends_with(b".md");
        named && entry.file_type().is_ok_and(|kind| !kind.is_dir())
    };
    path.join(MARKER).symlink_metadata().is_ok() || entries().any(is_soul)
}
