use std::ops::Range;

use serde_json::Value;

use super::companions::Companions;
use super::frontmatter::{self, Halves, js_trim};
use super::persona::{AVATAR, VOICE, beyond_plain, still_true};
use super::{Document, Group, Limits, Plain, TRAITS, lints, trait_named};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::fields::{self, Entry, Fields, Named};
use crate::formats::{Context, control};
use crate::markup::frontmatter::{Opening, opening};
use crate::markup::yaml::{JS_YAML, Scalar};
use crate::model::Field;
use crate::text::{LineEnds, Source, Span, Spanned, Unified, closest, shown};

/// The keys that mean something.
pub(crate) const KEYS: [&str; 10] =
    ["name", "agentId", "role", "hexaco", "voice", "defaultMood", "allowedMoods", "hardLimits", "avatar", "metadata"];

/// The key that holds what the others cannot.
const BEYOND: &str = "persona";

/// Reads an agentos soul: a SOUL.md with what stands beside it, or a persona as JSON.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let mut document = Document { companions: Companions::of(context), ..Document::default() };
    if let Some(text) = source.text() {
        let unified = Unified::new(text, 0, LineEnds::All);
        let readable = if context.name.as_deref().is_some_and(|name| name.ends_with(".json")) {
            read_json(&unified, &mut document, diagnostics)
        } else {
            read(&unified, text, &mut document, diagnostics)
        };
        let span = document.plain.body_span;
        control::check(&source, span.start..span.end, diagnostics);
        document.source = source.clone();
        if readable.is_some() {
            lints::check(&document, diagnostics);
        }
    }
    document.source = source;
    document
}

fn read_json(text: &Unified<'_>, document: &mut Document, diagnostics: &mut Collector) -> Option<()> {
    let fields = Fields::read_json(text, 0..text.text.len(), "the persona", diagnostics)?;
    for entry in fields.entries() {
        let is_text = || matches!(fields.scalar(entry.value), Some(Scalar::Text(_) | Scalar::Null));
        if matches!(entry.key, "id" | "name" | "description" | "version") && !is_text() {
            diagnostics.push(fields.wrong_type(entry, entry.value, "must be a string"));
        }
    }
    let persona = fields
        .entries()
        .filter_map(|entry| fields.named(entry, diagnostics))
        .map(|named| (named.key, named.value))
        .collect();
    document.plain = Plain::of_persona(&persona);
    document.beyond = beyond_plain(&persona, &document.plain);
    if !document.beyond.is_empty() {
        let value = Value::Object(document.beyond.clone());
        document.plain.extras.push(Named { key: BEYOND.into(), value, span: Span::default() });
    }
    document.plain.body = js_trim(&document.plain.body).to_owned();
    Some(())
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
        Some(halves) => read_frontmatter(text, &halves, document, diagnostics),
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
            .help("delete what stands before the dashes")
            .fix(text.span(0..line.end), "---"),
        );
    }
}

fn read_frontmatter(
    text: &Unified<'_>,
    halves: &Halves,
    document: &mut Document,
    diagnostics: &mut Collector,
) -> Option<()> {
    let language = &text.text[halves.language.clone()];
    let fields = match language {
        "" | "yaml" | "yml" => Fields::read(text, halves.metadata.clone(), &JS_YAML, diagnostics),
        "json" => Fields::read_json(text, halves.metadata.clone(), "frontmatter", diagnostics),
        _ => {
            diagnostics.push(foreign(text, halves.language.clone()));
            None
        }
    };
    if !halves.closed {
        diagnostics.push(
            Diagnostic::new(Code::UnclosedFrontmatter, "the frontmatter is never closed, so the soul has no body")
                .at(text.span(0..3))
                .help("close it with `---` alone on a line"),
        );
    }
    let fields = fields?;
    let mut reader = Reader { fields: &fields, diagnostics };
    fields.entries().for_each(|entry| reader.field(entry, &mut document.plain));
    let beyond = document.plain.extras.iter().find(|named| named.key == BEYOND);
    if let Some(Named { value: Value::Object(beyond), span, .. }) = beyond {
        let style = document.companions.get(Field::Style);
        let (kept, stale) = still_true(beyond.clone(), &document.plain, style);
        for key in stale {
            let message =
                format!("`persona.{key}` no longer agrees with what stands outside `persona`, and is not used");
            let diagnostic = Diagnostic::new(Code::StalePersona, message).field(format!("persona.{key}"));
            diagnostics.push(diagnostic.at(*span).help("delete it"));
        }
        document.beyond = kept;
    }
    Some(())
}

