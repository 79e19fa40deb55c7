//! Which directories change the record of a workspace, and which record a forked workspace continues.

use soul_core::digest::Digest;

use super::{NewEvent, Revision};
use crate::clock::Time;
use crate::workspace::{Location, SoulKey};

/// The number of a place in the store.
pub type PlaceId = i64;

/// A directory that may change the record of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub id: PlaceId,
    /// The scope that it carries in `.soul/id`.
    pub scope: String,
    /// Where it was when it last changed anything.
    pub location: Location,
    /// Since when it is known.
    pub bound_at: Time,
}

/// A directory that is to be bound to a scope.
#[derive(Debug, Clone)]
pub struct NewPlace<'a> {
    /// The scope.
    pub scope: &'a str,
    /// Where it is.
    pub location: &'a Location,
    /// The place that it takes over: the same directory at another path, or one that is gone.
    pub replaces: Option<PlaceId>,
    /// What the caller knows of the scope's places. If they are others by now, nothing is bound.
    pub known: &'a [Place],
    /// What happened, if it was asked for.
    pub event: Option<&'a NewEvent>,
    /// The time.
    pub now: Time,
}

/// The end of a record: the number and chain of its last revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The number.
    pub seq: i64,
    /// The chain.
    pub chain: Digest,
}

impl Revision {
    /// What the revision after it is bound to.
    #[must_use]
    pub const fn link(&self) -> Link {
        Link { seq: self.sealed.seq, chain: self.chain }
    }
}

/// A workspace that begins a record of its own, as the continuation of another.
#[derive(Debug, Clone)]
pub struct NewFork<'a> {
    /// The new scope.
    pub scope: &'a str,
    /// The scope that it continues.
    pub parent: &'a str,
    /// The place that leaves the parent for the new scope.
    pub location: &'a Location,
    /// What happened.
    pub event: &'a NewEvent,
    /// The time.
    pub now: Time,
}

/// What the store holds of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRecord {
    /// The scope.
    pub scope: String,
    /// Its souls, those that it only inherited too.
    pub souls: Vec<SoulKey>,
    /// How many revisions it has of its own.
    pub revisions: usize,
    /// When its last own revision was recorded.
    pub last_change: Option<Time>,
}
