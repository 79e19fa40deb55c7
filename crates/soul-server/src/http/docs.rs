//! The pages of `docs/` that whoever runs a service reads, as they are in the repository.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

/// Each page: its file, what it is about, its text.
pub(super) const PAGES: &[(&str, &str, &str)] = &[
    ("http.md", "the service, step by step with curl", include_str!("../../../../docs/http.md")),
    ("library.md", "the library, and which soul is used", include_str!("../../../../docs/library.md")),
    ("prompt.md", "what a model sees", include_str!("../../../../docs/prompt.md")),
    ("guarantees.md", "what is durable when", include_str!("../../../../docs/guarantees.md")),
    ("backup.md", "how to back up and restore", include_str!("../../../../docs/backup.md")),
    ("workspaces.md", "copies of a workspace and their records", include_str!("../../../../docs/workspaces.md")),
    ("scanner.md", "what the scanner refuses", include_str!("../../../../docs/scanner.md")),
];

pub(super) async fn page(Path(file): Path<String>) -> Result<Response, Failure> {
    let found = PAGES.iter().find(|(known, ..)| *known == file);
    let (_, _, text) = found.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, "not_found", "that page is only in `docs/` of the repository")
    })?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], *text).into_response())
}
