//! Reading fields, of frontmatter and of persona JSON alike, with types and ranges checked.

use super::persona::{AVATAR, VOICE};
use super::persona_rules::Persona;
use super::{Group, KEYS, Limits, Plain};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::fields::{Entry, Fields, Named};
use crate::markup::yaml::Scalar;
use crate::persona::Trait;
use crate::text::{Span, Spanned, closest, shown};

pub(super) struct Reader<'a> {
    pub(super) fields: &'a Fields<'a>,
    pub(super) diagnostics: &'a mut Collector,
}

impl Reader<'_> {
    /// A field of the frontmatter.
    pub(super) fn field(&mut self, entry: Entry<'_>, plain: &mut Plain) {
        match entry.key {
            "name" => plain.name = self.text(entry),
            "agentId" => plain.id = self.text(entry),
            "role" => plain.role = self.text(entry),
            "hexaco" => plain.traits = self.traits(entry, true),
            "persona" => plain.persona = self.persona(entry),
            "voice" => plain.voice = self.map(entry, &VOICE, true),
            "avatar" => plain.avatar = self.map(entry, &AVATAR, true),
            "defaultMood" => plain.default_mood = self.text(entry),
            "allowedMoods" => plain.moods = self.list(entry),
            "hardLimits" => plain.limits = self.limits(entry),
            "metadata" => {
                plain.metadata = self.fields.named(entry, self.diagnostics).filter(|named| !named.value.is_null())
            }
            _ => plain.extras.extend(self.unknown(entry)),
        }
    }

    /// A field that is reported elsewhere and kept as it is.
    pub(super) fn keep(&mut self, entry: Entry<'_>, plain: &mut Plain) {
        plain.extras.extend(self.fields.named(entry, self.diagnostics));
    }

    /// A field of a persona as JSON has it: checked, and read as far as plain keys go.
    pub(super) fn persona_field(&mut self, entry: Entry<'_>, plain: &mut Plain) {
        match entry.key {
            "name" => plain.name = self.text(entry),
            "id" => plain.id = self.text(entry),
            "description" => plain.role = self.text(entry).filter(|role| !role.text.is_empty()),
            "version" => {
                self.text(entry);
            }
            "personalityTraits" => plain.traits = self.traits(entry, false).map(usable_traits),
            "voiceConfig" => plain.voice = self.map(entry, &VOICE, false),
            "avatarConfig" => plain.avatar = self.map(entry, &AVATAR, false),
            "hardLimits" => plain.limits = self.limits(entry),
            "metadata" => {
                plain.metadata = self.fields.named(entry, self.diagnostics).filter(|named| !named.value.is_null());
            }
            "moodAdaptation" => {
                let inner: Vec<_> = self.fields.mapping(entry).into_iter().flatten().collect();
                for field in inner {
                    match field.key {
                        "defaultMood" => plain.default_mood = self.text(field),
                        "allowedMoods" => plain.moods = self.list(field),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// What `persona` holds, checked as a persona is.
    fn persona(&mut self, entry: Entry<'_>) -> Option<Group<Named>> {
        let Some(inner) = self.fields.mapping(entry) else {
            self.diagnostics.push_error(|| self.fields.wrong_type(entry, entry.value, "must be a mapping"));
            return None;
        };
        let mut items = Vec::new();
        let entries: Vec<_> = inner.collect();
        for field in &entries {
            self.persona_field(*field, &mut Plain::default());
            items.extend(self.fields.named(*field, self.diagnostics));
        }
        Persona { fields: self.fields, entries, brace: None }.check(self.diagnostics);
        Some(Group { key_span: entry.key_span, items })
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
                    let must = format!("must be a list of strings, but entry {} is not a string", index + 1);
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
    fn map(&mut self, entry: Entry<'_>, known: &[&'static str], strict: bool) -> Option<Group<Named>> {
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
                if !strict {
                    continue;
                }
                self.diagnostics.push_with(|| unread(field, known.iter().copied()));
            }
            map.extend(self.fields.named(field, self.diagnostics).filter(|named| !named.value.is_null()));
        }
        Some(Group { key_span: entry.key_span, items: map })
    }

    fn traits(&mut self, entry: Entry<'_>, strict: bool) -> Option<Group<Named>> {
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
            if let Some(Scalar::Float(score)) =
                self.fields.scalar(field.value).filter(|_| Trait::from_key(field.key).is_some())
                && !score.is_finite()
            {
                let span = self.fields.span(field.value);
                self.diagnostics.push_error(|| out_of_range(entry.key, field, score, span));
                continue;
            }
            let Some(named) = self.fields.named(field, self.diagnostics).filter(|named| !named.value.is_null()) else {
                continue;
            };
            match Trait::from_key(field.key) {
                None if strict || Trait::nearest(field.key).is_some() => {
                    self.diagnostics.push_with(|| unknown_trait(entry.key, field))
                }
                None => {}
                Some(name) => {
                    let twin = traits.iter().find(|other| Trait::from_key(&other.key) == Some(name));
                    self.score(entry.key, field, &named, twin);
                }
            }
            traits.push(named);
        }
        Some(Group { key_span: entry.key_span, items: traits })
    }

    /// A score lies in 0..1, and a trait has one. `group` is the key that holds the traits.
    fn score(&mut self, group: &str, field: Entry<'_>, named: &Named, twin: Option<&Named>) {
        let at = |code, message: String| {
            Diagnostic::new(code, message).field(format!("{group}.{}", field.key)).section("frontmatter").at(named.span)
        };
        match named.value.as_f64() {
            None => self.diagnostics.push_error(|| {
                let message = format!("`{group}.{}` must be a number from 0 to 1", field.key);
                at(Code::InvalidFieldType, message).help("write a score such as 0.75, without quotes")
            }),
            Some(score) if !(0.0..=1.0).contains(&score) => {
                self.diagnostics.push_error(|| out_of_range(group, field, score, named.span));
            }
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
        self.diagnostics.push_with(|| unread(entry, KEYS.into_iter().filter(|key| !self.fields.has(key))));
        self.fields.named(entry, self.diagnostics)
    }
}

/// Of the traits of a persona, which may hold anything, those that are scores, each once.
fn usable_traits(group: Group<Named>) -> Group<Named> {
    let mut items: Vec<Named> = Vec::new();
    for named in group.items {
        let score = named.value.as_f64().is_some_and(|score| (0.0..=1.0).contains(&score));
        let name = Trait::from_key(&named.key).filter(|_| score);
        if name.is_some() && !items.iter().any(|other| Trait::from_key(&other.key) == name) {
            items.push(named);
        }
    }
    Group { items, ..group }
}

fn out_of_range(group: &str, field: Entry<'_>, score: f64, span: Span) -> Diagnostic {
    let message = format!("`{group}.{}` is {score}, but a score must be between 0 and 1", field.key);
    let diagnostic = Diagnostic::new(Code::TraitOutOfRange, message).field(format!("{group}.{}", field.key));
    diagnostic.section("frontmatter").at(span).help("choose a score from 0 (not at all) to 1 (fully)")
}

/// Another name for a key, written as the key is: in JSON with quotes.
pub(super) fn renamed(entry: Entry<'_>, name: &str) -> String {
    let is_bare = entry.key_span.end - entry.key_span.start == entry.key.len();
    if is_bare { name.to_owned() } else { format!("\"{name}\"") }
}

/// A key that is not read: a warning if it is a slip of a key that would be.
fn unread(entry: Entry<'_>, known: impl Iterator<Item = &'static str>) -> Diagnostic {
    let message = format!("{} is not a known field; it is kept but has no effect", shown(entry.key));
    match closest(entry.key, known) {
        Some(near) => Diagnostic::new(Code::MisspeltField, message)
            .help(format!("did you mean `{near}`?"))
            .fix(entry.key_span, renamed(entry, near)),
        None => Diagnostic::new(Code::UnknownField, message),
    }
    .field(entry.key)
    .section("frontmatter")
    .at(entry.key_span)
}

fn unknown_trait(group: &str, field: Entry<'_>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Code::UnknownTrait,
        format!("{} is not one of the six traits; it is kept but has no effect", shown(field.key)),
    );
    let diagnostic = diagnostic.field(format!("{group}.{}", field.key)).section("frontmatter").at(field.key_span);
    match Trait::nearest(field.key).map(Trait::as_str) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(field.key_span, renamed(field, near)),
        None => diagnostic.help(format!("the traits are {}", Trait::ALL.map(Trait::as_str).join(", "))),
    }
}
