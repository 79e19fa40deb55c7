//! Listing a tree on all cores, and which of its files are souls.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use soul_core::formats::soulspec::MANIFESTS;

use super::{PERSONA_FILE, folder_of, is_soul_file, is_staging};

/// Folders that are never listed: they hold files of other people.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// What of a tree is listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Walk<'a> {
    /// Whether `.gitignore` and its kin are obeyed.
    pub ignore: bool,
    /// Globs of files and folders to leave out, relative to the working directory.
    pub exclude: &'a [String],
}

/// The files of a tree.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the order of their paths. Links are among them and not followed; a folder named SOUL.md is a soul gone wrong
    /// and is listed as one.
    pub files: Vec<PathBuf>,
    /// Folders that could not be listed.
    pub unlistable: Vec<(PathBuf, io::Error)>,
}

/// A glob that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a glob: {1}")]
pub struct BadGlob(String, String);

impl From<BadGlob> for super::Error {
    fn from(error: BadGlob) -> Self {
        Self::Io(io::Error::new(io::ErrorKind::InvalidInput, error))
    }
}

impl Walk<'_> {
    /// Lists the files below a folder. `.git`, `node_modules` and Cargo's `target` are skipped.
    ///
    /// # Errors
    /// When a glob cannot be used.
    pub fn list(&self, root: &Path) -> Result<Listing, BadGlob> {
        let mut builder = WalkBuilder::new(root);
        builder.standard_filters(self.ignore).hidden(false).require_git(false);
        builder.threads(cores()).filter_entry(|entry| !is_skipped(entry)).overrides(self.overrides(root)?);
        let listing: Mutex<Listing> = Mutex::default();
        builder.build_parallel().run(|| {
            Box::new(|entry| {
                let (keep, next) = match &entry {
                    Err(_) => (true, WalkState::Continue),
                    Ok(entry) if entry.depth() == 0 => (false, WalkState::Continue),
                    Ok(entry) if !entry.file_type().is_some_and(|kind| kind.is_dir()) => (true, WalkState::Continue),
                    Ok(entry) if entry.file_name().to_str().is_some_and(is_soul_file) => (true, WalkState::Skip),
                    Ok(_) => (false, WalkState::Continue),
                };
                if keep {
                    let mut listing = listing.lock().unwrap_or_else(PoisonError::into_inner);
                    match entry {
                        Ok(entry) => listing.files.push(entry.into_path()),
                        Err(error) => listing.unlistable.extend(unlistable(error, root)),
                    }
                }
                next
            })
        });
        let mut listing = listing.into_inner().unwrap_or_else(PoisonError::into_inner);
        listing.files.sort();
        listing.unlistable.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(listing)
    }

    /// Refuses globs that cannot be used.
    pub(crate) fn check(&self) -> Result<(), BadGlob> {
        self.overrides(Path::new("")).map(|_| ())
    }

    fn overrides(&self, root: &Path) -> Result<Override, BadGlob> {
        let here = || std::env::current_dir().unwrap_or_default();
        let mut builder = OverrideBuilder::new(if root.is_absolute() { here() } else { PathBuf::new() });
        let bad = |glob: &str, error: &ignore::Error| BadGlob(glob.to_owned(), error.to_string());
        for glob in self.exclude {
            builder.add(&format!("!{}", glob.trim_start_matches("./"))).map_err(|error| bad(glob, &error))?;
        }
        builder.build().map_err(|error| bad(&self.exclude.join(" "), &error))
    }
}

/// The folder that an error is about. One in an ignore file is not about a folder: that file counts for as much as can
/// be read of it.
fn unlistable(error: ignore::Error, root: &Path) -> Option<(PathBuf, io::Error)> {
    fn path(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path(err),
            _ => None,
        }
    }
    let folder = path(&error).unwrap_or(root).to_path_buf();
    Some((folder, error.into_io_error()?))
}

fn is_skipped(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    entry.depth() > 0
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && (SKIPPED.iter().any(|skipped| name == *skipped) || is_staging(name) || is_build_folder(entry.path()))
}

/// Whether a folder is one that Cargo builds in. An agent may be called `target` too.
fn is_build_folder(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "target")
        && (folder.join("CACHEDIR.TAG").is_file() || folder.with_file_name("Cargo.toml").is_file())
}

