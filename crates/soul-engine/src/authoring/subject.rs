use std::path::Path;

use soul_core::model::Dialect;

use super::{Error, Owner};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE};
use crate::souls::{self, Loader, Resolved, Text, capture};
use crate::store::NewSnapshot;
use crate::workspace::{Agent, SoulKey};

/// Whose text is changed. The steps are the same for all; this is what differs.
pub(crate) trait Subject {
    /// Whose soul it is, for messages.
    fn owner(&self) -> Owner;
    /// The key of its record; the workspace's id is made if there is none.
    fn key(&self) -> Result<SoulKey, souls::Error>;
    /// Refuses what must not be changed.
    fn check_writable(&self) -> Result<(), Error>;
    /// The directory that is locked, open.
    fn directory(&self) -> &Directory;
    /// The path of that directory.
    fn path(&self) -> &Path;
    /// The folder beside which that directory stands, open: where a text is staged.
    fn folder(&self) -> &Directory;
    /// The file in it.
    fn file(&self) -> &str;
    /// What a text means in its place.
    fn resolve(&self, keeper: &Keeper, dialect: Option<Dialect>, text: Text<'_>) -> Resolved;
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

    fn check_writable(&self) -> Result<(), Error> {
        if self.ours { Ok(()) } else { Err(Error::ForeignAgent(self.name.clone())) }
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

    fn file(&self) -> &str {
        SOUL_FILE
    }

    fn resolve(&self, keeper: &Keeper, dialect: Option<Dialect>, text: Text<'_>) -> Resolved {
        Loader::new(keeper, dialect).agent(self, text)
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
