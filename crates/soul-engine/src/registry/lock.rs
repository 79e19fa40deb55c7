//! `soul.lock`: which packages are installed, where they came from, and what they must be.
//!
//! A change is noted in it before a file of a package is touched (`pending`), and again when it is done; so what was
//! cut off in between is completed or taken back by the next caller.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::{Contents, Error, Key, PackageName, Version};
use crate::Keeper;
use crate::clock::Time;
use crate::files::{self, Directory, PATIENCE};

/// The file in the home.
pub const LOCK_FILE: &str = "soul.lock";
/// The folder of the home with the files of packages.
const FOLDER: &str = "packages";

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

/// The packages of a home, for readers.
#[derive(Debug, Default)]
pub(crate) struct Installed(Vec<Locked>);

impl Installed {
    /// Reads `soul.lock`. What was cut off is ended first, unless another process is at it.
    pub(crate) fn read(keeper: &Keeper) -> Result<Self, Error> {
        let rows = read_rows(keeper)?;
        if rows.iter().all(|row| row.pending.is_none()) {
            return Ok(Self(rows));
        }
        match Packages::try_lock(keeper) {
            Ok(packages) => Ok(Self(packages.rows)),
            // Another process is at it, or nothing can be written: what was there before counts.
            Err(Error::Busy | Error::Io(..)) => Ok(Self(settled(rows))),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn rows(&self) -> &[Locked] {
        &self.0
    }

    pub(crate) fn find(&self, package: &PackageName) -> Option<&Locked> {
        self.0.iter().find(|row| row.package == *package)
    }
}

/// The rows as they were before what has begun and not ended.
fn settled(rows: Vec<Locked>) -> Vec<Locked> {
    let kept = rows.into_iter().filter(|row| row.pending != Some(Pending::Install));
    kept.map(|row| Locked { pending: None, ..row }).collect()
}

fn read_rows(keeper: &Keeper) -> Result<Vec<Locked>, Error> {
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

/// The packages of a home, for the one process that changes them.
pub(crate) struct Packages<'a> {
    keeper: &'a Keeper,
    home: &'a Path,
    rows: Vec<Locked>,
    #[expect(dead_code, reason = "held, not used")]
    lock: File,
}

impl<'a> Packages<'a> {
    /// Waits until no other process changes packages.
    pub(crate) fn lock(keeper: &'a Keeper) -> Result<Self, Error> {
        Self::lock_until(keeper, Some(Instant::now() + PATIENCE))
    }

    /// The same, if no other process changes packages now.
    pub(crate) fn try_lock(keeper: &'a Keeper) -> Result<Self, Error> {
        Self::lock_until(keeper, None)
    }

    fn lock_until(keeper: &'a Keeper, until: Option<Instant>) -> Result<Self, Error> {
        keeper.make_home()?;
        let home = keeper.home().ok_or(Error::NoHome)?;
        let io = |error| Error::Io(FOLDER.to_owned(), error);
        let folder = home.join(FOLDER);
        files::create_private(&folder).map_err(io)?;
        let lock = Directory::open(&folder).map_err(|error| Error::Unreadable(FOLDER.to_owned(), error))?;
        let lock = lock.handle().map_err(io)?;
        if !files::lock(&lock, until).map_err(io)? {
            return Err(Error::Busy);
        }
        let mut packages = Self { keeper, home, rows: read_rows(keeper)?, lock };
        packages.heal()?;
        Ok(packages)
    }

    pub(crate) fn find(&self, package: &PackageName) -> Option<&Locked> {
        self.rows.iter().find(|row| row.package == *package)
    }

    /// Ends what was cut off: a package whose files are all there is installed, any other is not.
    fn heal(&mut self) -> Result<(), Error> {
        if self.rows.iter().all(|row| row.pending.is_none()) {
            return Ok(());
        }
        let (pending, mut rows): (Vec<_>, Vec<_>) = self.rows.drain(..).partition(|row| row.pending.is_some());
        let mut gone = Vec::new();
        for row in pending {
            self.tidy(&row)?;
            let is_whole = || self.contents(&row).is_ok_and(|contents| contents.digest() == row.digest);
            match row.pending {
                Some(Pending::Install) if is_whole() => {
                    gone.extend(
                        rows.extract_if(.., |old| old.package == row.package).filter(|old| old.version != row.version),
                    );
                    rows.push(Locked { pending: None, ..row });
                }
                // A version that was to be replaced by itself is still on record.
                Some(Pending::Install) if rows.iter().any(|old| old.folder() == row.folder()) => {}
                _ => gone.push(row),
            }
        }
        self.rows = rows;
        gone.iter().try_for_each(|row| self.remove_files(row))?;
        self.write()
    }

    /// Ends a placement that was cut off: the old files or the new ones are in place, and nothing is beside them.
    fn tidy(&self, row: &Locked) -> Result<(), Error> {
        let place = self.home.join(row.folder());
        if !files::folder_of(&place).is_dir() {
            return Ok(());
        }
        let staged = files::StagedTree::begin(&place);
        staged.map(drop).map_err(|error| Error::Io(shown(&row.folder()), error))
    }

    /// Installs the files of a package in place of those of its other version, if there is one.
    pub(crate) fn install(&mut self, contents: &Contents, row: Locked) -> Result<(), Error> {
        let folder = row.folder();
        let io = |error| Error::Io(shown(&folder), error);
        let step = |step| self.keeper.pass(crate::Step::Package(step)).map_err(io);
        let mut rows = self.rows.clone();
        rows.push(Locked { pending: Some(Pending::Install), ..row.clone() });
        write_rows(self.home, &rows)?;
        step(PackageStep::Noted)?;
        let place = self.home.join(&folder);
        files::create_private(files::folder_of(&place)).map_err(io)?;
        let mut staged = files::StagedTree::begin(&place).map_err(io)?;
        for (path, bytes) in contents.files() {
            staged.write(path, bytes).map_err(io)?;
        }
        staged.write(super::SUMS_FILE, contents.sums().as_bytes()).map_err(io)?;
        if let Some(signature) = contents.signature() {
            staged.write(super::SIGNATURE_FILE, signature.as_bytes()).map_err(io)?;
        }
        step(PackageStep::Staged)?;
        staged.swap().map_err(io)?.sync().map_err(io)?;
        step(PackageStep::Placed)?;
        let old: Vec<_> = self.rows.extract_if(.., |old| old.package == row.package).collect();
        self.rows.push(row.clone());
        let replaced: Vec<_> = old.into_iter().filter(|old| old.version != row.version).collect();
        // The files of the other version go last, and what is left of them is found again by its row.
        let leaving = replaced.iter().map(|old| Locked { pending: Some(Pending::Remove), ..old.clone() });
        let mut rows: Vec<_> = self.rows.iter().cloned().chain(leaving).collect();
        sort(&mut rows);
        write_rows(self.home, &rows)?;
        let step = |step| self.keeper.pass(crate::Step::Package(step)).map_err(io);
        step(PackageStep::Settled)?;
        if replaced.is_empty() {
            return Ok(());
        }
        replaced.iter().try_for_each(|old| self.remove_files(old))?;
        self.write()
    }

    /// Removes a package.
    pub(crate) fn remove(&mut self, package: &PackageName) -> Result<Locked, Error> {
        let at = self.rows.iter().position(|row| row.package == *package);
        let at = at.ok_or_else(|| Error::NotInstalled(package.clone()))?;
        self.rows[at].pending = Some(Pending::Remove);
        self.write()?;
        let io = |error| Error::Io(FOLDER.to_owned(), error);
        self.keeper.pass(crate::Step::Package(PackageStep::Noted)).map_err(io)?;
        let row = self.rows.remove(at);
        self.remove_files(&row)?;
        self.keeper.pass(crate::Step::Package(PackageStep::Placed)).map_err(io)?;
        self.write()?;
        Ok(Locked { pending: None, ..row })
    }

    /// The files of a package that is installed.
    pub(crate) fn contents(&self, row: &Locked) -> Result<Contents, Error> {
        read_installed(self.home, row)
    }

    fn remove_files(&self, row: &Locked) -> Result<(), Error> {
        let folder = self.home.join(row.folder());
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::Io(shown(&row.folder()), error));
            }
            _ => {}
        }
        // The folders above go with their last version.
        let _ = folder.parent().map(std::fs::remove_dir);
        let _ = folder.parent().and_then(Path::parent).map(std::fs::remove_dir);
        Ok(())
    }

    fn write(&mut self) -> Result<(), Error> {
        sort(&mut self.rows);
        write_rows(self.home, &self.rows)
    }
}

/// The files of a package that is installed, whatever they are now.
pub(crate) fn read_installed(home: &Path, row: &Locked) -> Result<Contents, Error> {
    let unreadable = |error| Error::Unreadable(shown(&row.folder()), error);
    let directory = Directory::open(home).and_then(|home| home.directory(row.folder())).map_err(unreadable)?;
    Contents::read_directory(&directory, &shown(&row.folder()))
}

/// The points between the steps of installing, using and restoring packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageStep {
    /// What is to be done is on disk.
    Noted,
    /// The new files are on disk, beside their place.
    Staged,
    /// The files are in place.
    Placed,
    /// What was done is on disk.
    Settled,
    /// So many files of an agent have changed.
    File(usize),
}

fn sort(rows: &mut [Locked]) {
    rows.sort_by(|a, b| (&a.package, a.version).cmp(&(&b.package, b.version)));
}

fn shown(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn write_rows(home: &Path, rows: &[Locked]) -> Result<(), Error> {
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
