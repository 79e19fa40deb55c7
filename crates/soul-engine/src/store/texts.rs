//! Texts of souls that are kept in the store instead of files, so that keepers need no disk in common.

use super::{Error, Revision};
use crate::clock::Time;
use crate::workspace::{Kind, SoulKey};

/// A file of a soul, or that there is none any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredText {
    /// What its owner is.
    pub kind: Kind,
    /// The name of its owner.
    pub name: String,
    /// Its path, from the directory of the agent or of the library.
    pub file: String,
    /// The bytes; `None` if it was removed.
    pub body: Option<Vec<u8>>,
}

/// What became of a pending revision and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettledText {
    /// The text is in place, and the revision is settled.
    Done,
    /// The file has other bytes; the revision is pending.
    Changed,
    /// The revision is no longer pending.
    Displaced,
}

/// A store that keeps texts.
pub trait Texts: Send + Sync {
    /// The bytes of a file, if there is one.
    fn text(&self, key: &SoulKey, file: &str) -> Result<Option<Vec<u8>>, Error>;
    /// Replaces the bytes of a file, or removes it, if it still has those that were read. Durable when it returns.
    fn replace_text(
        &self,
        key: &SoulKey,
        file: &str,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        now: Time,
    ) -> Result<bool, Error>;
    /// Puts the text of a pending revision in place, if its file still has the bytes that were read, and settles the
    /// revision: both or neither. Durable when it returns.
    fn settle_text(
        &self,
        revision: &Revision,
        file: &str,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        now: Time,
    ) -> Result<SettledText, Error>;
    /// What tells this database from another one with the same rows.
    fn database_id(&self) -> Result<String, Error>;
    /// What was changed since a moment that an earlier call returned, or everything, and the moment of this call. What
    /// was changed shortly before it may be named again.
    fn changed_since(&self, moment: Option<&str>) -> Result<(String, Vec<StoredText>), Error>;
}
