//! Where packages come from: the registries that are configured, a folder, or an archive.

use std::path::Path;

use soul_core::formats::soulspec::Profile;

use super::archive::{self, MAX_ARCHIVE};
use super::git::Repository;
use super::lock::LOCAL;
use super::tree::{Place, SOULS, Tree};
use super::{Contents, Error, Package, PackageRange};
use crate::Keeper;
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
}

/// The registries that are configured, in their order.
pub(crate) fn registries(keeper: &Keeper, recency: Recency) -> impl Iterator<Item = Result<(String, Tree), Error>> {
    keeper.settings.registry.sources.iter().map(move |source| Ok((source.to_string(), tree(keeper, source, recency)?)))
}

/// The files of a registry.
pub(crate) fn tree(keeper: &Keeper, source: &RegistrySource, recency: Recency) -> Result<Tree, Error> {
    match source {
        RegistrySource::Starter => Ok(Tree::Starter),
        RegistrySource::Folder(text, folder) => folder_tree(text, folder),
        RegistrySource::Git(remote) => {
            let cache = keeper.home().ok_or(Error::NoHome)?.join("cache/registries");
            let repository = Repository::cached(&cache, remote, recency == Recency::Now)?;
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

/// A package of the registries that are configured: that of the first one that has it.
pub(crate) fn find(keeper: &Keeper, wanted: &PackageRange, recency: Recency) -> Result<Sourced, Error> {
    let place = Place { owner: wanted.package.owner().to_owned(), name: wanted.package.name().to_owned() };
    for registry in registries(keeper, recency) {
        let (source, tree) = registry?;
        let Some(contents) = tree.contents(&place)? else { continue };
        let package = Package::read(contents, Some(&place.owner), Profile::Lenient)?;
        if package.name != wanted.package {
            let message = format!("{} is in the folder of {}", package.name, wanted.package);
            return Err(Error::BadField("name", message));
        }
        if let Some(range) = wanted.range.as_ref().filter(|range| !range.contains(package.version)) {
            let (package, version) = (package.name, package.version);
            return Err(Error::NotInRange { package, version, range: range.to_string() });
        }
        return Ok(Sourced { package, source });
    }
    Err(Error::NotFound(wanted.package.clone()))
}

/// The package in a folder or an archive.
pub(crate) fn local(path: &Path) -> Result<Sourced, Error> {
    let package = Package::read(contents(path)?, None, Profile::Lenient)?;
    let name = path.file_name().map(|name| soul_core::text::visible(&name.to_string_lossy())).unwrap_or_default();
    Ok(Sourced { package, source: format!("{LOCAL}{name}") })
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
