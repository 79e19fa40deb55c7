//! A registry's files, wherever they are: in a folder, at a commit, or in this program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use soul_core::formats::soulspec::MANIFESTS;

use super::git::{Blob, Repository};
use super::name::{is_name, is_owner};
use super::{Contents, Error, MAX_MANIFEST, Version, starter};
use crate::files::{self, Directory, on_all_cores};

/// The folder of a registry with its packages, and the file with its index.
pub(crate) const SOULS: &str = "souls";
pub(crate) const INDEX_FILE: &str = "index.json";
/// The manifest of a package that is listed.
const MANIFEST: &str = "soul.json";

/// The largest index that is read.
const MAX_INDEX: u64 = 64 << 20;

/// The files of a registry.
pub(crate) enum Tree {
    /// The registry that comes with this program.
    Starter,
    Folder(PathBuf),
    Commit(Repository, String),
}

/// A folder of packages: `souls/OWNER/NAME`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) owner: String,
    pub(crate) name: String,
}

impl Place {
    pub(crate) fn path(&self) -> String {
        format!("{SOULS}/{}/{}", self.owner, self.name)
    }
}

/// What can be said of a package without reading all of it.
pub(crate) struct Outline {
    /// Its soul.json, if it has one.
    pub(crate) manifest: Option<Vec<u8>>,
    /// The names of the files beside it.
    pub(crate) files: BTreeSet<String>,
}

