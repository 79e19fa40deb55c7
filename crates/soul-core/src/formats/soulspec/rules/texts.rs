//! Every file with a text to read: UTF-8, and the soul's own not empty.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::Span;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let is_text = |path: &str| [".md", ".yaml", ".yml", ".json", ".txt"].iter().any(|end| path.ends_with(end));
    for (path, source) in document.files.iter().filter(|(path, _)| is_text(path)) {
        if let Some(at) = source.first_invalid_byte() {
            let message = format!("byte {} is not UTF-8 text", at + 1);
            let diagnostic = Diagnostic::new(Code::InvalidUtf8, message).in_file(path, source, Span::new(at, at + 1));
            diagnostics.push_error(|| diagnostic.help("save the file as UTF-8"));
        }
    }
    let path = document.soul_file();
    if let Some(source) = document.source_of(path).filter(|source| source.text().is_some())
        && document.body().trim().is_empty()
    {
        let diagnostic = Diagnostic::new(Code::EmptySoul, "the soul file is empty");
        let diagnostic = diagnostic.severity(profile.weight()).field("files.soul");
        diagnostics.push(diagnostic.in_file(path, source, Span::new(0, 0)).help("write who the agent is in SOUL.md"));
    }
}
