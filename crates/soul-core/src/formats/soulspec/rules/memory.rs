//! The memory block: paths inside the workspace and their placeholders, and the searches there are.

use super::file_map::is_outside;
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    for (path, known) in
        [("memory.search.default", &["tfidf", "bm25"][..]), ("memory.search.enhanced", &["llm-rerank"])]
    {
        if let Some(search) = document.text(path).filter(|search| !known.contains(search)) {
            let message = format!("{} is not a memory search of the specification; it has no effect", shown(search));
            diagnostics.push(
                Diagnostic::new(Code::MemorySearch, message)
                    .field(path)
                    .at(document.at(path))
                    .help(format!("write {}", shown(known[0]))),
            );
        }
    }
    for (name, needs) in [("longTerm", None), ("daily", Some("YYYY-MM-DD")), ("topics", Some("*")), ("runtime", None)] {
        let path = format!("memory.layout.{name}");
        let Some(layout) = document.text(&path) else { continue };
        let wrong =
            |message: String| Diagnostic::new(Code::MemoryLayout, message).field(path.clone()).at(document.at(&path));
        if is_outside(layout) {
            diagnostics.push(
                wrong(format!("`{path}` points outside the workspace: {}", shown(layout)))
                    .help("name a path inside it"),
            );
        } else if let Some(needs) = needs.filter(|needs| !layout.contains(needs)) {
            diagnostics.push(
                wrong(format!("`{path}` has no `{needs}`, so everything would go to one file"))
                    .help(format!("put `{needs}` into the file's name")),
            );
        }
    }
}