fn foreign(text: &Unified<'_>, language: Range<usize>) -> Diagnostic {
    let name = shown(&text.text[language.clone()]);
    let message = format!("frontmatter in {name} is not read: a soul is YAML or JSON, and never code");
    fields::malformed(text.span(language), message).help("write it as YAML, behind a bare `---`")
}

struct Reader<'a> {
    fields: &'a Fields<'a>,
    diagnostics: &'a mut Collector,
}

impl Reader<'_> {
    fn field(&mut self, entry: Entry<'_>, plain: &mut Plain) {
        match entry.key {
            "name" => plain.name = self.text(entry),
            "agentId" => plain.id = self.text(entry),
            "role" => plain.role = self.text(entry),
            "hexaco" => plain.traits = self.traits(entry),
            "voice" => plain.voice = self.map(entry, &VOICE),
            "avatar" => plain.avatar = self.map(entry, &AVATAR),
            "defaultMood" => plain.default_mood = self.text(entry),
            "allowedMoods" => plain.moods = self.list(entry),
            "hardLimits" => plain.limits = self.limits(entry),
            "metadata" => {
                plain.metadata = self.fields.named(entry, self.diagnostics).filter(|named| !named.value.is_null())
            }
            _ => plain.extras.extend(self.unknown(entry)),
        }
    }

    fn text(&mut self, entry: Entry<'_>) -> Option<Spanned> {
        let text = match self.fields.scalar(entry.value) {
            Some(Scalar::Text(text)) => text.to_owned(),
            Some(Scalar::Null) => return None,
            _ => {
                self.diagnostics.push_error(|| self.fields.wrong_type(entry, entry.value, "must be a string"));
                Fields::written(entry.value)?
            }
        };
        Some(Spanned { text, span: self.fields.span(entry.value) })
    }

    fn list(&mut self, entry: Entry<'_>) -> Option<Group<Spanned>> {
        if let Some(Scalar::Null) = self.fields.scalar(entry.value) {
            return None;
        }
        let Some(items) = self.fields.sequence(entry) else {
            self.diagnostics.push_error(|| self.fields.wrong_type(entry, entry.value, "must be a list of strings"));
            let text = Fields::written(entry.value)?;
            let items = vec![Spanned { text, span: self.fields.span(entry.value) }];
            return Some(Group { key_span: entry.key_span, items });
        };
        let mut list = Vec::new();
        for (index, item) in items.enumerate() {
            let text = match self.fields.scalar(item) {
                Some(Scalar::Text(text)) => Some(text.to_owned()),
                _ => {
                    let must = format!("must be a list of strings, and entry {} is none", index + 1);
                    self.diagnostics.push_error(|| self.fields.wrong_type(entry, item, &must));
                    Fields::written(item)
                }
            };
            list.extend(text.map(|text| Spanned { text, span: self.fields.span(item) }));
        }
        Some(Group { key_span: entry.key_span, items: list })
    }

    fn limits(&mut self, entry: Entry<'_>) -> Option<Limits> {
        match self.fields.scalar(entry.value) {
            Some(Scalar::Text(text)) => {
                Some(Limits::One(Spanned { text: text.to_owned(), span: self.fields.span(entry.value) }))
            }
            _ => self.list(entry).map(Limits::Many),
        }
    }

    /// The fields of a mapping, of which the known ones must be text.
    fn map(&mut self, entry: Entry<'_>, known: &[&'static str]) -> Option<Group<Named>> {
        if let Some(Scalar::Null) = self.fields.scalar(entry.value) {
            return None;
        }
        let Some(inner) = self.fields.mapping(entry) else {
            self.diagnostics.push_error(|| self.fields.wrong_type(entry, entry.value, "must be a mapping"));
            return None;
        };
        let mut map = Vec::new();
        for field in inner {
            let is_text = matches!(self.fields.scalar(field.value), Some(Scalar::Text(_) | Scalar::Null));
            if known.contains(&field.key) && !is_text {
                self.diagnostics.push_error(|| self.fields.wrong_type(field, field.value, "must be a string"));
            } else if !known.contains(&field.key) {
                self.diagnostics.push_with(|| unread(field, known.iter().copied()));
            }
            map.extend(self.fields.named(field, self.diagnostics).filter(|named| !named.value.is_null()));
        }
        Some(Group { key_span: entry.key_span, items: map })
    }

    fn traits(&mut self, entry: Entry<'_>) -> Option<Group<Named>> {
        if let Some(Scalar::Null) = self.fields.scalar(entry.value) {
            return None;
        }
        let Some(inner) = self.fields.mapping(entry) else {
            self.diagnostics
                .push_error(|| self.fields.wrong_type(entry, entry.value, "must be a mapping of traits to scores"));
            return None;
        };
        let mut traits: Vec<Named> = Vec::new();
        for field in inner {
            let Some(named) = self.fields.named(field, self.diagnostics).filter(|named| !named.value.is_null()) else {
                continue;
            };
            match trait_named(field.key) {
                None => self.diagnostics.push_with(|| unknown_trait(field)),
                Some(name) => {
                    let twin = traits.iter().find(|other| trait_named(&other.key) == Some(name));
                    self.score(field, &named, twin);
                }
            }
            traits.push(named);
        }
        Some(Group { key_span: entry.key_span, items: traits })
    }

    /// A score lies in 0..1, and a trait has one.
    fn score(&mut self, field: Entry<'_>, named: &Named, twin: Option<&Named>) {
        let at = |code, message: String| {
            Diagnostic::new(code, message).field(format!("hexaco.{}", field.key)).section("frontmatter").at(named.span)
        };
        match named.value.as_f64() {
            None => self.diagnostics.push_error(|| {
                let message = format!("`hexaco.{}` must be a number from 0 to 1", field.key);
                at(Code::InvalidFieldType, message).help("write a score such as 0.75, without quotes")
            }),
            Some(score) if !(0.0..=1.0).contains(&score) => self.diagnostics.push_error(|| {
                let message = format!("`hexaco.{}` is {score}, and a score lies between 0 and 1", field.key);
                at(Code::TraitOutOfRange, message).help("choose a score from 0 (not at all) to 1 (fully)")
            }),
            Some(_) => {}
        }
        if let Some(twin) = twin {
            self.diagnostics.push_error(|| {
                let message = format!("`{}` and `{}` are the same trait", twin.key, field.key);
                at(Code::DuplicateTrait, message).related(twin.span, "this one counts").help("keep one of the two")
            });
        }
    }

    fn unknown(&mut self, entry: Entry<'_>) -> Option<Named> {
        if entry.key != BEYOND {
            self.diagnostics.push_with(|| unread(entry, KEYS.into_iter().filter(|key| !self.fields.has(key))));
        }
        self.fields.named(entry, self.diagnostics)
    }
}

/// A key that is not read: a warning if it is a slip of a key that would be.
fn unread(entry: Entry<'_>, known: impl Iterator<Item = &'static str>) -> Diagnostic {
    let message = format!("{} is not read; it is kept as it is", shown(entry.key));
    match closest(entry.key, known) {
        Some(near) => Diagnostic::new(Code::MisspeltField, message)
            .help(format!("did you mean `{near}`?"))
            .fix(entry.key_span, near),
        None => Diagnostic::new(Code::UnknownField, message),
    }
    .field(entry.key)
    .section("frontmatter")
    .at(entry.key_span)
}

fn unknown_trait(field: Entry<'_>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::UnknownTrait,
        format!("{} is not one of the six traits; it is kept and has no effect", shown(field.key)),
    );
    let diagnostic = diagnostic.field(format!("hexaco.{}", field.key)).section("frontmatter").at(field.key_span);
    match closest(field.key, TRAITS) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(field.key_span, near),
        None => diagnostic.help(format!("the traits are {}", TRAITS.join(", "))),
    }
}
