//! What is checked of a persona definition, beyond what its plain part shares with frontmatter.
//!
//! `persona.json` is checked as a whole. `persona:` in frontmatter holds only the fields that the plain keys cannot,
//! so rules about what is absent do not apply to it. `docs/personas.md` lists the rules for users.

mod models;
mod required;
mod retrieval;
mod shape;
mod table;
mod values;

use std::collections::HashMap;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::fields::{Entry, Fields};
use crate::markup::yaml::Scalar;
use crate::text::{Span, shown};

type Rule = fn(&Persona<'_>, &mut Collector);

/// Rules about what is there.
const RULES: [Rule; 9] = [
    shape::types_and_names,
    values::version,
    values::language,
    values::tool_ids,
    values::activation_keywords,
    models::allowed_models,
    models::over_specified,
    retrieval::data_sources,
    retrieval::summarization,
];

/// Rules about what is absent or how fields go together, for a whole persona.
const WHOLE: [Rule; 4] = [required::fields, required::prompt_length, required::audio_output, required::cost_strategy];

/// A persona definition with the places of its fields.
pub(super) struct Persona<'f> {
    pub(super) fields: &'f Fields<'f>,
    pub(super) entries: Vec<Entry<'f>>,
    /// The opening brace, if this is a whole persona.
    pub(super) brace: Option<Span>,
}

impl<'f> Persona<'f> {
    pub(super) fn check(&self, diagnostics: &mut Collector) {
        let whole: &[Rule] = if self.brace.is_some() { &WHOLE } else { &[] };
        RULES.iter().chain(whole).for_each(|rule| rule(self, diagnostics));
    }

    /// A field that is not null.
    fn get(&self, key: &str) -> Option<Entry<'f>> {
        self.entries.iter().copied().find(|entry| entry.key == key && !self.is_null(*entry))
    }

    /// A field inside another one that is not null.
    fn inside(&self, outer: Entry<'f>, key: &str) -> Option<Entry<'f>> {
        self.fields.mapping(outer)?.find(|entry| entry.key == key && !self.is_null(*entry))
    }

    fn is_null(&self, entry: Entry<'_>) -> bool {
        matches!(self.fields.scalar(entry.value), Some(Scalar::Null))
    }

    fn is_true(&self, entry: Entry<'_>) -> bool {
        matches!(self.fields.scalar(entry.value), Some(Scalar::Bool(true)))
    }

    fn text(&self, entry: Entry<'f>) -> Option<&'f str> {
        match self.fields.scalar(entry.value) {
            Some(Scalar::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The path of a field as its author wrote it.
    fn path(&self, path: &str) -> String {
        if self.brace.is_some() { path.to_owned() } else { format!("persona.{path}") }
    }

    fn problem(&self, code: Code, path: &str, message: String) -> Diagnostic {
        let diagnostic = Diagnostic::new(code, message).field(self.path(path));
        if self.brace.is_some() { diagnostic } else { diagnostic.section("frontmatter") }
    }

    /// Reports each text that stands in a list a second time.
    fn repeats(&self, code: Code, path: &str, texts: impl Iterator<Item = Entry<'f>>, diagnostics: &mut Collector) {
        let mut first: HashMap<&str, Span> = HashMap::new();
        for entry in texts {
            let Some(text) = self.text(entry) else { continue };
            let span = self.fields.span(entry.value);
            match first.get(text) {
                None => {
                    first.insert(text, span);
                }
                Some(earlier) => {
                    let diagnostic = || {
                        let message = format!("`{}` has {} twice", self.path(path), shown(text));
                        let diagnostic = self.problem(code, path, message).at(span);
                        diagnostic.related(*earlier, "first defined here").help("keep one of the two")
                    };
                    if code.severity() == Severity::Error {
                        diagnostics.push_error(diagnostic);
                    } else {
                        diagnostics.push_with(diagnostic);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
