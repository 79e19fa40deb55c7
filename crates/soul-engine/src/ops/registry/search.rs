//! Search the registries that are configured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Matches, Order, RegistrySoul, matches};
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{Missing, Query};

/// Search packages by words in their names, tags and descriptions, by category or by tag. The best come first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Words, all of which must be found.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Only this category and those below it.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Only packages with this tag.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// How many packages at most, up to 100. Default: 20.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub limit: Option<u16>,
    /// Fetch registries that are elsewhere first.
    #[serde(default)]
    pub refresh: bool,
}

/// The packages that fit.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistrySearch")]
pub struct Response {
    /// What was searched for.
    pub query: String,
    /// The packages, the best first.
    pub results: Vec<RegistrySoul>,
    /// How many fit.
    pub total: usize,
    /// Registries that could not be read, and packages that are not listed because something is wrong with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

impl Operation for Request {
    const NAME: &'static str = "registry.search";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let text = self.query.unwrap_or_default();
        let query = Query { text: &text, category: self.category.as_deref(), tag: self.tag.as_deref() };
        let limit = usize::from(self.limit.unwrap_or(20).clamp(1, 100));
        let Matches { souls, total, missing } = matches(context, &query, self.refresh, Order::BestFirst, (0, limit))?;
        Ok(Response { query: text, results: souls, total, missing })
    }
}
