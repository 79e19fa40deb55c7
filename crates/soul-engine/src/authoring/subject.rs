use std::path::Path;

use soul_core::model::Dialect;

use super::{Error, Owner};
use crate::Keeper;
use crate::files::{self, Directory};
use crate::places::{self, Claim};
use crate::souls::{self, Chosen, Loader, Resolved, Text, capture};
use crate::store::{NewSnapshot, PlaceId, Store};
use crate::workspace::{Agent, SoulKey};

/// Whose text is changed. The steps are the same for all; this is what differs.
pub(crate) trait Subject {
    /// Whose soul it is, for messages.
    fn owner(&self) -> Owner;
    /// The key of its record; the workspace's id is made if there is none.
    fn key(&self) -> Result<SoulKey, souls::Error>;
    /// The key for a change, from a directory that may make it.
    fn claim(&self, keeper: &Keeper) -> Result<Claim, Error>;
    /// The place that its workspace is known as in the store, if it is of a workspace.
    fn known_place(&self, store: &dyn Store, scope: &str) -> Result<Option<PlaceId>, Error>;
    /// Refuses what must not be changed.
    fn check_writable(&self) -> Result<(), Error>;
    /// The directory that is locked, open.
    fn directory(&self) -> &Directory;
    /// The path of that directory.
    fn path(&self) -> &Path;
    /// The folder beside which that directory stands, open: where a text is staged.
    fn folder(&self) -> &Directory;
    /// The file in it that holds the soul, or would.
    fn file(&self) -> String;
    /// The file in it that a new text is written to.
    fn file_for(&self, bytes: &[u8], dialect: Option<Dialect>) -> String;
    /// The dialect that is decided by something else than the text, if its record pins this one.
    fn chosen(&self, keeper: &Keeper, pinned: Option<Dialect>) -> Option<Chosen>;
    /// What a text means in its place.
    fn resolve(&self, keeper: &Keeper, chosen: Option<Chosen>, text: Text<'_>) -> Resolved;
    /// The snapshot of a valid soul.
    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &Resolved) -> Result<NewSnapshot, souls::Error>;
    /// Its directory is gone or cannot be opened.
    fn unreadable(&self, error: files::Error) -> souls::Error;
}

impl Subject for Agent {
    fn owner(&self) -> Owner {
        Owner::Agent(self.name.clone())
    }

    fn key(&self) -> Result<SoulKey, souls::Error> {
        Self::key(self).map_err(souls::Error::WorkspaceId)
    }

    fn claim(&self, keeper: &Keeper) -> Result<Claim, Error> {
        Ok(places::claim(keeper, self)?)
    }

    fn known_place(&self, store: &dyn Store, scope: &str) -> Result<Option<PlaceId>, Error> {
        Ok(places::known_place(store, self, scope)?)
    }

    fn check_writable(&self) -> Result<(), Error> {
        if self.read_only { Err(Error::ReadOnlyLayout(self.name.clone(), self.layout)) } else { Ok(()) }
    }

    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Directory {
        &self.folder
    }

    fn file(&self) -> String {
        self.soul_file()
    }

    fn file_for(&self, bytes: &[u8], dialect: Option<Dialect>) -> String {
        Self::file_for(self, bytes, dialect)
    }

    fn chosen(&self, keeper: &Keeper, pinned: Option<Dialect>) -> Option<Chosen> {
        keeper.chosen_without_caller(self, pinned)
    }

    fn resolve(&self, keeper: &Keeper, chosen: Option<Chosen>, text: Text<'_>) -> Resolved {
        Loader::chosen(keeper, chosen).agent(self, text)
    }

    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &Resolved) -> Result<NewSnapshot, souls::Error> {
        capture(keeper, Some(self), key, soul)
    }

    fn unreadable(&self, error: files::Error) -> souls::Error {
        match error {
            files::Error::NotFound => souls::Error::AgentNotFound(self.name.clone()),
            error => souls::Error::AgentUnreadable(self.name.clone(), error),
        }
    }
}
