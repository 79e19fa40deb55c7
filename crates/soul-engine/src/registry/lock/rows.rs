//! The rows of `soul.lock`, and how they are read and written.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::super::{Error, Key, PackageName, Version};
use super::{FOLDER, LOCK_FILE};
use crate::Keeper;
use crate::clock::Time;
use crate::files::{self, Directory};

/// A package that is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// The package.
    pub package: PackageName,
    /// Its version.
    pub version: Version,
    /// Where it came from: a registry as it is configured, or a path as it was given.
    pub source: String,
    /// The digest of the checksums of its files.
    pub digest: Digest,
    /// The key that signed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Key>,
    /// When it was installed.
    pub installed_at: Time,
    /// What is being done with it, if that has begun and not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub(crate) pending: Option<Pending>,
}

/// What is being done with a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pending {
    Install,
    Remove,
}

impl Locked {
    /// Whether a registry has it, so that it can be updated.
    #[must_use]
    pub fn is_of_registry(&self) -> bool {
        !self.source.starts_with(LOCAL)
    }

    /// Its folder, from the home.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        folder_of(&self.package, self.version)
    }
}

/// What the source of a package begins with that came from a path.
pub(crate) const LOCAL: &str = "path:";

/// Where a version of a package is, from the home.
pub(crate) fn folder_of(package: &PackageName, version: Version) -> PathBuf {
    Path::new(FOLDER).join(package.owner()).join(package.name()).join(version.to_string())
}

/// `soul.lock` as it was read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    version: u32,
    #[serde(default, rename = "package")]
    packages: Vec<Locked>,
}

pub(super) fn read_rows(keeper: &Keeper) -> Result<Vec<Locked>, Error> {
    let home = keeper.home().ok_or(Error::NoHome)?;
    let bytes = match Directory::open(home).and_then(|home| home.read(LOCK_FILE)) {
        Ok(bytes) => bytes,
        Err(files::Error::NotFound) => return Ok(Vec::new()),
        Err(error) => return Err(Error::BadLock(error.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|error| Error::BadLock(error.to_string()))?;
    let table: Table = toml::from_str(&text).map_err(|error| Error::BadLock(error.message().to_owned()))?;
    if table.version != 1 {
        return Err(Error::BadLock(format!("it has version {}, and this program reads version 1", table.version)));
    }
    Ok(table.packages)
}

pub(super) fn sort(rows: &mut [Locked]) {
    rows.sort_by(|a, b| (&a.package, a.version).cmp(&(&b.package, b.version)));
}

pub(super) fn write_rows(home: &Path, rows: &[Locked]) -> Result<(), Error> {
    let mut text = "# Which packages are installed. Written by `soul install`; do not edit.\nversion = 1\n".to_owned();
    for row in rows {
        let Locked { package, version, source, digest, signature, installed_at, pending } = row;
        text.push_str(&format!("\n[[package]]\npackage = \"{package}\"\nversion = \"{version}\"\n"));
        text.push_str(&format!("source = {}\ndigest = \"{digest}\"\n", toml_text(source)));
        if let Some(signature) = signature {
            text.push_str(&format!("signature = \"{signature}\"\n"));
        }
        text.push_str(&format!("installed_at = \"{installed_at}\"\n"));
        if let Some(pending) = pending {
            let word = if *pending == Pending::Install { "install" } else { "remove" };
            text.push_str(&format!("pending = \"{word}\"\n"));
        }
    }
    files::replace(&home.join(LOCK_FILE), text.as_bytes()).map_err(|error| Error::Io(LOCK_FILE.to_owned(), error))
}

/// A text as TOML writes it. JSON escapes all that TOML must have escaped, and in the same way.
fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
