use std::ops::Range;

use serde_json::Value;

use super::companions::{COMPANIONS, Companions};
use super::flattened::flattened;
use super::frontmatter::{self, Halves, js_trim};
use super::keywords::keywords;
use super::persona::{DEFAULT_ID, DEFAULT_NAME, beyond_plain, flat_prompt};
use super::persona_rules::Persona;
use super::reader::Reader;
use super::stale::still_true;
use super::{Document, Group, Plain, lints};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::fields::{self, Fields, Named};
use crate::formats::{Context, control};
use crate::markup::frontmatter::{Opening, opening};
use crate::markup::yaml::JS_YAML;
use crate::model::Field;
use crate::text::{BOM, LineEnds, Source, Span, Unified, shown};

/// The keys that mean something.
pub(crate) const KEYS: [&str; 11] = [
    "name",
    "agentId",
    "role",
    "hexaco",
    "voice",
    "defaultMood",
    "allowedMoods",
    "hardLimits",
    "avatar",
    "metadata",
    "persona",
];

/// Reads an agentos soul: a SOUL.md with what stands beside it, or a persona as JSON.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let companions = Companions::from_context(context);
    let others = context.files.iter().filter(|(path, _)| !COMPANIONS.iter().any(|(name, ..)| name == path));
    let others = others.map(|(path, source)| (path.clone(), source.clone())).collect();
    let mut document = Document { companions, others, source, ..Document::default() };
    let source = document.source.clone();
    if let Some(text) = source.text() {
        let unified = Unified::new(text, 0, LineEnds::All);
        let named_json = context.name.as_deref().is_some_and(|name| name.to_ascii_lowercase().ends_with(".json"));
        let is_json = named_json || looks_like_json(text);
        let readable = if is_json {
            read_json(&unified, &mut document, diagnostics)
        } else {
            read(&unified, text, &mut document, diagnostics)
        };
        let span = document.plain.body_span;
        control::check(&source, span.start..span.end, diagnostics);
        if readable.is_some() {
            lints::check(&document, is_json, diagnostics);
        }
    }
    let companions = context.files.iter().filter(|(path, _)| COMPANIONS.iter().any(|(name, ..)| name == path));
    for (name, beside) in companions.filter(|(_, source)| source.first_invalid_byte().is_some()) {
        let at = beside.first_invalid_byte().unwrap_or_default();
        let diagnostic = Diagnostic::new(Code::InvalidUtf8, format!("byte {} of {name} is not UTF-8 text", at + 1));
        diagnostics.push(diagnostic.help("save the file as UTF-8"));
    }
    document
}

/// Whether a text is meant to be a JSON object: it begins with a brace and a key, as no prose does.
#[must_use]
pub fn looks_like_json(text: &str) -> bool {
    let inside = text.trim_start_matches(BOM).trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with(['"', '}']))
}

fn read_json(text: &Unified<'_>, document: &mut Document, diagnostics: &mut Collector) -> Option<()> {
    let start = if text.text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let fields = Fields::read_json(text, start..text.text.len(), "the persona", diagnostics)?;
    let plain = &mut document.plain;
    let mut reader = Reader { fields: &fields, diagnostics };
    fields.entries().for_each(|entry| reader.persona_field(entry, plain));
    let brace = start + text.text[start..].find('{').unwrap_or_default();
    let brace = Some(text.span(brace..brace + 1));
    Persona { fields: &fields, entries: fields.entries().collect(), brace }.check(diagnostics);
    document.keywords = keywords(&fields, &["activationKeywords"]);
    let named = fields.entries().filter_map(|entry| fields.named(entry, diagnostics));
    let persona = named.map(|named| (named.key, named.value)).collect();
    // A name that only stands for none was not given by anybody.
    if Plain::text(plain.name.as_ref()) == Some(DEFAULT_NAME) && Plain::text(plain.id.as_ref()) == Some(DEFAULT_ID) {
        (plain.name, plain.id) = (None, None);
    }
    if let Some(prompt) = fields.entries().find(|entry| entry.key == "baseSystemPrompt") {
        plain.body_span = fields.span(prompt.value);
    }
    plain.body = persona_prompt(&persona);
    document.beyond = beyond_plain(&persona, plain);
    let items = document.beyond.iter();
    let items = items.map(|(key, value)| Named { key: key.clone(), value: value.clone(), span: Span::default() });
    plain.persona =
        Some(Group { key_span: Span::default(), items: items.collect() }).filter(|group| !group.items.is_empty());
    plain.body = js_trim(&plain.body).to_owned();
    Some(())
}