impl Tree {
    /// Every package, in order, and what looks like one and cannot be.
    pub(crate) fn places(&self) -> Result<(Vec<Place>, Vec<String>), Error> {
        let (mut pairs, links) = match self {
            Self::Starter => (pairs(starter::FILES.iter().map(|(path, _)| *path)), Vec::new()),
            Self::Commit(repository, commit) => {
                (pairs(repository.list(commit, SOULS)?.iter().map(|blob| blob.path.as_str())), Vec::new())
            }
            Self::Folder(folder) => folder_pairs(folder)?,
        };
        pairs.sort();
        pairs.dedup();
        let (good, bad): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(owner, name)| is_owner(owner) && is_name(name));
        let places = good.into_iter().map(|(owner, name)| Place { owner, name }).collect();
        let bad = bad.into_iter().map(|(owner, name)| format!("{SOULS}/{owner}/{name}")).chain(links);
        Ok((places, bad.map(|path| soul_core::text::visible(&path)).collect()))
    }

    /// The files of a package; `None` if there is no such folder.
    pub(crate) fn contents(&self, place: &Place) -> Result<Option<Contents>, Error> {
        let path = place.path();
        match self {
            Self::Folder(folder) => match opened(folder, place)? {
                Some(directory) => Contents::read_directory(&directory, &path).map(Some),
                None => Ok(None),
            },
            Self::Starter => {
                let prefix = format!("{path}/");
                let files = starter::FILES
                    .iter()
                    .filter_map(|(file, bytes)| Some((file.strip_prefix(&prefix)?, bytes.to_vec())));
                contents(files.map(|(file, bytes)| (file.to_owned(), bytes)).collect())
            }
            Self::Commit(repository, commit) => {
                let blobs = repository.list(commit, &format!("{path}/"))?;
                if let Some(other) = blobs.iter().find(|blob| !blob.is_file) {
                    return Err(Error::Link(soul_core::text::visible(&other.path)));
                }
                if blobs.len() > super::MAX_FILES {
                    return Err(Error::TooManyFiles);
                }
                if blobs.iter().map(|blob| blob.bytes).sum::<u64>() > super::MAX_BYTES as u64 {
                    return Err(Error::TooLarge);
                }
                let bytes = repository.read(&blobs)?;
                let names =
                    blobs.iter().filter_map(|blob| blob.path.strip_prefix(&format!("{path}/")).map(str::to_owned));
                contents(names.zip(bytes).collect())
            }
        }
    }

    /// The manifests of packages, in their order, and which files are beside them.
    pub(crate) fn outlines(&self, places: &[Place]) -> Result<Vec<Result<Outline, Error>>, Error> {
        match self {
            Self::Folder(folder) => Ok(on_all_cores(places, |place| outline(folder, place))),
            Self::Starter => {
                let files = starter::FILES.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec()));
                Ok(outlined(places, files.collect()))
            }
            Self::Commit(repository, commit) => {
                let blobs = repository.list(commit, SOULS)?;
                let is_manifest = |blob: &Blob| blob.is_file && blob.path.ends_with(&format!("/{MANIFEST}"));
                let (manifests, others): (Vec<_>, Vec<_>) = blobs.into_iter().partition(|blob| {
                    is_manifest(blob) && blob.path.split('/').count() == 4 && blob.bytes <= MAX_MANIFEST as u64
                });
                let bytes = repository.read(&manifests)?;
                let files = manifests.into_iter().zip(bytes).map(|(blob, bytes)| (blob.path, bytes));
                let others = others.into_iter().filter(|blob| blob.is_file).map(|blob| {
                    // One that is too large was not read, and what stands for it is too large as well.
                    let bytes = if is_manifest(&blob) { vec![b' '; MAX_MANIFEST + 1] } else { Vec::new() };
                    (blob.path, bytes)
                });
                Ok(outlined(places, files.chain(others).collect()))
            }
        }
    }

    /// The versions of a package that the registry has had, the highest first, each with the files of that time. A folder
    /// has only the present one, and that is not in the list.
    pub(crate) fn versions(&self, place: &Place) -> Result<Vec<(Version, Self)>, Error> {
        let Self::Commit(repository, commit) = self else { return Ok(Vec::new()) };
        let mut versions = BTreeMap::new();
        for (commit, manifest) in repository.states(commit, &place.path(), &MANIFESTS)? {
            // Of one version that was changed, the last state counts.
            if let Some(version) = version_of(&manifest) {
                versions.entry(version).or_insert(commit);
            }
        }
        let trees = versions.into_iter().rev();
        Ok(trees.map(|(version, commit)| (version, Self::Commit(repository.clone(), commit))).collect())
    }

    /// The index, if the registry has one.
    pub(crate) fn index(&self) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Starter => {
                Ok(starter::FILES.iter().find(|(path, _)| *path == INDEX_FILE).map(|(_, bytes)| bytes.to_vec()))
            }
            Self::Commit(repository, commit) => repository.file(commit, INDEX_FILE, MAX_INDEX),
            Self::Folder(folder) => {
                let read = Directory::open(folder).and_then(|folder| folder.read_within(INDEX_FILE, MAX_INDEX));
                match read {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(files::Error::NotFound) => Ok(None),
                    Err(error) => Err(Error::Unreadable(INDEX_FILE.to_owned(), error)),
                }
            }
        }
    }
}

/// The directory of a package, if there is one. No folder on the way may be a link.
fn opened(folder: &Path, place: &Place) -> Result<Option<Directory>, Error> {
    let path = place.path();
    let mut directory = Directory::open(folder).map_err(|error| Error::Unreadable(path.clone(), error))?;
    for part in [SOULS, &place.owner, &place.name] {
        directory = match directory.agent(part) {
            Err(files::Error::NotFound) => return Ok(None),
            Err(files::Error::Link) => return Err(Error::Link(path)),
            opened => opened.map_err(|error| Error::Unreadable(path.clone(), error))?,
        };
    }
    Ok(Some(directory.with_hard_links()))
}

fn outline(folder: &Path, place: &Place) -> Result<Outline, Error> {
    let unreadable = |error| Error::Unreadable(place.path(), error);
    let Some(directory) = opened(folder, place)? else { return Err(unreadable(files::Error::NotFound)) };
    let files = directory.names().map_err(unreadable)?.into_iter().collect();
    let manifest = match directory.read_within(MANIFEST, MAX_MANIFEST as u64) {
        Ok(bytes) => Some(bytes),
        Err(files::Error::NotFound) => None,
        Err(files::Error::TooLarge) => return Err(Error::HugeManifest),
        Err(error) => return Err(Error::Unreadable(format!("{}/{MANIFEST}", place.path()), error)),
    };
    Ok(Outline { manifest, files })
}

