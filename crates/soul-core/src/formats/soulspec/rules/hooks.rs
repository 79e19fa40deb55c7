//! Hooks: bootstrap and teardown, as instructions in Markdown.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::{Span, shown};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    for (path, source) in &document.files {
        let Some(name) = path.strip_prefix("hooks/") else { continue };
        let wrong =
            |message: String| Diagnostic::new(Code::InvalidHook, message).in_file(path, source, Span::new(0, 0));
        if !matches!(name, "bootstrap.md" | "teardown.md") {
            diagnostics.push_with(|| {
                wrong(format!("{} is not a hook; the hooks are `bootstrap.md` and `teardown.md`", shown(name)))
                    .help("rename it, or move it elsewhere")
            });
        } else if source.text().is_none_or(|text| text.trim().is_empty()) {
            diagnostics
                .push_with(|| wrong("the hook is empty".to_owned()).help("write what the agent does, step by step"));
        }
    }
}
