//! Compare two texts of a library soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, given};
use crate::library::SoulId;
use crate::library::member::{Member, key};
use crate::ops::diff::{Response, Side, Texts};
use crate::ops::{Error, Hints, Operation};
use crate::store::Store;
use crate::{seed, souls};

/// Compare two texts of a library soul, by meaning and line by line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul.
    pub id: SoulId,
    /// The earlier text: a revision, a snapshot, a digest or `file`. Default: the last revision, or the file if there is a
    /// draft.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<Side>,
    /// The later text, named in the same way, or `draft`. Default: the draft if there is one, else the file.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub to: Option<Side>,
    /// A text that is not saved yet, with its frontmatter: `draft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

impl Operation for Request {
    const NAME: &'static str = "library.diff";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        seed::library_if_possible(keeper);
        let Self { id, from, to, body } = self;
        let member = Member::existing(keeper, id)?;
        let key = key(keeper, &member.id);
        let is_recorded = |store: &dyn Store| store.tail(&key).map(|tail| tail.last.is_some());
        if !member.now(keeper).is_present() && !keeper.existing_store()?.map_or(Ok(false), is_recorded)? {
            return Err(souls::Error::SoulNotFound(member.id.clone()).into());
        }
        let texts = Texts { keeper, subject: &member, key: Some(key), draft: body.map(|body| body.0) };
        texts.compare(from, to)
    }
}
