//! What a calibration is of: the soul, and the files around it.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::example::{Example, examples};
use super::probes::Probe;
use super::prose::sentences;
use super::reader::{Sense, read};
use super::requirement::{Condition, Phrase, Requirement};
use super::vocabulary::banned;
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::formats::{agentos, soulspec};
use crate::markup::markdown;
use crate::model::{Field, Soul, entries};
use crate::text::{Source, Span, closest, shown};

/// How the agent writes.
pub(super) const STYLE: &str = "STYLE.md";
/// What it must and must not do.
const RULES: &str = "RULES.md";
/// Outputs as they should be.
pub(super) const GOOD: &str = "examples/good-outputs.md";
/// Outputs as they should not be.
pub(super) const BAD: &str = "examples/bad-outputs.md";

/// The most outputs of a file that are judged.
const MOST_OUTPUTS: usize = 256;

/// The most things that are asked of an output; what comes after them is not checked.
const MOST: usize = 512;

/// How much of an author's words a message repeats.
const SHOWN: usize = 80;

/// A soul and its companion files, by their usual names.
#[allow(missing_docs)]
#[derive(Debug, Clone)]
pub struct Material<'a> {
    pub soul: &'a Soul,
    /// The file that the soul was read from.
    pub own: &'a str,
    /// All files, including the soul's own.
    pub files: &'a BTreeMap<String, Source>,
}

/// A text of the material that people wrote as prose, and where it lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) file: &'a str,
    pub(super) source: &'a Source,
    pub(super) text: &'a str,
    place: Place,
}

/// How places in a text become places in its file.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// It stands there as it is, from this byte on.
    From(usize),
    /// It stands there in another form, somewhere here.
    Somewhere(Span),
}

impl Text<'_> {
    pub(super) fn span(&self, range: &Range<usize>) -> Span {
        match self.place {
            Place::From(start) => Span::new(start + range.start, start + range.end),
            Place::Somewhere(span) => span,
        }
    }
}

