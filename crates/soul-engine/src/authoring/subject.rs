use std::path::Path;

use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;

use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE};
use crate::ops::Error;
use crate::ops::inspect::{self, respond};
use crate::ops::load::{self, Text};
use crate::sessions;
use crate::store::NewSnapshot;
use crate::workspace::{Agent, SoulKey};

/// Whose text is changed. The steps are the same for all; this is what differs.
pub(crate) trait Subject {
    /// What names it; whatever must be made for that is made.
    fn key(&self) -> Result<SoulKey, Error>;
    /// Whether it may be changed at all.
    fn managed(&self) -> Result<(), Error>;
    /// The directory that is locked, open.
    fn directory(&self) -> &Directory;
    /// The path of that directory.
    fn path(&self) -> &Path;
    /// The folder beside which that directory stands, open: where a text is staged.
    fn folder(&self) -> &Directory;
    /// The file in it.
    fn file(&self) -> &str;
    /// What a text means in its place.
    fn resolve(&self, keeper: &Keeper, dialect: Option<Dialect>, text: Text<'_>) -> inspect::Response;
    /// The snapshot of a valid soul.
    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &inspect::Response) -> Result<NewSnapshot, Error>;
    /// How a trouble with it is told.
    fn told(&self, trouble: Trouble) -> Error;
}

/// What can be in the way of a change.
pub(crate) enum Trouble {
    /// Another writer has it.
    Locked,
    /// Its directory is gone.
    Gone,
    /// Its directory cannot be used.
    Unreadable(files::Error),
    /// Its file is too large to be taken into the record.
    TooLarge,
    /// Somebody else took the change off the record while it was made.
    Displaced,
}

impl Subject for Agent {
    fn key(&self) -> Result<SoulKey, Error> {
        Self::key(self).map_err(Error::workspace)
    }

    fn managed(&self) -> Result<(), Error> {
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

    fn resolve(&self, keeper: &Keeper, dialect: Option<Dialect>, text: Text<'_>) -> inspect::Response {
        respond(keeper, load::of_agent(keeper, self, dialect, Profile::Lenient, text))
    }

    fn capture(&self, keeper: &Keeper, key: &SoulKey, soul: &inspect::Response) -> Result<NewSnapshot, Error> {
        sessions::capture(keeper, Some(self), key, soul)
    }

    fn told(&self, trouble: Trouble) -> Error {
        let name = self.name.clone();
        match trouble {
            Trouble::Locked => Error::AgentLocked(name),
            Trouble::Gone => Error::AgentNotFound(name),
            Trouble::Unreadable(error) => Error::AgentUnreadable(name, error.to_string()),
            Trouble::TooLarge => Error::TooLargeToAdopt(name),
            Trouble::Displaced => Error::Displaced(name),
        }
    }
}
