//! What names a row: a prefix that says what it is, and a ULID.

use std::fmt;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident = $prefix:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(String);

            impl $name {
                /// One that nothing else has.
                #[must_use]
                pub fn fresh() -> Self {
                    Self(format!(concat!($prefix, "_{}"), Ulid::generate()))
                }

                /// The text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            /// Any text may be asked for; only one of ours is found.
            impl From<String> for $name {
                fn from(text: String) -> Self {
                    Self(text)
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&soul_core::text::visible(&self.0))
                }
            }
        )+
    };
}

ids! {
    /// A recorded change.
    RevisionId = "rev";
    /// A resolved soul.
    SnapshotId = "snap";
    /// A live agent.
    SessionId = "sess";
    /// Something to do.
    TaskId = "task";
    /// A task that a session took.
    RunId = "run";
    /// A step that a persona took.
    MutationId = "mut";
    /// A workspace.
    WorkspaceId = "ws";
    /// What lets somebody ask from elsewhere.
    TokenId = "tok";
}

/// 256 bits that nobody can guess: of each id 64 that are random, from a generator which the system seeds.
pub(crate) fn random_bits() -> [u8; 32] {
    let mut bits = [0; 32];
    for eight in bits.chunks_exact_mut(8) {
        eight.copy_from_slice(&Ulid::generate().random().to_le_bytes()[..8]);
    }
    bits
}
