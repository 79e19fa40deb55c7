//! The library, in the keys that it is known by.

use utoipa::ToSchema;

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(in crate::http) struct LibrarySouls {
    pagination: Pagination,
    souls: Vec<LibraryEntry>,
    /// Files in the folder that are no souls.
    #[schema(required = false)]
    skipped: Vec<Skipped>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Pagination {
    current_page: i64,
    next_page: i64,
    prev_page: i64,
    total_pages: i64,
    total_records: u64,
}

#[derive(ToSchema)]
struct LibraryEntry {
    #[schema(required = false)]
    description: String,
    id: String,
    name: String,
}

#[derive(ToSchema)]
struct Skipped {
    file: String,
    reason: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(in crate::http) struct LibrarySoul {
    #[schema(required = false)]
    content: String,
    #[schema(required = false)]
    description: String,
    /// What names all of it, for `expectedDigest`.
    digest: Option<String>,
    id: String,
    name: String,
    /// The revision that was recorded, if the request changed the soul.
    #[schema(required = false)]
    revision_id: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(in crate::http) struct AgentSettings {
    /// The soul that is selected, if one is.
    #[schema(required = false)]
    selected_soul_id: String,
    /// The soul that a session without an agent would take; none if that is invalid.
    soul: Option<TakenSoul>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct TakenSoul {
    id: String,
    name: String,
    /// `selected`, `default` or `built-in`.
    reason: String,
    #[schema(required = false)]
    passed_over: Vec<PassedOver>,
}

#[derive(ToSchema)]
pub(super) struct PassedOver {
    id: String,
    why: String,
}
