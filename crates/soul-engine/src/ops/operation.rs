//! What an operation is, and the table of all of them.
//!
//! A request is a value that can be sent, and so is an answer and a failure. A transport that holds a keeper
//! runs the request; one that does not sends it to one that does, and gets what it would have got here.

use std::sync::OnceLock;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::shape::Misread;
use super::{Error, Shape};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::freshness::{Freshness, Sources};
use crate::registry;

/// A request, which knows the operation that answers it. Its doc comment is the description of the operation
/// in OpenAPI and MCP.
pub trait Operation: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// The name everywhere: in JSON, on the wire, in events. It is also the path of the file in `ops/`.
    const NAME: &'static str;
    /// What a client may assume about it.
    const HINTS: Hints;
    /// Whether it is of no use with settings that cannot be read. One that is not runs with the defaults.
    const NEEDS_SETTINGS: bool = true;
    /// The answer.
    type Response: Serialize + DeserializeOwned + JsonSchema;

    /// The grant that this request needs: one that only asks needs less than one that changes something.
    fn grant(&self) -> Grant;

    /// What it waits for, and so what must not wait for it.
    fn load(&self) -> Load {
        if Self::HINTS.slow { Load::Slow } else { Load::Quick }
    }

    /// Does it. Transports use [`Operation::call`], which checks the grant.
    ///
    /// # Errors
    /// Whatever the operation reports.
    fn run(self, context: &Context<'_>) -> Result<Self::Response, Error>;

    /// Does it for a caller that has the grant.
    ///
    /// # Errors
    /// When the caller lacks the grant, and whatever the operation reports.
    fn call(self, context: &Context<'_>) -> Result<Self::Response, Error> {
        let grant = self.grant();
        if !context.caller.has(grant) {
            return Err(Error::denied(context.caller, grant));
        }
        if Self::NEEDS_SETTINGS {
            context.keeper.prepare()?;
            registry::heal(context.keeper);
        }
        self.run(context)
    }

    /// Whether it is about something that only this machine has, such as a path, and cannot be sent.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether the input passed, for transports that say so, such as exit codes.
    fn verdict(_response: &Self::Response) -> Verdict {
        Verdict::Passed
    }

    /// What an answer depends on; `None` if it must not be cached.
    fn sources(&self, _keeper: &Keeper) -> Option<Sources> {
        None
    }

    /// How long an answer is true while its sources are as they were.
    fn lifetime(_response: &Self::Response) -> Lifetime {
        Lifetime::Unlimited
    }
}

/// What a request waits for. A service keeps requests of different loads apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// A few small files or rows.
    Quick,
    /// Seconds of reading or computing.
    Slow,
    /// Another machine, which may take as long as it likes.
    Remote,
}

/// How long an answer is true while its sources are as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// It depends on more than them.
    None,
    /// Until this time, in seconds since 1970.
    Until(i64),
    /// It depends on nothing else.
    Unlimited,
}

/// Whether the input passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It did.
    Passed,
    /// It did not.
    Failed,
    /// Part of it waits for a person, because both sides changed it.
    Conflict,
    /// Part of it could not be checked.
    Unchecked,
    /// Part of it does not exist.
    Missing,
}

/// What a client may assume about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove or replace something.
    pub destructive: bool,
    /// Doing it twice is doing it once.
    pub idempotent: bool,
    /// It may take seconds, so it must not stand in the way of others.
    pub slow: bool,
}

impl Hints {
    /// It only reads.
    pub const READ: Self = Self { read_only: true, destructive: false, idempotent: true, slow: false };
    /// It adds something.
    pub const ADD: Self = Self { read_only: false, destructive: false, idempotent: false, slow: false };
    /// It replaces or removes something; what was there stays on record.
    pub const REPLACE: Self = Self { read_only: false, destructive: true, idempotent: false, slow: false };

    /// The same, for an operation that may take seconds.
    #[must_use]
    pub const fn slow(self) -> Self {
        Self { slow: true, ..self }
    }

    /// The same, for an operation that does nothing when it is done again.
    #[must_use]
    pub const fn idempotent(self) -> Self {
        Self { idempotent: true, ..self }
    }
}

/// An operation in the table, for transports that pass requests on as JSON.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What a client may assume about it.
    pub hints: Hints,
    read: fn(&Value) -> Result<Ready, Misread>,
    request: fn() -> Shape,
    shape: OnceLock<Shape>,
    response: fn(&mut SchemaGenerator) -> Schema,
}

type Run = dyn FnOnce(&Context<'_>) -> Result<Answer, Error> + Send;

/// A request that has been read and can be run.
pub struct Ready {
    /// The grant that it needs.
    pub grant: Grant,
    /// What it waits for.
    pub load: Load,
    run: Box<Run>,
}

/// The answer to a request, in JSON.
pub struct Answer {
    /// The document.
    pub json: Vec<u8>,
    /// What shows whether it is still true; `None` if it must not be cached.
    pub freshness: Option<Freshness>,
}

impl Ready {
    /// Answers it.
    ///
    /// # Errors
    /// When the caller lacks the grant, and whatever the operation reports.
    pub fn run(self, context: &Context<'_>) -> Result<Answer, Error> {
        (self.run)(context)
    }
}

impl Entry {
    pub(super) const fn of<O: Operation>() -> Self {
        Self {
            name: O::NAME,
            hints: O::HINTS,
            read: read::<O>,
            request: Shape::of::<O>,
            shape: OnceLock::new(),
            response: |generator| generator.subschema_for::<O::Response>(),
        }
    }

    /// The keys of its request.
    pub fn request(&self) -> &Shape {
        self.shape.get_or_init(self.request)
    }

    /// The schema of its response; what it refers to is added to the generator's definitions.
    pub fn response(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.response)(generator)
    }

    /// Reads a request. Keys that it does not have are refused: what is misspelled would change nothing, and
    /// nobody would know.
    ///
    /// # Errors
    /// When it is not a request of this operation.
    pub fn read(&self, request: Value) -> Result<Ready, Error> {
        let shape = self.request();
        let Value::Object(keys) = &request else { return Err(Error::BadRequest("it is not a JSON object".to_owned())) };
        shape.check(keys)?;
        (self.read)(&request).map_err(|error| shape.explain(&request, &error))
    }
}

fn read<O: Operation>(request: &Value) -> Result<Ready, Misread> {
    let request: O = serde_path_to_error::deserialize(request)?;
    let (grant, load) = (request.grant(), request.load());
    let run = Box::new(move |context: &Context<'_>| {
        let keeper = context.keeper;
        // Before anything is read, so that a change in between makes the answer stale; for a caller without the grant
        // nothing is looked at.
        let sources = if context.caller.has(grant) { request.sources(keeper) } else { None };
        let freshness = sources.and_then(|sources| Freshness::of(keeper, sources));
        let response = request.call(context)?;
        let freshness = freshness.and_then(|freshness| match O::lifetime(&response) {
            Lifetime::None => None,
            Lifetime::Until(seconds) => Some(freshness.until(keeper, seconds)),
            Lifetime::Unlimited => Some(freshness),
        });
        // Texts, numbers and lists: nothing that could fail to be written.
        Ok(Answer { json: serde_json::to_vec(&response).unwrap_or_default(), freshness })
    });
    Ok(Ready { grant, load, run })
}
