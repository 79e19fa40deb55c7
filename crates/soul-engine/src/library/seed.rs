//! The soul that a new library begins with.

use super::SoulId;
use super::member::Member;
use crate::Keeper;
use crate::authoring::Intent;
use crate::files;
use crate::ops::Error as OpError;
use crate::ops::payload::{Asker, Authorship};

/// The soul that a new library begins with, and that is taken where there is no library.
pub(crate) const TEXT: &str = include_str!("default.md");

/// Says that a library has been begun once, so that a soul which was deleted does not come back.
const MARKER: &str = ".examples-created";

const MARKER_TEXT: &str =
    "# This library was given its first soul.\n# Delete this file and every soul to have that done again.\n";

/// Puts the default soul into a library that was never begun: one without the marker and without a
/// single `.md` file. Returns whether it did.
pub(crate) fn seed(keeper: &Keeper, asker: Asker) -> Result<bool, OpError> {
    let path = keeper.library_path()?;
    if is_begun(&path) {
        return Ok(false);
    }
    let member = Member::make(keeper, SoulId::DEFAULT.parse()?)?;
    let lock = member.hold(keeper)?;
    // Another may have done it while we waited.
    if is_begun(&path) {
        return Ok(false);
    }
    let now = member.now(keeper);
    member.apply(keeper, &lock, &now, Intent::Put(TEXT.as_bytes().to_vec()), Authorship::plain(asker))?;
    files::replace(&path.join(MARKER), MARKER_TEXT.as_bytes())
        .map_err(|error| keeper.library_unusable(&files::plain(&error)))?;
    Ok(true)
}

fn is_begun(path: &std::path::Path) -> bool {
    let entries = || std::fs::read_dir(path).into_iter().flatten().flatten();
    let is_soul = |entry: std::fs::DirEntry| {
        let named = entry.file_name().as_encoded_bytes().ends_with(b".md");
        named && entry.file_type().is_ok_and(|kind| !kind.is_dir())
    };
    path.join(MARKER).symlink_metadata().is_ok() || entries().any(is_soul)
}