/// The outlines of packages among files of a registry.
fn outlined(places: &[Place], files: Vec<(String, Vec<u8>)>) -> Vec<Result<Outline, Error>> {
    let mut found: BTreeMap<String, Outline> = BTreeMap::new();
    for (path, bytes) in files {
        let parts: Vec<&str> = path.split('/').collect();
        if let [SOULS, owner, name, file] = parts[..] {
            let empty = || Outline { manifest: None, files: BTreeSet::new() };
            let outline = found.entry(format!("{SOULS}/{owner}/{name}")).or_insert_with(empty);
            outline.files.insert(file.to_owned());
            if file == MANIFEST {
                outline.manifest = Some(bytes);
            }
        }
    }
    let taken = places.iter().map(|place| found.remove(&place.path()));
    taken.map(|outline| Ok(outline.unwrap_or(Outline { manifest: None, files: BTreeSet::new() }))).collect()
}

/// The version that a manifest says.
fn version_of(manifest: &[u8]) -> Option<Version> {
    let json: serde_json::Value = serde_json::from_slice(manifest).ok()?;
    json["version"].as_str()?.parse().ok()
}

pub(super) fn contents(files: Vec<(String, Vec<u8>)>) -> Result<Option<Contents>, Error> {
    let mut contents = Contents::default();
    let mut beside: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (path, bytes) in files {
        match path.as_str() {
            super::SUMS_FILE => drop(beside.insert(super::SUMS_FILE, bytes)),
            super::SIGNATURE_FILE => drop(beside.insert(super::SIGNATURE_FILE, bytes)),
            _ => contents.add(path.parse()?, bytes)?,
        }
    }
    contents
        .seal(beside.get(super::SUMS_FILE).map(Vec::as_slice), beside.get(super::SIGNATURE_FILE).map(Vec::as_slice))?;
    Ok(Some(contents).filter(|contents| !contents.is_empty()))
}

/// Owners and names of packages.
type Pairs = Vec<(String, String)>;

/// Owner and name of every file below `souls/`.
fn pairs<'a>(paths: impl Iterator<Item = &'a str>) -> Pairs {
    let parts = paths.filter_map(|path| {
        let mut parts = path.strip_prefix("souls/")?.splitn(3, '/');
        let (owner, name, _) = (parts.next()?, parts.next()?, parts.next()?);
        Some((owner.to_owned(), name.to_owned()))
    });
    parts.collect()
}

/// Owner and name of every folder below `souls/`, and the links there, which could stand for anything.
fn folder_pairs(folder: &Path) -> Result<(Pairs, Vec<String>), Error> {
    let unreadable = |error| Error::Unreadable(SOULS.to_owned(), error);
    let souls = match Directory::open(folder).and_then(|folder| folder.agent(SOULS)) {
        Ok(souls) => souls,
        Err(files::Error::NotFound) => return Ok((Vec::new(), Vec::new())),
        Err(error) => return Err(unreadable(error)),
    };
    let (mut pairs, mut links) = (Vec::new(), Vec::new());
    links.extend(souls.links().map_err(unreadable)?.into_iter().map(|link| format!("{SOULS}/{link}")));
    for owner in souls.visible_folders().map_err(unreadable)? {
        let directory = souls.agent(&owner).map_err(unreadable)?;
        links.extend(directory.links().map_err(unreadable)?.into_iter().map(|link| format!("{SOULS}/{owner}/{link}")));
        let names = directory.visible_folders().map_err(unreadable)?;
        pairs.extend(names.into_iter().map(|name| (owner.clone(), name)));
    }
    Ok((pairs, links))
}
