//! Souls to begin with: a starter that explains itself, and characters that are ready to use, in every dialect.
//!
//! A character is data, written out by one function for each dialect, so that the same character says the same
//! everywhere. `persona` and `pack` are Soul Spec packages: one soul alone, and one with skills, tools, rules, hooks
//! and memory.

mod characters;
mod packages;
mod write;

use std::collections::BTreeMap;

use crate::model::Dialect;
use characters::{CHARACTERS, Character};

/// A template by its name.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// The name that selects it.
    pub name: &'static str,
    /// What it makes, in a line.
    pub description: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Character(&'static Character),
    Persona,
    Pack,
}

/// The template that is used where none is chosen.
pub const DEFAULT: &str = "starter";

/// Every template, the starter first.
#[must_use]
pub fn templates() -> Vec<Template> {
    let characters = CHARACTERS.iter().map(|character| Template {
        name: character.id,
        description: character.description,
        kind: Kind::Character(character),
    });
    let packages = [
        ("persona", "A Soul Spec package with one soul, its card and its style", Kind::Persona),
        ("pack", "A Soul Spec package with skills, tools, rules, hooks and memory", Kind::Pack),
    ];
    characters.chain(packages.map(|(name, description, kind)| Template { name, description, kind })).collect()
}

/// The template of this name.
#[must_use]
pub fn template(name: &str) -> Option<Template> {
    templates().into_iter().find(|template| template.name == name)
}

impl Template {
    /// The only dialect that it can be written in; `None` if it can be written in any.
    #[must_use]
    pub const fn dialect(&self) -> Option<Dialect> {
        match self.kind {
            Kind::Character(_) => None,
            Kind::Persona | Kind::Pack => Some(Dialect::Soulspec),
        }
    }

    /// The files of an agent with this name, by path. A name that is empty or blank is the template's own.
    ///
    /// ```
    /// use soul_core::model::Dialect;
    /// use soul_core::templates::template;
    ///
    /// let files = template("tutor").unwrap().files("Ada", Dialect::Plain);
    /// assert!(files["SOUL.md"].starts_with("# Ada\n"));
    /// ```
    #[must_use]
    pub fn files(&self, name: &str, dialect: Dialect) -> BTreeMap<&'static str, String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { self.name } else { name.as_str() };
        match self.kind {
            Kind::Character(character) => write::files(character, name, dialect),
            Kind::Persona => packages::persona(name),
            Kind::Pack => packages::pack(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{Material, calibrate};
    use crate::diagnostics::{Code, Severity};
    use crate::formats::{self, Context};
    use crate::model::Field;
    use crate::scan::{File, Trust, scan_as};
    use crate::text::Source;

    const NAMES: [&str; 6] = ["Mira", "night-watch", "O'Neil: \"the\" #1", "Ünïcode 名前", "- dash", "null"];

    fn dialects(template: &Template) -> Vec<Dialect> {
        template.dialect().map_or_else(|| Dialect::ALL.to_vec(), |dialect| vec![dialect])
    }

    #[test]
    fn every_template_is_valid_without_a_warning_whatever_the_name() {
        for template in templates() {
            for dialect in dialects(&template) {
                for name in NAMES {
                    let files = template.files(name, dialect);
                    let main = if dialect == Dialect::Soulspec { "soul.json" } else { "SOUL.md" };
                    let bytes = files.iter().map(|(path, text)| ((*path).to_owned(), Source::from(text.as_str())));
                    let context = Context { files: bytes.collect(), complete: true, ..Context::default() };
                    let parsed = formats::parse(Source::from(files[main].as_str()), dialect, &context);
                    let problems = parsed.diagnostics.iter().filter(|found| found.severity != Severity::Info);
                    assert!(problems.count() == 0, "{} {dialect} {name}: {:?}", template.name, parsed.diagnostics);
                }
            }
        }
    }

    #[test]
    fn every_template_passes_the_scanner_with_the_best_grade() {
        for template in templates() {
            for dialect in dialects(&template) {
                for name in ["Mira", "assistant", "admin", "system", "a b", "chatgpt", "helper"] {
                    let texts = template.files(name, dialect);
                    let files: Vec<_> =
                        texts.iter().map(|(path, text)| File { path, bytes: text.as_bytes() }).collect();
                    let report = scan_as(&files, Trust::Stranger);
                    assert!(report.findings.is_empty(), "{} {dialect} {name}: {:?}", template.name, report.findings);
                }
            }
        }
    }

    #[test]
    fn no_template_is_vague() {
        for template in templates() {
            for dialect in dialects(&template) {
                let texts = template.files("Mira", dialect);
                let main = if dialect == Dialect::Soulspec { "soul.json" } else { "SOUL.md" };
                let files: BTreeMap<_, _> =
                    texts.iter().map(|(path, text)| ((*path).to_owned(), Source::from(text.as_str()))).collect();
                let context = Context { files: files.clone(), complete: true, ..Context::default() };
                let soul = formats::parse(files[main].clone(), dialect, &context).document.soul();
                let report = calibrate(Material { soul: &soul, own: main, files: &files });
                let vague = report.findings.iter().find(|found| found.code == Code::VagueSoul);
                assert!(vague.is_none(), "{} {dialect}: {vague:?}", template.name);
            }
        }
    }

    #[test]
    fn no_note_to_the_author_reaches_the_model() {
        for template in templates() {
            for dialect in dialects(&template) {
                let files = template.files("Mira", dialect);
                let main = if dialect == Dialect::Soulspec { "soul.json" } else { "SOUL.md" };
                let bytes = files.iter().map(|(path, text)| ((*path).to_owned(), Source::from(text.as_str())));
                let context = Context { files: bytes.collect(), complete: true, ..Context::default() };
                let document = formats::parse(Source::from(files[main].as_str()), dialect, &context).document;
                let identity = document.identity(formats::Provenance::default());
                assert!(!identity.contains("notes are for you"), "{} {dialect}: {identity}", template.name);
            }
        }
    }

    #[test]
    fn a_character_keeps_its_statements_in_every_dialect() {
        for character in CHARACTERS {
            for dialect in Dialect::ALL {
                let files = write::files(character, "Mira", *dialect);
                let all = files.values().cloned().collect::<Vec<_>>().join("\n").to_lowercase();
                let statements = character.principles.iter().chain(character.never).chain(character.ask);
                for statement in statements.chain(character.memory).chain(character.output).chain(character.tone) {
                    assert!(all.contains(&statement.to_lowercase()), "{} {dialect}: {statement}", character.id);
                }
            }
        }
    }

    #[test]
    fn what_is_written_means_what_the_character_says() {
        let starter = template(DEFAULT).unwrap();
        let soul = |dialect: Dialect| {
            let text = starter.files("Mira", dialect)["SOUL.md"].clone();
            formats::parse(Source::from(text.as_str()), dialect, &Context::default()).document.soul()
        };
        assert!(soul(Dialect::Agh).texts(Field::Role).next().is_some());
        assert!(soul(Dialect::Plain).items_of(Field::Principle).count() >= 2);
        assert!(
            soul(Dialect::Plain).items_of(Field::MustNever).count()
                + soul(Dialect::Plain).items_of(Field::Limit).count()
                >= 2
        );
    }
}
