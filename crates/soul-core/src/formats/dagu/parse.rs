use super::Document;
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::fields::{self, Entry, Fields};
use crate::formats::{Context, control};
use crate::markup::yaml::{GOCCY, Scalar};
use crate::text::{BOM, LineEnds, Source, Span, Spanned, Unified, closest, go_float, shown};

/// Reads a dagu soul.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let id = context.name.as_deref().map(|name| name.strip_suffix(".md").unwrap_or(name).to_owned());
    let mut document = Document { id: id.clone(), ..Document::default() };
    if let Some(id) = id.as_deref().filter(|id| !is_id(id)) {
        diagnostics.push(
            Diagnostic::new(Code::InvalidId, format!("{} is not a valid soul id", shown(id)))
                .field("id")
                .help("name the file with lower-case letters and digits, in words joined by single hyphens, at most 128 characters"),
        );
    }
    if let Some(text) = source.text() {
        let text = Unified::new(text, 0, LineEnds::CrLf);
        read(&text, &mut document, diagnostics);
        control::check(&source, document.content_span.start..document.content_span.end, diagnostics);
    }
    document.source = source;
    document
}

/// Whether a text is a valid soul id.
///
/// ```
/// use soul_core::formats::dagu::is_id;
/// assert!(is_id("concise-ops"));
/// assert!(!is_id("Concise Ops"));
/// ```
#[must_use]
pub fn is_id(id: &str) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    id.len() <= 128 && id.split('-').all(word)
}

fn read(text: &Unified<'_>, document: &mut Document, diagnostics: &mut Collector) {
    let split = match fields::split(text) {
        Ok(Some(split)) => split,
        _ if text.text.starts_with(BOM) => return diagnostics.push(byte_order_mark()),
        Ok(None) => return diagnostics.push(no_frontmatter()),
        Err(diagnostic) => return diagnostics.push(*diagnostic),
    };
    let content = text.text[split.body.clone()].trim_end_matches('\n');
    document.content = content.to_owned();
    document.content_span = text.span(split.body.start..split.body.start + content.len());
    let Some(fields) = Fields::read(text, split.metadata, &GOCCY, diagnostics) else { return };
    let mut other_keys = Vec::new();
    for entry in fields.entries() {
        match entry.key {
            "name" => document.name = string(&fields, entry, diagnostics),
            "description" => document.description = string(&fields, entry, diagnostics),
            _ => {
                document.extras.extend(fields.named(entry, diagnostics));
                other_keys.push(entry);
            }
        }
    }
    let has_name = document.name.as_ref().is_some_and(|name| !name.text.is_empty());
    if !has_name && fields.entries().all(|entry| entry.key != "name" || fields.scalar(entry.value).is_some()) {
        let near = other_keys.iter().position(|entry| closest(entry.key, ["name"]).is_some());
        diagnostics.push(missing_name(text, near.map(|index| other_keys.remove(index))));
    }
    other_keys.into_iter().for_each(|entry| diagnostics.push_with(|| unknown(entry)));
}

fn byte_order_mark() -> Diagnostic {
    let span = Span::new(0, BOM.len_utf8());
    fields::malformed(span, "there is a byte order mark before the frontmatter")
        .help("save the file as UTF-8 without a byte order mark")
        .fix(span, "")
}

fn no_frontmatter() -> Diagnostic {
    let span = Span::new(0, 0);
    fields::malformed(span, "a library soul must begin with frontmatter")
        .help("begin the file with `---`, `name: …`, `---`")
        .fix(span, "---\nname: \n---\n")
}

/// A scalar as text: Go prints numbers and truth values, null is empty.
fn string(fields: &Fields<'_>, entry: Entry<'_>, diagnostics: &mut Collector) -> Option<Spanned> {
    let text = match fields.scalar(entry.value) {
        // The peer's YAML reader is given the text without its last line end, so a block at the
        // very end has none either.
        Some(Scalar::Text(text)) if fields.is_last(entry) => text.strip_suffix('\n').unwrap_or(text).to_owned(),
        Some(Scalar::Text(text)) => text.to_owned(),
        Some(Scalar::Null) => String::new(),
        Some(Scalar::Bool(value)) => value.to_string(),
        Some(Scalar::Int(value)) => value.to_string(),
        Some(Scalar::Float(value)) => go_float(value),
        None => {
            diagnostics.push(fields.wrong_type(entry, entry.value, "must be text"));
            return None;
        }
    };
    Some(Spanned { text, span: fields.span(entry.value) })
}

fn missing_name(text: &Unified<'_>, near: Option<Entry<'_>>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(Code::MissingField, "a library soul needs a `name`").field("name").section("frontmatter");
    match near {
        Some(near) => diagnostic.at(near.key_span).help("did you mean `name`?").fix(near.key_span, "name"),
        None => diagnostic.at(text.span(0..3)).help("add `name: …` to the frontmatter"),
    }
}

fn unknown(entry: Entry<'_>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::UnknownField,
        format!("{} is not a known field; it is kept but has no effect", shown(entry.key)),
    );
    let diagnostic = diagnostic.field(entry.key).section("frontmatter").at(entry.key_span);
    match closest(entry.key, ["description"]) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(entry.key_span, near),
        None => diagnostic,
    }
}
