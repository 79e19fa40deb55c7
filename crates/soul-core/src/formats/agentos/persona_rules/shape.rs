//! Every field of a persona has its type, and a name that is none gets a suggestion.

use super::Persona;
use super::table::Shape::{
    Any, Each, Fields, Flag, List, Mapping, Number, OneOf, PlainFields, PlainMapping, PlainText, Prompt, SomeOf, Text,
    TextMap, Texts,
};
use super::table::{Field, MOOD, OTHER_NAMES, PERSONA, Shape};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::agentos::reader::renamed;
use crate::formats::fields::Entry;
use crate::markup::yaml::{NodeKind, Scalar};
use crate::text::{closest, shown};

/// Of a mapping with more unknown keys than this, the others are not looked at: no person wrote it.
const MOST_KEYS: usize = 200;

/// The rule.
pub(super) fn types_and_names(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let mut renames = Vec::new();
    let absent: Vec<_> = PERSONA.iter().filter(|(key, _)| persona.get(key).is_none()).collect();
    for entry in persona.entries.iter().copied() {
        match PERSONA.iter().find(|(key, _)| *key == entry.key) {
            Some((key, shape)) => Checker { persona, diagnostics }.value(key, entry, *shape),
            None => diagnostics.push_with(|| unknown(persona, entry, &absent, &mut renames)),
        }
    }
}

/// A field that no persona has. `absent` are those that this one lacks, `renames` the names that fixes have given so
/// far: two fields that got the same one would be a duplicate.
fn unknown(persona: &Persona<'_>, entry: Entry<'_>, absent: &[&Field], renames: &mut Vec<&'static str>) -> Diagnostic {
    let message = format!("{} is not a field of a persona; it is kept but has no effect", shown(entry.key));
    let folded: String = entry.key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == folded).map(|(_, field)| *field);
    let near = other.filter(|field| absent.iter().any(|(key, _)| key == field));
    let near = near.or_else(|| closest(entry.key, absent.iter().map(|(key, _)| *key)));
    let in_mood = MOOD.iter().any(|(key, _)| *key == entry.key && *key != "enabled");
    let code = if near.is_some() || in_mood { Code::MisspeltField } else { Code::UnknownField };
    let diagnostic = persona.problem(code, entry.key, message).at(entry.key_span);
    match absent.iter().find(|(key, _)| Some(*key) == near) {
        _ if in_mood => diagnostic.help("move it into `moodAdaptation`"),
        Some((near, shape)) => {
            let diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            if renames.contains(near) || !fits(persona, entry, *shape) {
                return diagnostic;
            }
            renames.push(near);
            diagnostic.fix(entry.key_span, renamed(entry, near))
        }
        None => diagnostic,
    }
}

/// Whether a value is of the kind that a field takes, so that a new name is all it needs.
fn fits(persona: &Persona<'_>, entry: Entry<'_>, shape: Shape) -> bool {
    let is_text = persona.text(entry).is_some();
    match (shape, &entry.value.kind) {
        (Any, _) => true,
        (Text | PlainText | OneOf(_), _) => is_text,
        (Number | Flag, NodeKind::Scalar { .. }) => !is_text,
        (List | Texts | SomeOf(_) | Each(_), NodeKind::Sequence(_)) => true,
        (Mapping | PlainMapping | TextMap | Fields(_) | PlainFields(_), NodeKind::Mapping(_)) => true,
        (Prompt, kind) => is_text || !matches!(kind, NodeKind::Scalar { .. }),
        _ => false,
    }
}

struct Checker<'c, 'f> {
    persona: &'c Persona<'f>,
    diagnostics: &'c mut Collector,
}

