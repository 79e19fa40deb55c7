//! A registry's files, wherever they are: in a folder, at a commit, or in this program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::git::Repository;
use super::name::{is_name, is_owner};
use super::{Contents, Error, starter};
use crate::files::{self, Directory};

/// The folder of a registry with its packages, and the file with its index.
pub(crate) const SOULS: &str = "souls";
pub(crate) const INDEX_FILE: &str = "index.json";

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

impl Tree {
    /// Every package, in order, and what looks like one and cannot be.
    pub(crate) fn places(&self) -> Result<(Vec<Place>, Vec<String>), Error> {
        let mut pairs = match self {
            Self::Starter => pairs(starter::FILES.iter().map(|(path, _)| *path)),
            Self::Commit(repository, commit) => {
                pairs(repository.list(commit, SOULS)?.iter().map(|blob| blob.path.as_str()))
            }
            Self::Folder(folder) => folder_pairs(folder)?,
        };
        pairs.sort();
        pairs.dedup();
        let (good, bad): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(owner, name)| is_owner(owner) && is_name(name));
        let places = good.into_iter().map(|(owner, name)| Place { owner, name }).collect();
        Ok((
            places,
            bad.into_iter().map(|(owner, name)| soul_core::text::visible(&format!("{SOULS}/{owner}/{name}"))).collect(),
        ))
    }

    /// The files of a package; `None` if there is no such folder.
    pub(crate) fn contents(&self, place: &Place) -> Result<Option<Contents>, Error> {
        let path = place.path();
        match self {
            Self::Folder(folder) => {
                let root = Directory::open(folder).map_err(|error| Error::Unreadable(path.clone(), error))?;
                // No folder on the way may be a link.
                let mut directory = root;
                for part in [SOULS, &place.owner, &place.name] {
                    directory = match directory.agent(part) {
                        Err(files::Error::NotFound) => return Ok(None),
                        Err(files::Error::Link) => return Err(Error::Link(path)),
                        opened => opened.map_err(|error| Error::Unreadable(path.clone(), error))?,
                    };
                }
                Contents::read_directory(&directory.with_hard_links(), &path).map(Some)
            }
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
                let bytes = repository.read(&blobs)?;
                let names =
                    blobs.iter().filter_map(|blob| blob.path.strip_prefix(&format!("{path}/")).map(str::to_owned));
                contents(names.zip(bytes).collect())
            }
        }
    }

    /// The index, if the registry has one.
    pub(crate) fn index(&self) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Starter => {
                Ok(starter::FILES.iter().find(|(path, _)| *path == INDEX_FILE).map(|(_, bytes)| bytes.to_vec()))
            }
            Self::Commit(repository, commit) => repository.file(commit, INDEX_FILE),
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

/// Owner and name of every file below `souls/`.
fn pairs<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let parts = paths.filter_map(|path| {
        let mut parts = path.strip_prefix("souls/")?.splitn(3, '/');
        let (owner, name, _) = (parts.next()?, parts.next()?, parts.next()?);
        Some((owner.to_owned(), name.to_owned()))
    });
    parts.collect()
}

fn folder_pairs(folder: &std::path::Path) -> Result<Vec<(String, String)>, Error> {
    let unreadable = |error| Error::Unreadable(SOULS.to_owned(), error);
    let souls = match Directory::open(folder).and_then(|folder| folder.agent(SOULS)) {
        Ok(souls) => souls,
        Err(files::Error::NotFound) => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut pairs = Vec::new();
    for owner in souls.visible_folders().map_err(unreadable)? {
        for name in souls.agent(&owner).and_then(|owner| owner.visible_folders()).map_err(unreadable)? {
            pairs.push((owner.clone(), name));
        }
    }
    Ok(pairs)
}
