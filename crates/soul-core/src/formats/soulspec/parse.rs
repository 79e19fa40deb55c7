use serde_json::Value;

use super::rules::RULES;
use super::{Document, KeySpans, Profile, SpecVersion};
use crate::diagnostics::Collector;
use crate::formats::Context;
use crate::formats::fields::{Entry, Fields};
use crate::text::{BOM, LineEnds, Source, Unified};

/// Reads a package: its manifest, then every rule over manifest and files.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let name = context.name.clone();
    let mut document =
        Document { name, files: context.files.clone(), complete: context.complete, ..Document::default() };
    document.version = SpecVersion::inferred(document.name.as_deref());
    let read = source.text().and_then(|text| {
        let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let text = Unified::new(text, start, LineEnds::CrLf);
        let fields = Fields::read_json(&text, 0..text.text.len(), "the manifest", diagnostics)?;
        for entry in fields.entries() {
            place(&fields, entry, entry.key, &mut document);
            let named = fields.named(entry, diagnostics)?;
            document.manifest.insert(named.key, named.value);
        }
        Some(())
    });
    document.source = source;
    if read.is_some() {
        if let Some(version) = document.text("specVersion") {
            // A version that we do not know is most likely newer than we are.
            document.version = version.parse().unwrap_or(SpecVersion::V0_6);
        }
        RULES.iter().for_each(|rule| rule(&document, context.profile, diagnostics));
    }
    document
}

/// So many entries of a list have places; what is wrong with longer ones is their length.
pub(super) const MOST_PLACES: usize = 1_000;

/// Whether a key could be taken for a path of keys. No field has such a name.
pub(super) fn is_ambiguous(key: &str) -> bool {
    key.contains(['.', '[', ']'])
}

/// Notes where a key, and everything below it, stands.
fn place(fields: &Fields<'_>, entry: Entry<'_>, path: &str, document: &mut Document) {
    if is_ambiguous(entry.key) {
        return;
    }
    document.key_spans.insert(path.to_owned(), KeySpans { key: entry.key_span, value: fields.span(entry.value) });
    for inner in fields.mapping(entry).into_iter().flatten() {
        place(fields, inner, &format!("{path}.{}", inner.key), document);
    }
    for (index, item) in fields.items(entry).take(MOST_PLACES).enumerate() {
        let path = format!("{path}[{index}]");
        let span = fields.span(item.value);
        document.key_spans.insert(path.clone(), KeySpans { key: span, value: span });
        for inner in fields.mapping(item).into_iter().flatten() {
            place(fields, inner, &format!("{path}.{}", inner.key), document);
        }
    }
}

/// What a value is, in a word.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Profile {
    /// How much it weighs that a registry would refuse this.
    pub(super) const fn weight(self) -> crate::diagnostics::Severity {
        match self {
            Self::Lenient => crate::diagnostics::Severity::Warning,
            Self::Publish => crate::diagnostics::Severity::Error,
        }
    }
}
