//! List the souls of the library, or search them.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::library::{Error as LibraryError, Skipped, SoulId, chain};
use crate::ops::{Carried, Error, Grant};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// How many souls a page has if nothing is said, and at most.
pub const DEFAULT_PER_PAGE: i64 = 50;
const MAX_PER_PAGE: i64 = 200;

/// Which part of which souls.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {
    /// What must be in name, description, id or content; all souls if it is empty.
    pub query: String,
    /// The page, from 1; what is less is the first.
    pub page: i64,
    /// How many on each, 50 if it is 0, never more than 200.
    pub per_page: i64,
}

/// A page of souls, by name and id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// Which page it is.
    pub pagination: Pagination,
    /// The souls on it.
    pub souls: Vec<Entry>,
    /// Files in the folder that are no souls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// The one that is selected, for people.
    #[serde(default, skip_serializing_if = "Carried::stays")]
    pub selected: Carried<Option<SoulId>>,
}

/// A page among all pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// This page.
    pub current_page: i64,
    /// The next one, or the last.
    pub next_page: i64,
    /// The one before, or the first.
    pub prev_page: i64,
    /// How many there are; one if there is nothing.
    pub total_pages: i64,
    /// How many souls there are.
    pub total_records: usize,
}

/// One soul in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its id.
    pub id: SoulId,
    /// What people call it.
    pub name: String,
}

/// Finds the souls.
///
/// # Errors
/// When the library cannot be read, or no library could have such a page.
pub fn run(keeper: &Keeper, request: &Request) -> Result<Response, Error> {
    let (page, skip, per_page) = page(request)?;
    let index = keeper.library()?;
    let found = index.search(&request.query);
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let total_pages = (total.max(1) - 1) / per_page + 1;
    let souls = found.iter().skip(skip).take(usize::try_from(per_page).unwrap_or(0)).map(|entry| Entry {
        description: entry.description.clone(),
        id: entry.id.clone(),
        name: entry.name.clone(),
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
        selected: Carried::new(chain::selected(keeper)?),
    })
}

/// The page, how many souls are before it, and how many are on it.
fn page(request: &Request) -> Result<(i64, usize, i64), LibraryError> {
    let bad = || LibraryError::BadPage { page: request.page, per_page: request.per_page };
    let page = request.page.max(1);
    let per_page = match request.per_page {
        0 => DEFAULT_PER_PAGE,
        1.. => request.per_page.min(MAX_PER_PAGE),
        _ => return Err(bad()),
    };
    let skip = (page - 1).checked_mul(per_page).and_then(|skip| usize::try_from(skip).ok());
    Ok((page, skip.ok_or_else(bad)?, per_page))
}
