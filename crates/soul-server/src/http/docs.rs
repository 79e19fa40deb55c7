//! The pages of `docs/`, as they are in the repository.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

/// A row of `PAGES`.
macro_rules! page {
    ($file:literal, $about:literal) => {
        ($file, $about, include_str!(concat!("../../../../docs/", $file)))
    };
}

/// Each page: its file, what it is about, its text. What a page links to is here too.
const PAGES: &[(&str, &str, &str)] = &[
    page!("studio.md", "the studio, page by page"),
    page!("http.md", "the service, step by step with curl"),
    page!("mcp.md", "agents and editors over MCP"),
    page!("glossary.md", "the words that these pages use"),
    page!("prompt.md", "what a model sees, layer by layer"),
    page!("library.md", "the soul library, and how a soul is chosen"),
    page!("persona.md", "traits, moods and how they change"),
    page!("personas.md", "persona JSON, field by field"),
    page!("delivery.md", "what runtimes give the model, export, import and receipts"),
    page!("proposals.md", "how an agent proposes changes of its own soul"),
    page!("memory.md", "how memory is laid out and searched"),
    page!("sync.md", "souls and memory through git"),
    page!("calibration.md", "testing souls and models"),
    page!("check.md", "checking souls, in CI and before commits"),
    page!("scanner.md", "how souls are scanned"),
    page!("rules.md", "every rule of the scanner"),
    page!("diagnostics.md", "every diagnostic"),
    page!("dialects.md", "what each dialect keeps, and where"),
    page!("detection.md", "how the dialect of a soul is chosen"),
    page!("plain.md", "free Markdown as a soul"),
    page!("headings.md", "the headings that plain souls understand"),
    page!("soulspec.md", "Soul Spec packages"),
    page!("registry.md", "publishing, finding and installing packages"),
    page!("conversion.md", "converting souls"),
    page!("guarantees.md", "what survives a crash"),
    page!("backup.md", "backing up and restoring"),
    page!("stores.md", "where the record is stored, and moving it"),
    page!("scaling.md", "many keepers on one database"),
    page!("workspaces.md", "copies of a workspace and their records"),
    page!("benchmarks.md", "how fast it is"),
];

/// Each page: its file, and what it is about.
pub(crate) fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES.iter().map(|(file, about, _)| (*file, *about))
}

pub(super) async fn page(Path(file): Path<String>) -> Result<Response, Failure> {
    let found = PAGES.iter().find(|(known, ..)| *known == file);
    let (_, _, text) =
        found.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "not_found", "there is no such page"))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], *text).into_response())
}

#[cfg(test)]
mod tests {
    use super::PAGES;

    #[test]
    fn served_pages_link_to_served_pages() {
        let mut links = 0;
        for (file, _, text) in PAGES {
            // What stands in code is an example.
            let shown: String = text.replace("``", "`").split('`').step_by(2).map(str::to_owned).collect();
            let targets = shown.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
            let pages = targets.map(|link| link.split('#').next().unwrap_or(link)).filter(|page| page.ends_with(".md"));
            for page in pages {
                links += 1;
                assert!(PAGES.iter().any(|(known, ..)| *known == page), "{file} links to {page}");
            }
        }
        assert!(links > 0);
    }
}
