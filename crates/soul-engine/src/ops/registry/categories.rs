//! List categories.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{Broken, Recency};

/// List the categories of the packages in the registries that are configured.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The categories, in order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistryCategories")]
pub struct Response {
    /// Each category.
    pub categories: Vec<Category>,
}

/// A category.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistryCategory")]
pub struct Category {
    /// Its path, such as `work/engineering`.
    pub name: String,
    /// How many packages are in it.
    pub count: usize,
}

impl Operation for Request {
    const NAME: &'static str = "registry.categories";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let categories = context.keeper.catalog(Recency::Cached, Broken::IsNamed, context.progress)?.categories();
        Ok(Response { categories: categories.into_iter().map(|(name, count)| Category { name, count }).collect() })
    }
}
