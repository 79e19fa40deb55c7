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

use crate::ops::Error;
use crate::registry::{self, Entry, PackageName};

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

pub(super) fn package(owner: &str, name: &str) -> Result<PackageName, Error> {
    Ok(PackageName::new(owner, name).map_err(registry::Error::from)?)
}