/// The souls among the files of a tree, in the same order: each package by its manifest, each other `SOUL.md` or
/// persona, and each Markdown file of a `souls` folder.
#[must_use]
pub fn souls_of(files: &[PathBuf]) -> Vec<&Path> {
    let is_manifest = |path: &&PathBuf| MANIFESTS.iter().any(|manifest| path.file_name() == Some(OsStr::new(manifest)));
    let packages: BTreeSet<&Path> = files.iter().filter(is_manifest).map(|path| folder_of(path)).collect();
    // Souls inside of a package are its own affair.
    let packaged = |path: &Path| path.ancestors().skip(1).any(|folder| packages.contains(folder));
    let has_soul: BTreeSet<&Path> =
        files.iter().filter(|path| is_named(path, is_soul_file)).map(|path| folder_of(path)).collect();
    let is_soul = |path: &&Path| {
        let folder = folder_of(path);
        match path.file_name().and_then(OsStr::to_str) {
            Some(name) if MANIFESTS.contains(&name) => {
                let first = MANIFESTS.iter().find(|manifest| files.binary_search(&folder.join(manifest)).is_ok());
                first == Some(&name) && !packaged(folder)
            }
            _ if packaged(path) => false,
            Some(name) if is_soul_file(name) => true,
            Some(PERSONA_FILE) => !has_soul.contains(folder),
            _ => is_library(folder) && path.extension().is_some_and(|extension| extension == "md"),
        }
    };
    files.iter().map(PathBuf::as_path).filter(is_soul).collect()
}

pub(crate) fn is_named(path: &Path, test: impl Fn(&str) -> bool) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(test)
}

/// Whether a folder is a library of souls.
pub(crate) fn is_library(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "souls")
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the same with each of many things, on all cores. The results are in the order of the things.
pub(crate) fn on_all_cores<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, work) = (AtomicUsize::new(0), &work);
    let worker = || {
        let mut done = Vec::new();
        while let Some((at, thing)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, things.get(at)?)))
        {
            done.push((at, work(thing)));
        }
        done
    };
    let mut all = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..cores().min(things.len())).map(|_| scope.spawn(worker)).collect();
        let mut all = worker();
        for other in workers {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Whether a folder can be listed.
///
/// # Errors
/// When it cannot.
pub(crate) fn check_listable(folder: &Path) -> io::Result<()> {
    fs::read_dir(folder).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for path in paths {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    fn names(root: &Path, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Vec<String> {
        paths.into_iter().map(|path| path.as_ref().strip_prefix(root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn finds_agents_and_libraries_and_nothing_else() {
        let root = tree(&[
            "a/SOUL.md",
            "c/Soul.md",
            "c/persona.json",
            "d/persona.json",
            ".soul/agents/b/SOUL.md",
            ".soul/agents/target/SOUL.md",
            "p/soul.json",
            "p/SOUL.md",
            "p/examples/SOUL.md",
            "souls/x.md",
            "souls/y.txt",
            "docs/z.md",
            ".git/SOUL.md",
            "target/SOUL.md",
            "target/CACHEDIR.TAG",
            ".a.soul-staging/SOUL.md",
            "souls/deep/w.md",
        ]);
        let listing = Walk::default().list(root.path()).unwrap();
        assert_eq!(
            names(root.path(), souls_of(&listing.files)),
            [
                ".soul/agents/b/SOUL.md",
                ".soul/agents/target/SOUL.md",
                "a/SOUL.md",
                "c/Soul.md",
                "d/persona.json",
                "p/soul.json",
                "souls/x.md"
            ]
        );
    }

    #[test]
    fn what_is_ignored_or_excluded_is_not_listed() {
        let root = tree(&["a/SOUL.md", "b/SOUL.md", "c/SOUL.md", ".hidden/SOUL.md"]);
        fs::write(root.path().join(".gitignore"), "b/\n").unwrap();
        let list =
            |ignore, exclude: &[String]| names(root.path(), Walk { ignore, exclude }.list(root.path()).unwrap().files);
        assert_eq!(list(true, &[]), [".gitignore", ".hidden/SOUL.md", "a/SOUL.md", "c/SOUL.md"]);
        assert_eq!(list(false, &["**/c".to_owned(), ".gitignore".to_owned()]).len(), 3);
        assert!(Walk { ignore: true, exclude: &["{".to_owned()] }.list(root.path()).is_err());
    }

    #[test]
    fn results_are_in_the_order_of_the_things() {
        let things: Vec<usize> = (0..1000).collect();
        assert_eq!(on_all_cores(&things, |thing| thing * 2), (0..1000).map(|thing| thing * 2).collect::<Vec<_>>());
        assert_eq!(on_all_cores(&[] as &[u8], |thing| *thing), Vec::<u8>::new());
    }
}