impl<'a> Material<'a> {
    /// The file that holds the soul's prose: SOUL.md, or the persona where there is none.
    pub(super) fn soul_file(&self) -> &'a str {
        if self.files.contains_key("SOUL.md") { "SOUL.md" } else { self.own }
    }

    /// The soul's prose, without its frontmatter.
    pub(super) fn body(&self) -> Option<Text<'a>> {
        let file = self.soul_file();
        let source = self.files.get(file)?;
        let whole = source.text()?;
        if let Some(item) = self.soul.items_of(Field::Body).next().filter(|_| file.ends_with(".json")) {
            return Some(Text { file, source, text: item.value.as_text()?, place: Place::Somewhere(item.span) });
        }
        let body = agentos::split(whole).filter(|halves| halves.closed).map_or(0, |halves| halves.body.start);
        Some(Text { file, source, text: &whole[body..], place: Place::From(body) })
    }

    /// A file as it is.
    pub(super) fn file(&self, name: &'static str) -> Option<Text<'a>> {
        let source = self.files.get(name)?;
        Some(Text { file: name, source, text: source.text()?, place: Place::From(0) })
    }

    /// The outputs of a file.
    pub(super) fn outputs(&self, name: &'static str) -> Vec<(Text<'a>, Example)> {
        let file = self.file(name);
        let outputs = file.into_iter().flat_map(|file| examples(file.text).into_iter().map(move |one| (file, one)));
        outputs.take(MOST_OUTPUTS).collect()
    }

    /// Everything that is asked of an output and can be checked: limits first, then rules in prose, then
    /// words to be avoided.
    pub(super) fn requirements(&self) -> Vec<Requirement> {
        let mut found = self.limits();
        for text in [self.body(), self.file(STYLE)].into_iter().flatten() {
            for range in sentences(text.text) {
                let line = &text.text[range.clone()];
                let conditions = read(line, Sense::Sentence)
                    .into_iter()
                    .filter(|condition| !matches!(condition, Condition::Always(_)));
                found.extend(conditions.map(|condition| requirement(condition, line, &text, &range)));
            }
        }
        for text in [self.file(STYLE), self.body(), self.file(RULES)].into_iter().flatten() {
            let banned = banned(text.text).into_iter();
            found.extend(banned.map(|one| {
                requirement(Condition::Banned(Phrase::new(&one.word)), &text.text[one.line.clone()], &text, &one.line)
            }));
        }
        let mut seen = HashSet::new();
        found.retain(|one| seen.insert(one.condition.key()));
        found.truncate(MOST);
        found
    }

    /// The limits that have a place of their own, in the soul and in RULES.md.
    fn limits(&self) -> Vec<Requirement> {
        let mut found = Vec::new();
        let fields =
            [(Field::Limit, Sense::Limit), (Field::MustNever, Sense::Never), (Field::MustAlways, Sense::Always)];
        for (field, sense) in fields {
            for item in self.soul.items_of(field) {
                let file = item.file.as_deref().unwrap_or(self.own);
                for rule in entries(&item.value) {
                    let span = self.place_of(&rule, file, item.span);
                    let conditions = read(&rule, sense).into_iter();
                    found.extend(conditions.map(|condition| Requirement {
                        condition,
                        text: rule.clone(),
                        file: file.to_owned(),
                        span,
                    }));
                }
            }
        }
        let has_rules = self.soul.items.iter().any(|item| item.file.as_deref() == Some(RULES));
        if let Some(text) = self.file(RULES).filter(|_| !has_rules) {
            let sections = soulspec::rules_of(text.text);
            // Without the sections, its sentences are the limits.
            let sentences = sentences(text.text).into_iter().filter(|_| sections.is_empty());
            found.extend(sentences.flat_map(|range| {
                let line = &text.text[range.clone()];
                let conditions = read(line, Sense::Limit).into_iter();
                conditions.map(move |condition| requirement(condition, line, &text, &range)).collect::<Vec<_>>()
            }));
            for (field, rule, span) in sections {
                let sense = fields.iter().find(|(of, _)| *of == field).map(|(_, sense)| *sense);
                let conditions = sense.into_iter().flat_map(|sense| read(&rule, sense));
                found.extend(conditions.map(|condition| Requirement {
                    condition,
                    text: rule.clone(),
                    file: RULES.to_owned(),
                    span,
                }));
            }
        }
        found
    }

    /// The heading of the soul's prose that has this title.
    pub(super) fn section(&self, title: &str) -> Option<(&'a str, &'a Source, Span)> {
        let body = self.body()?;
        let wanted = title.trim().trim_start_matches('#').trim().to_lowercase();
        let heading = markdown::outline(body.text).into_iter().find(|one| one.title.trim().to_lowercase() == wanted)?;
        let length = body.text[heading.range.clone()].trim_end().len();
        let span = body.span(&(heading.range.start..heading.range.start + length));
        Some((body.file, body.source, span))
    }

    /// A warning for each probe about a section that the soul does not have.
    #[must_use]
    pub fn without_section(&self, probes: &[Probe], file: (&str, &Source)) -> Vec<Diagnostic> {
        let titles = self.body().map(|body| markdown::outline(body.text)).unwrap_or_default();
        let lost = probes.iter().filter_map(|probe| {
            let about = probe.about.as_deref().filter(|about| self.section(about).is_none())?;
            let message = format!("the soul has no section {}", shown(about));
            let help = closest(about, titles.iter().map(|heading| heading.title.as_str()));
            let help =
                help.map_or("name a heading of SOUL.md".to_owned(), |near| format!("did you mean {}?", shown(near)));
            let found = Diagnostic::new(Code::InvalidProbes, message).severity(Severity::Warning);
            Some(found.in_file(file.0, file.1, probe.about_span).help(help))
        });
        lost.collect()
    }

    /// Where in a passage one of its rules stands.
    fn place_of(&self, rule: &str, file: &str, passage: Span) -> Span {
        let text = self.files.get(file).and_then(Source::text);
        let at = text.and_then(|text| text.get(passage.start..passage.end)?.find(rule));
        at.map_or(passage, |at| Span::new(passage.start + at, passage.start + at + rule.len()))
    }
}

/// A line may name thousands of words, so what is kept of it for each is only as much as is shown.
fn requirement(condition: Condition, line: &str, text: &Text<'_>, range: &Range<usize>) -> Requirement {
    Requirement {
        condition,
        text: line.chars().take(SHOWN).collect(),
        file: text.file.to_owned(),
        span: text.span(range),
    }
}