fn persona_prompt(persona: &serde_json::Map<String, Value>) -> String {
    persona.get("baseSystemPrompt").map(flat_prompt).unwrap_or_default()
}

fn read(text: &Unified<'_>, raw: &str, document: &mut Document, diagnostics: &mut Collector) -> Option<()> {
    let halves = frontmatter::split(&text.text);
    let body = halves.as_ref().map_or(0..text.text.len(), |halves| halves.body.clone());
    let whole = text.span(body);
    let trimmed = js_trim(&raw[whole.start..whole.end]);
    let start = whole.start + (trimmed.as_ptr() as usize - raw[whole.start..].as_ptr() as usize);
    document.plain.body = trimmed.to_owned();
    document.plain.body_span = Span::new(start, start + trimmed.len());
    match halves {
        Some(halves) => read_frontmatter(text, raw, &halves, document, diagnostics),
        None => {
            misplaced(text, diagnostics);
            Some(())
        }
    }
}

/// Something that looks like frontmatter and is prose to this dialect.
fn misplaced(text: &Unified<'_>, diagnostics: &mut Collector) {
    if let Opening::Misplaced(line) = opening(&text.text) {
        diagnostics.push(
            Diagnostic::new(
                Code::MisplacedFrontmatter,
                "this looks like frontmatter but does not begin the file, so it is read as prose",
            )
            .at(text.span(line.clone()))
            .help("delete what is before the dashes")
            .fix(text.span(0..line.end), "---"),
        );
    }
}

fn read_frontmatter(
    text: &Unified<'_>,
    raw: &str,
    halves: &Halves,
    document: &mut Document,
    diagnostics: &mut Collector,
) -> Option<()> {
    let language = text.text[halves.language.clone()].to_ascii_lowercase();
    let is_yaml = matches!(language.as_str(), "" | "yaml" | "yml");
    let fields = match language.as_str() {
        _ if is_yaml => Fields::read(text, halves.metadata.clone(), &JS_YAML, diagnostics),
        "json" => Fields::read_json(text, halves.metadata.clone(), "frontmatter", diagnostics),
        _ => {
            diagnostics.push(foreign(text, halves.language.clone()));
            None
        }
    };
    if !halves.closed {
        let message = "the frontmatter is never closed, so the soul has no body";
        diagnostics.push(fields::unclosed(text, Diagnostic::new(Code::UnclosedFrontmatter, message)));
    }
    let fields = fields?;
    let entries: Vec<_> = fields.entries().collect();
    let flat = if is_yaml { flattened(&fields, &entries, raw) } else { Vec::new() };
    let mut reader = Reader { fields: &fields, diagnostics };
    for (at, entry) in entries.iter().enumerate() {
        if flat.iter().any(|flat| flat.keys.contains(&at)) {
            reader.keep(*entry, &mut document.plain);
        } else {
            reader.field(*entry, &mut document.plain);
        }
    }
    flat.into_iter().for_each(|flat| diagnostics.push(flat.diagnostic));
    document.keywords = keywords(&fields, &["persona", "activationKeywords"]);
    drop_stale(&fields, document, diagnostics);
    Some(())
}

/// Takes what `persona` keeps, as far as it still agrees with the plain keys.
fn drop_stale(fields: &Fields<'_>, document: &mut Document, diagnostics: &mut Collector) {
    let Some(kept) = &document.plain.persona else { return };
    let beyond = kept.items.iter().map(|named| (named.key.clone(), named.value.clone())).collect();
    let (beyond, stale) = still_true(beyond, &document.plain, document.companions.get(Field::Style));
    for path in stale {
        let field = format!("persona.{}", path.join("."));
        let steps = std::iter::once("persona").chain(path.iter().map(String::as_str));
        let span = fields.entry_at(steps).map_or(kept.key_span, |entry| fields.span(entry.value));
        let message = format!("`{field}` contradicts the fields outside `persona` and is not used");
        diagnostics.push(Diagnostic::new(Code::StalePersona, message).field(field).at(span).help("delete it"));
    }
    document.beyond = beyond;
}

fn foreign(text: &Unified<'_>, language: Range<usize>) -> Diagnostic {
    let name = shown(&text.text[language.clone()]);
    let message = format!("frontmatter in {name} is not read: only YAML and JSON are");
    fields::malformed(text.span(language), message).help("write it as YAML, after a bare `---`")
}
