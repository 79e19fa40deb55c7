//! One soul of the library, as the authoring service sees it.

use std::path::{Path, PathBuf};

use soul_core::formats::Document;
use soul_core::formats::dagu;
use soul_core::model::Dialect;

use super::{Error, SoulId};
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Conflict, Lock, Owner, Subject};
use crate::files::{self, Directory};
use crate::places::Claim;
use crate::souls::{self, Chosen, ChosenBy, Loader, Resolved, Text, capture};
use crate::store::{NewSnapshot, PlaceId, Store};
use crate::workspace::{Kind, SoulKey};

/// A soul of the library that is there or may come to be there.
pub(crate) struct Member {
    pub(crate) id: SoulId,
    file: String,
    directory: Directory,
    /// The folder beside the library, if it can be opened.
    folder: Option<Directory>,
    path: PathBuf,
    /// The scope of the library's home.
    scope: String,
}

/// What names a soul of the library in the store.
pub(crate) fn key(keeper: &Keeper, id: &SoulId) -> SoulKey {
    SoulKey { scope: keeper.roots.home_scope(), kind: Kind::Library, name: id.as_str().to_owned() }
}

impl Member {
    fn keyed(&self) -> SoulKey {
        SoulKey { scope: self.scope.clone(), kind: Kind::Library, name: self.id.as_str().to_owned() }
    }

    /// The soul, in a folder that is there; `None` if there is no library yet.
    pub(crate) fn open(keeper: &Keeper, id: SoulId) -> Result<Option<Self>, Error> {
        let folder = keeper.library_folder()?;
        Ok(folder.map(|(directory, path)| {
            let folder = Directory::open(files::folder_of(&path)).ok();
            Self { file: id.file(), id, directory, folder, path, scope: keeper.roots.home_scope() }
        }))
    }

    /// The same in a folder that is made if it is not there.
    pub(crate) fn make(keeper: &Keeper, id: SoulId) -> Result<Self, Error> {
        let path = keeper.library_path()?;
        keeper.make_home()?;
        std::fs::create_dir_all(&path).map_err(|error| keeper.library_unusable(files::Error::Io(error)))?;
        Self::open(keeper, id)?.ok_or_else(|| keeper.library_unusable("it was removed").into())
    }

    /// One that is known to exist.
    pub(crate) fn existing(keeper: &Keeper, id: SoulId) -> Result<Self, Error> {
        Self::open(keeper, id.clone())?.ok_or_else(|| souls::Error::SoulNotFound(id).into())
    }

    /// Another soul of the same library.
    pub(crate) fn beside(self, id: SoulId) -> Self {
        Self { file: id.file(), id, ..self }
    }

    /// Whether anything in the folder has the name of a soul's file.
    pub(crate) fn is_taken(&self, id: &str) -> bool {
        self.path.join(format!("{id}.md")).symlink_metadata().is_ok()
    }

    /// Locks the library: nobody else changes it through us.
    pub(crate) fn lock(&self, keeper: &Keeper) -> Result<Lock, Error> {
        Ok(authoring::lock(keeper, self)?)
    }

    /// What is in its file now.
    pub(crate) fn now(&self, keeper: &Keeper) -> Resolved {
        self.resolve(keeper, None, Text::OnDisk)
    }

    /// Changes the soul in a library that is locked. A digest is optional here; what is replaced is in any case
    /// what `now` shows.
    pub(crate) fn apply(&self, keeper: &Keeper, lock: &Lock, now: &Resolved, change: Change) -> Result<Applied, Error> {
        let stale = change.expected.filter(|expected| !expected.matches(now.digest, now.raw_digest));
        let change = Change { expected: stale.or_else(|| now.raw_digest.map(Into::into)), ..change };
        authoring::apply_locked(keeper, self, lock, change).map_err(|error| match error {
            // A file was put there while we looked.
            authoring::Error::Conflict { conflict: Conflict::DigestRequired, .. } => Error::IdTaken(self.id.clone()),
            authoring::Error::SoulMissing(_) => souls::Error::SoulNotFound(self.id.clone()).into(),
            error => error.into(),
        })
    }
}

/// The parts of a soul of the library.
pub(crate) fn parts(soul: &Resolved) -> Option<&dagu::Document> {
    match &soul.document {
        Some(Document::Dagu(document)) => Some(document),
        _ => None,
    }
}

impl Subject for Member {
    fn owner(&self) -> Owner {
        Owner::Library(self.id.clone())
    }

    fn key(&self) -> Result<SoulKey, souls::Error> {
        Ok(self.keyed())
    }

    fn claim(&self, _: &Keeper) -> Result<Claim, authoring::Error> {
        Ok(Claim { key: self.keyed(), place: None, reconnected: false })
    }

    fn known_place(&self, _: &dyn Store, _: &str) -> Result<Option<PlaceId>, authoring::Error> {
        Ok(None)
    }

    fn check_writable(&self) -> Result<(), authoring::Error> {
        Ok(())
    }

    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Directory {
        self.folder.as_ref().unwrap_or(&self.directory)
    }

    fn file(&self) -> String {
        self.file.clone()
    }

    fn file_for(&self, _: &[u8], _: Option<Dialect>) -> String {
        self.file.clone()
    }

    fn chosen(&self, _: &Keeper, _: Option<Dialect>) -> Option<Chosen> {
        Some(Chosen::new(Dialect::Dagu, ChosenBy::Library))
    }

    fn resolve(&self, keeper: &Keeper, _: Option<Chosen>, text: Text<'_>) -> Resolved {
        Loader::new(keeper, None).library(&self.directory, &self.path, &self.file, text)
    }

    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &Resolved) -> Result<NewSnapshot, souls::Error> {
        capture(keeper, None, key, soul)
    }

    fn unreadable(&self, error: files::Error) -> souls::Error {
        let why = match error {
            files::Error::NotFound => "the folder was removed".into(),
            error => error.into(),
        };
        souls::Error::LibraryUnusable(self.file.clone(), why)
    }
}
