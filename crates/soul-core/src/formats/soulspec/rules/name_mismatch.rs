//! One agent, one name: the manifest, SOUL.md and IDENTITY.md call it the same.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::names::{NameMismatch, Stating, name_mismatches};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    let (soul, identity) = (document.soul_file(), document.path("files.identity").unwrap_or("IDENTITY.md"));
    for NameMismatch { stating, stated, other, stated_by } in
        name_mismatches(&document.manifest, document.file(soul), document.file(identity))
    {
        let path = if stating == Stating::Soul { soul } else { identity };
        let Some(source) = document.source_of(path) else { continue };
        let message = format!("the agent is called {} here, but {} in {stated_by}", shown(stated.name), shown(other));
        diagnostics.push(
            Diagnostic::new(Code::NameMismatch, message)
                .field("displayName")
                .in_file(path, source, stated.span)
                .help("give it one name in `soul.json`, SOUL.md and IDENTITY.md"),
        );
    }
}
