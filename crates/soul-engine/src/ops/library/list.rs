//! List the souls of the library, or search them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;
use soul_core::sigil::Parts;

use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::library::member::key;
use crate::library::{Error as LibraryError, Skipped, SoulId, chain};
use crate::ops::{Error, Hints, Operation};
use crate::seed;

/// How many souls a page has by default.
pub const DEFAULT_PER_PAGE: i64 = 50;
/// How many souls a page has at most.
const MAX_PER_PAGE: i64 = 200;

/// List the souls of the library by name, or only those that contain a text.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Text to look for in names, descriptions, ids and contents, in any case; lists all souls if empty.
    #[serde(default)]
    pub query: String,
    /// Number of the page, from 1.
    #[serde(default = "first_page")]
    pub page: i64,
    /// Number of souls on a page, at most 200; 0 means 50.
    #[serde(default)]
    pub per_page: i64,
    /// Include the id of the selected soul.
    #[serde(default)]
    pub selected: bool,
}

const fn first_page() -> i64 {
    1
}

/// A page of souls, by name and id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibraryPage")]
pub struct Response {
    /// Position of the page among all pages.
    pub pagination: Pagination,
    /// The souls on this page.
    pub souls: Vec<Entry>,
    /// Files in the library's folder that are not valid souls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Id of the selected soul, if the request asks for it and one is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<SoulId>,
}

/// Position of a page among all pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibraryPagination")]
pub struct Pagination {
    /// Number of this page.
    pub current_page: i64,
    /// Number of the next page; the last page names itself.
    pub next_page: i64,
    /// Number of the previous page; the first page names itself.
    pub prev_page: i64,
    /// Number of pages; at least 1.
    pub total_pages: i64,
    /// Number of souls on all pages.
    pub total_records: usize,
}

/// A soul in a list, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibraryEntry")]
pub struct Entry {
    /// What the soul is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Id of the soul.
    pub id: SoulId,
    /// Name of the soul.
    pub name: String,
    /// Digest of the soul.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Digest of each part of the soul: what its sigil is drawn from.
    #[serde(default)]
    pub parts: Parts,
    /// Colour of its sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// When its file was last modified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Time>,
}

impl Operation for Request {
    const NAME: &'static str = "library.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        seed::library_if_possible(keeper);
        let (page, skip, per_page) = self.position()?;
        let index = keeper.library()?;
        let found = index.search(&self.query);
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let total_pages = (total.max(1) - 1) / per_page + 1;
        let souls = found.iter().skip(skip).take(usize::try_from(per_page).unwrap_or(0)).map(|entry| Entry {
            description: entry.description.clone(),
            id: entry.id.clone(),
            name: entry.name.clone(),
            digest: Some(entry.digest),
            parts: entry.parts,
            hue: key(keeper, &entry.id).hue(),
            updated_at: Some(Time::of_seconds(entry.modified)),
        });
        Ok(Response {
            pagination: Pagination {
                current_page: page,
                next_page: page.saturating_add(1).min(total_pages),
                prev_page: (page - 1).max(1),
                total_pages,
                total_records: found.len(),
            },
            souls: souls.collect(),
            skipped: index.skipped(),
            selected: if self.selected { chain::selected(keeper)? } else { None },
        })
    }
}

impl Request {
    /// The page, how many souls come before it, and how many it has.
    fn position(&self) -> Result<(i64, usize, i64), LibraryError> {
        let bad = || LibraryError::BadPage { page: self.page, per_page: self.per_page };
        let page = self.page.max(1);
        let per_page = match self.per_page {
            0 => DEFAULT_PER_PAGE,
            1.. => self.per_page.min(MAX_PER_PAGE),
            _ => return Err(bad()),
        };
        let skip = (page - 1).checked_mul(per_page).and_then(|skip| usize::try_from(skip).ok());
        Ok((page, skip.ok_or_else(bad)?, per_page))
    }
}
