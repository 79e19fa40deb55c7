//! List packages page by page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Matches, Order, RegistrySoul, matches};
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{Missing, Query};

/// List the packages of the registries that are configured, page by page.
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
    /// How to sort: `name` (default), or `score` for what fits best first. Other ways, such as `downloads`, are by name.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// The page, from 1.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// How many packages are on a page, from 1 to 100. Default: 20.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Fetch registries that are elsewhere first.
    #[serde(default)]
    pub refresh: bool,
}

/// A page of packages.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistryPage")]
pub struct Response {
    /// The packages of the page.
    pub souls: Vec<RegistrySoul>,
    /// How many there are on all pages.
    pub total: usize,
    /// The page.
    pub page: usize,
    /// How many packages are on a page.
    pub limit: usize,
    /// Registries that could not be read, and packages that are not listed because something is wrong with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

impl Operation for Request {
    const NAME: &'static str = "registry.browse";
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
        let order = if self.sort.as_deref() == Some("score") { Order::BestFirst } else { Order::ByName };
        let (page, limit) = (self.page.unwrap_or(1).max(1), self.limit.unwrap_or(20).clamp(1, 100));
        let part = ((page - 1).saturating_mul(limit), limit);
        let Matches { souls, total, missing } = matches(context, &query, self.refresh, order, part)?;
        Ok(Response { souls, total, page, limit, missing })
    }
}
