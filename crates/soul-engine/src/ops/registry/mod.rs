//! Registries: made, checked, indexed, searched, and submitted to.

pub mod browse;
pub mod bundle;
pub mod categories;
pub mod check;
pub mod index;
pub mod init;
pub mod scan;
pub mod search;
pub mod show;
pub mod submit;
pub mod validate;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::ops::Error;
use crate::registry::{self, Broken, Entry, Missing, PackageName, Query, Recency};

operations! { browse, bundle, categories, check, index, init, scan, search, show, submit, validate }

/// A package of a registry, as clients of the public API read it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrySoul {
    /// What the index of the registry says about it.
    #[serde(flatten)]
    pub entry: Entry,
    /// `owner/name`.
    pub full_name: String,
    /// The registry that it is in, as it is configured.
    pub source: String,
    /// Always 0: nobody is counted.
    pub downloads: u64,
    /// Always 0: there are no ratings.
    pub rating: u64,
    /// Always 0: there are no ratings.
    pub avg_rating: u64,
}

impl RegistrySoul {
    pub(super) fn new((entry, source): (&Entry, &str)) -> Self {
        Self {
            full_name: format!("{}/{}", entry.owner, entry.name),
            entry: entry.clone(),
            source: source.to_owned(),
            downloads: 0,
            rating: 0,
            avg_rating: 0,
        }
    }
}

/// How packages are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    BestFirst,
    ByName,
}

/// The packages that fit a query, from one on and so many at most.
pub(super) struct Matches {
    pub(super) souls: Vec<RegistrySoul>,
    pub(super) total: usize,
    pub(super) missing: Vec<Missing>,
}

pub(super) fn matches(
    context: &Context<'_>,
    query: &Query<'_>,
    refresh: bool,
    order: Order,
    (skip, limit): (usize, usize),
) -> Result<Matches, Error> {
    let recency = if refresh { Recency::Now } else { Recency::Cached };
    let catalog = context.keeper.catalog(recency, Broken::IsNamed, context.progress)?;
    let mut found = catalog.search(query);
    if order == Order::ByName {
        found.sort_by(|(a, _), (b, _)| (&a.name, &a.owner).cmp(&(&b.name, &b.owner)));
    }
    let souls = found.iter().skip(skip).take(limit).copied().map(RegistrySoul::new).collect();
    Ok(Matches { souls, total: found.len(), missing: catalog.missing().to_vec() })
}

pub(super) fn package(owner: &str, name: &str) -> Result<PackageName, Error> {
    Ok(PackageName::new(owner, name).map_err(registry::Error::from)?)
}
