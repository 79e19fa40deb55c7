//! Ids of rows: a prefix that says what it is, and a ULID.

use std::{fmt, io};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::clock::Time;

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident = $prefix:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
            #[serde(transparent)]
            #[schemars(inline)]
            pub struct $name(String);

            impl $name {
                /// An id that nothing else has, by the clock of the system.
                #[must_use]
                pub fn fresh() -> Self {
                    Self(format!(concat!($prefix, "_{}"), Ulid::generate()))
                }

                /// An id that nothing else has, of something that happens at this time.
                #[must_use]
                pub fn fresh_at(now: Time) -> Self {
                    Self(format!(concat!($prefix, "_{}"), Ulid::from_datetime(now.into())))
                }

                /// The text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            /// Any text may be looked up: one that is no id of ours is not found.
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
    /// The id of a store: `store_` and a ULID.
    StoreId = "store";
    /// The id of a recorded change of a soul: `rev_` and a ULID.
    RevisionId = "rev";
    /// The id of a resolved soul: `snap_` and a ULID.
    SnapshotId = "snap";
    /// The id of a session: `sess_` and a ULID. Where a persona is adapted, any name of a session.
    SessionId = "sess";
    /// The id of what a session was given: `rcpt_` and a ULID.
    ReceiptId = "rcpt";
    /// The id of a task: `task_` and a ULID.
    TaskId = "task";
    /// The id of a run, a task that a session has claimed: `run_` and a ULID.
    RunId = "run";
    /// The id of a step that adapted a persona: `mut_` and a ULID.
    MutationId = "mut";
    /// The id of a home that shares its store: `home_` and a ULID.
    HomeId = "home";
    /// The id of a workspace: `ws_` and a ULID.
    WorkspaceId = "ws";
    /// The id of a proposed change of a soul: `prop_` and a ULID.
    ProposalId = "prop";
    /// The id of an access token: `tok_` and a ULID.
    TokenId = "tok";
}

/// 256 bits that nobody can guess, from the system.
pub fn random_bits() -> io::Result<[u8; 32]> {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits).map_err(io::Error::other)?;
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_the_time_they_were_given() {
        let now = Time::of_seconds(1_794_823_019);
        let (one, other) = (RevisionId::fresh_at(now), RevisionId::fresh_at(now));
        assert!(one != other && one.as_str()[..14] == other.as_str()[..14]);
        assert!(one.as_str() < RevisionId::fresh_at(Time::of_seconds(1_794_823_020)).as_str());
        assert_ne!(random_bits().unwrap(), random_bits().unwrap());
    }
}
