//! `soul.lock`: which packages are installed, where they came from, and what they must be.
//!
//! A change is noted in it before a file of a package is touched (`pending`), and again when it is done; so what was
//! cut off in between is completed or taken back by the next caller.

mod rows;

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

pub use rows::Locked;
pub(crate) use rows::{LOCAL, folder_of};
use rows::{Pending, read_rows, sort, write_rows};

use super::{Contents, Error, PackageName};
use crate::Keeper;
use crate::files::{self, Directory, PATIENCE};

/// The file in the home.
pub const LOCK_FILE: &str = "soul.lock";
/// The folder of the home with the files of packages.
const FOLDER: &str = "packages";

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
        check_unlinked(home, Path::new(FOLDER))?;
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

    pub(crate) fn rows(&self) -> &[Locked] {
        &self.rows
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
        check_unlinked(self.home, &row.folder())?;
        self.place(contents, row).inspect_err(|_| {
            // What has begun is taken back at once; if that fails too, the next caller does it.
            if let Ok(rows) = read_rows(self.keeper) {
                self.rows = rows;
                let _ = self.heal();
            }
        })
    }

    fn place(&mut self, contents: &Contents, row: Locked) -> Result<(), Error> {
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
        check_unlinked(self.home, &row.folder())?;
        let folder = self.home.join(row.folder());
        match std::fs::remove_dir_all(&folder) {
            // A file that is in the way of the folder is not ours.
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
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

/// Refuses a package whose folder would be that of another one where case does not count.
pub(crate) fn check_no_clash(rows: &[Locked], package: &PackageName) -> Result<(), Error> {
    match rows.iter().find(|row| row.package.clashes_with(package)) {
        Some(other) => Err(Error::Clash(other.package.to_string(), package.to_string())),
        None => Ok(()),
    }
}

/// Refuses a folder of packages that is a link, or below one: what is written there would be elsewhere.
fn check_unlinked(home: &Path, folder: &Path) -> Result<(), Error> {
    let is_link = |path: &&Path| home.join(path).symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let above: Vec<&Path> = folder.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
    match above.into_iter().rev().find(is_link) {
        Some(link) => Err(Error::LinkedFolder(shown(link))),
        None => Ok(()),
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

fn shown(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
