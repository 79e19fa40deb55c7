use std::path::Path;

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::Document;
use soul_core::formats::agentos::keyword_conflicts;
use soul_core::formats::soulspec::MANIFESTS;

use crate::context::Progress;
use crate::files::{Listing, on_all_cores, souls_of};
use crate::souls::{Loader, Resolved};

/// What is counted while it runs.
pub(crate) const UNIT: &str = "souls checked";

/// Every soul of a tree, in the order of their paths.
pub(crate) fn load_souls(loader: &Loader<'_>, listing: &Listing, progress: &dyn Progress) -> Vec<Resolved> {
    let load = |path: &&Path| {
        let soul = loader.walked(path).or_else(|| {
            // A package that is read in another dialect, and has no soul in that.
            if MANIFESTS.iter().any(|manifest| path.ends_with(manifest)) {
                return None;
            }
            // Listed and not there to be read: a link that leads nowhere is no soul to trust.
            let problem = Diagnostic::new(Code::ParserIo, "could not read the soul: it is a broken link");
            Some(loader.unreadable(path, problem.help("remove the link, or replace it with the file")))
        });
        progress.advance(UNIT, 1, None);
        soul
    };
    let found = on_all_cores(&souls_of(&listing.files), load);
    found.into_iter().flatten().collect()
}

/// Adds what only shows when personas stand side by side.
pub(crate) fn compare_personas(found: &mut [Resolved]) {
    let personas = found.iter().enumerate().filter_map(|(index, soul)| match &soul.document {
        Some(Document::Agentos(document)) => Some((index, (soul.source_path.as_str(), &**document))),
        _ => None,
    });
    let (indexes, personas): (Vec<usize>, Vec<_>) = personas.unzip();
    let conflicts = keyword_conflicts(&personas);
    for (index, diagnostic) in conflicts {
        found[indexes[index]].diagnostics.push(diagnostic);
    }
}
