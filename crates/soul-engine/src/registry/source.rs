//! Where packages come from: the registries that are configured, a folder, or an archive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use soul_core::formats::soulspec::Profile;

use super::archive::{self, MAX_ARCHIVE};
use super::git::Repository;
use super::lock::LOCAL;
use super::tree::{Place, SOULS, Tree};
use super::{Contents, Error, Package, PackageRange, Range, Version};
use crate::Keeper;
use crate::context::Progress;
use crate::files::Directory;
use crate::settings::RegistrySource;

/// How recent a registry elsewhere must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recency {
    /// As it was last fetched will do.
    Cached,
    /// As it is now.
    Now,
}

/// A package, and where it came from.
pub(crate) struct Sourced {
    pub(crate) package: Package,
    /// As it goes into `soul.lock`.
    pub(crate) source: String,
    /// What the registry has now, if this is an earlier version.
    pub(crate) latest: Option<Package>,
}

/// The registries that are configured, in their order.
pub(crate) fn registries(
    keeper: &Keeper,
    recency: Recency,
    progress: &dyn Progress,
) -> impl Iterator<Item = Result<(String, Tree), Error>> {
    let sources = keeper.settings.registry.sources.iter();
    sources.map(move |source| Ok((source.to_string(), tree(keeper, source, recency, progress)?)))
}

/// The files of a registry.
pub(crate) fn tree(
    keeper: &Keeper,
    source: &RegistrySource,
    recency: Recency,
    progress: &dyn Progress,
) -> Result<Tree, Error> {
    match source {
        RegistrySource::Starter => Ok(Tree::Starter),
        RegistrySource::Folder(text, folder) => folder_tree(text, folder),
        RegistrySource::Git(remote) => {
            let repository = Repository::cached(&cache(keeper)?, remote, recency == Recency::Now, progress)?;
            let empty = || Error::NotARegistry(remote.to_string(), "it has no commit".to_owned());
            let head = repository.head()?.ok_or_else(empty)?;
            Ok(Tree::Commit(repository, head))
        }
    }
}

/// The files of a registry on this machine: of a folder as they are, of a bare repository at its main branch.
pub(crate) fn folder_tree(text: &str, folder: &Path) -> Result<Tree, Error> {
    let shown = || soul_core::text::visible(text);
    if folder.join(SOULS).is_dir() {
        return Ok(Tree::Folder(folder.to_path_buf()));
    }
    if !folder.is_dir() {
        return Err(Error::NotARegistry(shown(), "there is no such folder".to_owned()));
    }
    if !folder.join(".git").exists()
        && let Some(repository) = Repository::open(folder)?
    {
        let empty = || Error::NotARegistry(shown(), "it has no commit".to_owned());
        let head = repository.head()?.ok_or_else(empty)?;
        return Ok(Tree::Commit(repository, head));
    }
    Err(Error::NotARegistry(shown(), format!("it has no folder `{SOULS}`")))
}

/// Refuses what is not a registry with its files on disk.
pub(crate) fn folder_with_files(folder: &Path) -> Result<(), Error> {
    let shown = folder.to_string_lossy();
    match folder_tree(&shown, folder)? {
        Tree::Folder(_) => Ok(()),
        Tree::Commit(..) | Tree::Starter => {
            let why = "it is a bare repository; clone it, and name the folder of the clone";
            Err(Error::NotARegistry(soul_core::text::visible(&shown), why.to_owned()))
        }
    }
}

/// The folder with the clones of registries elsewhere.
pub(crate) fn cache(keeper: &Keeper) -> Result<PathBuf, Error> {
    Ok(keeper.home().ok_or(Error::NoHome)?.join("cache/registries"))
}

/// A package of the registries that are configured: that of the first one that has it, in the highest version that is
/// wanted. What a registry no longer has is not found in its history either.
pub(crate) fn find(
    keeper: &Keeper,
    wanted: &PackageRange,
    recency: Recency,
    progress: &dyn Progress,
) -> Result<Sourced, Error> {
    let place = Place { owner: wanted.package.owner().to_owned(), name: wanted.package.name().to_owned() };
    for registry in registries(keeper, recency, progress) {
        let (source, tree) = registry?;
        let Some(now) = package_at(&tree, &place)? else { continue };
        return match &wanted.range {
            Some(range) if !range.contains(now.version) => {
                let package = earlier(&tree, &place, range, &now)?;
                Ok(Sourced { package, source, latest: Some(now) })
            }
            _ => Ok(Sourced { package: now, source, latest: None }),
        };
    }
    Err(Error::NotFound(wanted.package.clone()))
}

fn package_at(tree: &Tree, place: &Place) -> Result<Option<Package>, Error> {
    let Some(contents) = tree.contents(place)? else { return Ok(None) };
    let package = Package::read(contents, Some(&place.owner), Profile::Lenient)?;
    if package.name.name() != place.name {
        let message = format!("{} is in the folder of {}/{}", package.name, place.owner, place.name);
        return Err(Error::BadField("name", message));
    }
    Ok(Some(package))
}

/// The highest version in a range that the registry had before.
fn earlier(tree: &Tree, place: &Place, range: &Range, now: &Package) -> Result<Package, Error> {
    let versions = tree.versions(place)?;
    let missing = || {
        let mut versions: BTreeSet<Version> = versions.iter().map(|(version, _)| *version).collect();
        versions.insert(now.version);
        let versions = versions.into_iter().rev().collect();
        Error::NotInRange { package: now.name.clone(), range: range.to_string(), versions }
    };
    let (_, tree) = versions.iter().find(|(version, _)| range.contains(*version)).ok_or_else(missing)?;
    package_at(tree, place)?.ok_or_else(missing)
}

/// The package in a folder or an archive.
pub(crate) fn local(path: &Path) -> Result<Sourced, Error> {
    let package = Package::read(contents(path)?, None, Profile::Lenient)?;
    let name = path.file_name().map(|name| soul_core::text::visible(&name.to_string_lossy())).unwrap_or_default();
    Ok(Sourced { package, source: format!("{LOCAL}{name}"), latest: None })
}

/// The files of a folder or an archive.
pub(crate) fn contents(path: &Path) -> Result<Contents, Error> {
    if path.is_dir() {
        return Contents::read_folder(path);
    }
    let shown = || soul_core::text::visible(&path.to_string_lossy());
    let unreadable = |error| Error::Unreadable(shown(), error);
    let directory = Directory::open(crate::files::folder_of(path)).map_err(unreadable)?;
    let name = path.file_name().ok_or(Error::NoPath)?;
    let bytes = match directory.read_within(name, MAX_ARCHIVE) {
        Err(crate::files::Error::TooLarge) => return Err(Error::TooLarge),
        read => read.map_err(unreadable)?,
    };
    archive::read(&bytes)
}
