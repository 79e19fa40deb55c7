use soul_core::digest::Digest;
use soul_core::model::Dialect;
use soul_core::scan::Finding;

use crate::caller::Author;
use crate::fields::{ExpectedDigest, IdempotencyKey, NonBlank};
use crate::ids::RevisionId;
use crate::registry::PackageStep;
use crate::souls::Resolved;
use crate::store::{Message, Revision};

/// The points between the steps of a change, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The directory is locked.
    Locked,
    /// The file has been read.
    Read,
    /// A change from outside is on record.
    Adopted,
    /// The file is the one that was expected.
    Compared,
    /// The new text is valid and was scanned.
    Checked,
    /// The change is on record, pending.
    Recorded,
    /// The new text is on disk, beside the file.
    Staged,
    /// The new text is in place.
    Replaced,
    /// The directory is on disk too.
    Synced,
    /// The record says that it is done.
    Settled,
    /// A step of installing, using or restoring a package.
    Package(PackageStep),
}

impl Step {
    /// Every step of the change of one soul.
    pub const ALL: [Self; 10] = [
        Self::Locked,
        Self::Read,
        Self::Adopted,
        Self::Compared,
        Self::Checked,
        Self::Recorded,
        Self::Staged,
        Self::Replaced,
        Self::Synced,
        Self::Settled,
    ];
}

/// A change that a caller asks for.
pub(crate) struct Change {
    pub(crate) intent: Intent,
    /// The digest of the soul that the caller has seen.
    pub(crate) expected: Option<ExpectedDigest>,
    /// The revision that the caller has seen as the last one, if nothing was changed outside since.
    pub(crate) expected_revision: Option<RevisionId>,
    /// The same key twice is the same change.
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) dialect: Option<Dialect>,
    /// Why it is made.
    pub(crate) message: Option<Message>,
    /// Why it is done whatever the scanner finds.
    pub(crate) force: Option<NonBlank>,
    pub(crate) author: Author,
    /// Whether it is a proposal that was accepted, so that even the agent itself may be the author.
    pub(crate) is_accepted: bool,
}

/// What becomes of the soul.
pub(crate) enum Intent {
    Put(Vec<u8>),
    Delete,
    /// To the text of a revision, as a caller may name it.
    Rollback(RevisionId),
    /// To the text before the last change.
    Undo,
    /// No text changes: what is in the file goes on record, in the name of the caller.
    Record,
}

impl Change {
    /// A change without conditions.
    pub(crate) const fn new(intent: Intent, author: Author) -> Self {
        Self {
            intent,
            expected: None,
            expected_revision: None,
            idempotency_key: None,
            dialect: None,
            message: None,
            force: None,
            author,
            is_accepted: false,
        }
    }

    /// The digest of what is asked for, so that one idempotency key cannot stand for two changes. What the
    /// caller had seen is no part of it: a caller that asks again may have looked again.
    pub(super) fn request_digest(&self) -> Digest {
        let (action, about): (&str, &[u8]) = match &self.intent {
            Intent::Put(bytes) => ("put", bytes),
            Intent::Delete => ("delete", b""),
            Intent::Rollback(id) => ("rollback", id.as_str().as_bytes()),
            Intent::Undo => ("undo", b""),
            Intent::Record => ("record", b""),
        };
        let dialect = self.dialect.map_or("", Dialect::as_str);
        Digest::of([action.as_bytes(), b"\n", dialect.as_bytes(), b"\n", about])
    }
}

/// The soul after a change, and the record of it.
#[derive(Debug)]
pub struct Applied {
    pub(crate) soul: Resolved,
    pub(crate) revision: Revision,
    /// Whether nothing was changed or recorded: the text was there already, and this is the revision that has it.
    pub(crate) unchanged: bool,
    /// What the scanner found in the text.
    pub(crate) findings: Vec<Finding>,
    /// Whether the workspace had lost its id, and was given it back.
    pub(crate) reconnected: bool,
}
