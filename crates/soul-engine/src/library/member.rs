//! One soul of the library, as the authoring service sees it.

use std::path::{Path, PathBuf};

use soul_core::digest::RawDigest;
use soul_core::formats::Document;
use soul_core::formats::dagu;
use soul_core::model::Dialect;

use super::{Error, SoulId};
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Intent, Lock, Subject, Trouble};
use crate::files::{self, Directory};
use crate::ops::inspect::{self, respond};
use crate::ops::load::{self, Text};
use crate::ops::payload::Authorship;
use crate::ops::{Conflict, Error as OpError};
use crate::sessions;
use crate::store::NewSnapshot;
use crate::workspace::{Kind, SoulKey};

/// A soul of the library that is there or may come to be there.
pub(crate) struct Member {
    pub(crate) id: SoulId,
    file: String,
    directory: Directory,
    /// The folder beside the library, if it can be opened.
    folder: Option<Directory>,
    path: PathBuf,
}

/// What names a soul of the library in the store.
pub(crate) fn key(id: &SoulId) -> SoulKey {
    SoulKey { scope: SoulKey::HOME.to_owned(), kind: Kind::Library, name: id.as_str().to_owned() }
}

impl Member {
    /// The soul, in a folder that is there; `None` if there is no library yet.
    pub(crate) fn open(keeper: &Keeper, id: SoulId) -> Result<Option<Self>, OpError> {
        let folder = keeper.library_folder()?;
        Ok(folder.map(|(directory, path)| {
            let folder = Directory::open(files::folder_of(&path)).ok();
            Self { file: id.file(), id, directory, folder, path }
        }))
    }

    /// The same in a folder that is made if it is not there.
    pub(crate) fn make(keeper: &Keeper, id: SoulId) -> Result<Self, OpError> {
        let path = keeper.library_path()?;
        std::fs::create_dir_all(&path).map_err(|error| keeper.library_unusable(&files::plain(&error)))?;
        Self::open(keeper, id)?.ok_or_else(|| keeper.library_unusable("it was taken away"))
    }

    /// One that somebody has found to be there.
    pub(crate) fn existing(keeper: &Keeper, id: SoulId) -> Result<Self, OpError> {
        Self::open(keeper, id.clone())?.ok_or_else(|| Error::NotFound(id).into())
    }

    /// Another soul of the same library.
    pub(crate) fn beside(self, id: SoulId) -> Self {
        Self { file: id.file(), id, ..self }
    }

    /// Whether anything in the folder has the name of a soul's file.
    pub(crate) fn is_taken(&self, id: &str) -> bool {
        self.path.join(format!("{id}.md")).symlink_metadata().is_ok()
    }

    /// Takes the library: nobody else changes it through us.
    pub(crate) fn hold(&self, keeper: &Keeper) -> Result<Lock, OpError> {
        authoring::lock(keeper, self)
    }

    /// What is in its file now.
    pub(crate) fn now(&self, keeper: &Keeper) -> inspect::Response {
        self.resolve(keeper, None, Text::OnDisk)
    }

    /// Changes the soul in a library that is ours. The digest names what the asker has seen, if that
    /// counts; what is replaced is in any case what `now` shows.
    pub(crate) fn apply(
        &self,
        keeper: &Keeper,
        lock: &Lock,
        now: &inspect::Response,
        intent: Intent,
        authorship: Authorship,
    ) -> Result<Applied, OpError> {
        let names = |expected: &String| {
            let expected = expected.trim();
            let meaning = now.digest.map(|digest| digest.to_string());
            let bytes = now.raw_digest.map(|raw| raw.to_string());
            meaning.as_deref() == Some(expected) || bytes.as_deref() == Some(expected)
        };
        let Authorship { expected_digest, idempotency_key, force, asker } = authorship;
        let expected = expected_digest.filter(|expected| !expected.trim().is_empty() && !names(expected));
        let change = Change {
            intent,
            expected: expected.or_else(|| now.raw_digest.map(|raw: RawDigest| raw.to_string())),
            idempotency_key,
            dialect: None,
            force,
            actor: asker.actor,
            origin: asker.origin,
        };
        authoring::apply_locked(keeper, self, lock, change).map_err(|error| match error {
            // Somebody put a file there while we looked.
            OpError::Conflict { conflict: Conflict::DigestRequired, .. } => Error::IdTaken(self.id.clone()).into(),
            OpError::SoulMissing(_) => Error::NotFound(self.id.clone()).into(),
            error => error,
        })
    }
}

/// The parts of a soul of the library.
pub(crate) fn parts(soul: &inspect::Response) -> Option<&dagu::Document> {
    match &soul.parsed {
        Some(Document::Dagu(document)) => Some(document),
        _ => None,
    }
}

impl Subject for Member {
    fn key(&self) -> Result<SoulKey, OpError> {
        Ok(key(&self.id))
    }

    fn managed(&self) -> Result<(), OpError> {
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

    fn file(&self) -> &str {
        &self.file
    }

    fn resolve(&self, keeper: &Keeper, _: Option<Dialect>, text: Text<'_>) -> inspect::Response {
        respond(keeper, load::of_library(keeper, &self.directory, &self.path, &self.file, text))
    }

    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &inspect::Response) -> Result<NewSnapshot, OpError> {
        sessions::capture(keeper, None, key, soul)
    }

    fn told(&self, trouble: Trouble) -> OpError {
        let error = match trouble {
            Trouble::Locked => Error::Locked,
            Trouble::Gone => Error::Unusable(self.file.clone(), "the folder was taken away".to_owned()),
            Trouble::Unreadable(error) => Error::Unusable(self.file.clone(), error.to_string()),
            Trouble::TooLarge => Error::TooLargeToAdopt(self.id.clone()),
            Trouble::Displaced => Error::Displaced(self.id.clone()),
        };
        error.into()
    }
}
