//! One file an operation: its request, its response, what it needs to be granted, and `run`.
//! Transports only translate.

pub mod agents;
pub mod audit;
pub mod context;
pub mod convert;
pub mod delete;
pub mod diff;
pub mod doctor;
mod error;
pub mod history;
pub mod inspect;
pub mod library;
pub mod load;
pub mod log;
pub mod memory;
pub mod migrate;
pub mod payload;
pub mod persona;
pub mod prompt;
pub mod rollback;
pub mod rule;
pub mod scan;
pub mod seed;
pub mod session;
pub mod task;
pub mod validate;
pub mod write;

use soul_core::model::Dialect;

pub use error::{Conflict, Error, Kind};

use crate::ids::SessionId;
use crate::workspace::Target;

/// Whose soul a projection is of.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A soul as it is now, in this dialect if it is not to be detected.
    Target(Target, Option<Dialect>),
    /// The soul that a session is bound to.
    Session(SessionId),
}

/// What an operation does with souls, which is what a token must grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// It reads.
    Read,
    /// It changes.
    Write,
}