impl<'f> Checker<'_, 'f> {
    fn value(&mut self, path: &str, entry: Entry<'f>, shape: Shape) {
        let persona = self.persona;
        if persona.is_null(entry) {
            return;
        }
        match shape {
            Any | PlainText | PlainMapping => {}
            Text => self.require(persona.text(entry).is_some(), path, entry, "must be a string"),
            Number => {
                let number = matches!(persona.fields.scalar(entry.value), Some(Scalar::Int(_) | Scalar::Float(_)));
                self.require(number, path, entry, "must be a number");
            }
            Flag => {
                let flag = matches!(persona.fields.scalar(entry.value), Some(Scalar::Bool(_)));
                self.require(flag, path, entry, "must be true or false");
            }
            List => self.require(fits(persona, entry, List), path, entry, "must be a list"),
            Texts => self.list(path, entry, "must be a list of strings", Text),
            SomeOf(known) => self.list(path, entry, "must be a list of strings", OneOf(known)),
            Each(fields) => self.list(path, entry, "must be a list of mappings", Fields(fields)),
            OneOf(known) => match persona.text(entry) {
                Some(text) => self.known_value(path, entry, text, known),
                None => self.require(false, path, entry, "must be a string"),
            },
            Mapping => self.require(fits(persona, entry, Mapping), path, entry, "must be a mapping"),
            TextMap => self.mapping(path, entry, &|_| Some(Text)),
            PlainFields(_) if persona.fields.mapping(entry).is_none() => {}
            Fields(fields) | PlainFields(fields) => {
                self.near_misses(path, entry, fields);
                self.mapping(path, entry, &|key| fields.iter().find(|(name, _)| *name == key).map(|(_, shape)| *shape));
            }
            Prompt => self.prompt(path, entry),
        }
    }

    fn require(&mut self, holds: bool, path: &str, entry: Entry<'f>, must: &str) {
        let persona = self.persona;
        if !holds {
            self.diagnostics.push_error(|| {
                let path = persona.path(path);
                let wrong = persona.fields.wrong_type(entry, entry.value, must);
                let section = wrong.section.clone().filter(|_| persona.brace.is_none());
                Diagnostic { message: format!("`{path}` {must}"), field: Some(path), section, ..wrong }
            });
        }
    }

    fn list(&mut self, path: &str, entry: Entry<'f>, must: &str, each: Shape) {
        self.require(fits(self.persona, entry, List), path, entry, must);
        for (index, mut item) in self.persona.fields.items(entry).enumerate() {
            // An item has no key of its own, so the item itself is the place.
            item.key_span = self.persona.fields.span(item.value);
            self.value(&format!("{path}[{index}]"), item, each);
        }
    }

    fn mapping(&mut self, path: &str, entry: Entry<'f>, shape: &dyn Fn(&str) -> Option<Shape>) {
        let Some(inner) = self.persona.fields.mapping(entry) else {
            return self.require(false, path, entry, "must be a mapping");
        };
        for field in inner {
            if let Some(shape) = shape(field.key) {
                self.value(&format!("{path}.{}", field.key), field, shape);
            }
        }
    }

    /// Keys of a mapping that are a slip of one that is absent. Others may be an extension and say nothing.
    fn near_misses(&mut self, path: &str, entry: Entry<'f>, fields: &'static [Field]) {
        let persona = self.persona;
        let known = |key: &str| fields.iter().any(|(name, _)| *name == key);
        let names = fields.iter().map(|(name, _)| *name);
        let absent: Vec<_> = names.filter(|name| persona.inside(entry, name).is_none()).collect();
        let others = persona.fields.mapping(entry).into_iter().flatten().filter(|field| !known(field.key));
        for field in others.take(MOST_KEYS) {
            if let Some(near) = closest(field.key, absent.iter().copied()) {
                self.diagnostics.push_with(|| {
                    let message = format!("{} is not a field of `{}`", shown(field.key), persona.path(path));
                    let diagnostic = persona.problem(Code::MisspeltField, &format!("{path}.{}", field.key), message);
                    let diagnostic = diagnostic.at(field.key_span).help(format!("did you mean `{near}`?"));
                    diagnostic.fix(field.key_span, renamed(field, near))
                });
            }
        }
    }

    fn known_value(&mut self, path: &str, entry: Entry<'f>, text: &str, known: &'static [&'static str]) {
        let persona = self.persona;
        if !known.contains(&text) {
            self.diagnostics.push_with(|| {
                let message = format!("{} is not a known value of `{}`", shown(text), persona.path(path));
                let span = persona.fields.span(entry.value);
                let diagnostic = persona.problem(Code::UnknownValue, path, message).at(span);
                match closest(text, known.iter().copied()) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(span, format!("\"{near}\"")),
                    None => diagnostic.help(format!("known values are {}", known.join(", "))),
                }
            });
        }
    }

    fn prompt(&mut self, path: &str, entry: Entry<'f>) {
        match &entry.value.kind {
            NodeKind::Sequence(_) => {
                self.list(path, entry, "must be a list", Fields(&[("content", Text), ("priority", Number)]));
            }
            NodeKind::Mapping(_) => {
                self.value(path, entry, Fields(&[("template", Text), ("variables", Any)]));
                let has_template = self.persona.inside(entry, "template").is_some();
                self.require(has_template, path, entry, "must have a `template`");
            }
            NodeKind::Scalar { .. } => {
                let must = "must be a string, a template or a list of parts";
                self.require(self.persona.text(entry).is_some(), path, entry, must);
            }
        }
    }
}
