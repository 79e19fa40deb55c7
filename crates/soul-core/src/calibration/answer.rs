//! What a model answers to a probe, judged: by what the probe expects, by what the soul asks of every
//! output, and by whether it sounds like the good examples or the bad ones.

use serde::{Deserialize, Serialize};

use super::material::{BAD, GOOD, Material};
use super::measures::Profile;
use super::probes::Probe;
use super::prose::{Prose, words};
use super::requirement::Requirement;
use crate::diagnostics::{Code, Diagnostic};
use crate::text::{Source, Span, shown};

/// Something that an answer must or must not be, and where the probe says so.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expectation {
    expected: Expected,
    span: Span,
}

impl From<(Expected, Span)> for Expectation {
    fn from((expected, span): (Expected, Span)) -> Self {
        Self { expected, span }
    }
}

/// What can be expected.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expected {
    Contains(String),
    Lacks(String),
    MostWords(usize),
    LeastWords(usize),
    MostSentences(usize),
}

/// The answer of a model to a probe, and how it was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProbeAnswer"))]
pub struct Answer {
    /// Name of the model.
    pub model: String,
    /// Text of the answer.
    pub text: String,
    /// Number of words.
    pub words: usize,
    /// Whether there are no failures.
    pub passed: bool,
    /// What is wrong with the answer; each completes a sentence that starts with the model's name.
    pub failures: Vec<String>,
    /// Distance from the good examples, from 0 to 1; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_good: Option<f64>,
    /// Distance from the bad examples, from 0 to 1; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_bad: Option<f64>,
}

/// How the answers of two models to one probe differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ModelDrift"))]
pub struct Drift {
    /// Share of content words that both answers have, from 0 to 1.
    pub overlap: f64,
    /// Difference in style, from 0 to 1.
    pub style: f64,
    /// Whether the second answer is out of character while the first is not.
    pub drifted: bool,
}

/// So far apart in sound, and two answers are not of one character.
const FAR: f64 = 0.5;

/// Judges the answers of models to probes.
pub struct Judge<'a> {
    material: Material<'a>,
    requirements: Vec<Requirement>,
    good: Option<Profile>,
    bad: Option<Profile>,
}

impl<'a> Judge<'a> {
    /// A judge for a soul and its examples.
    #[must_use]
    pub fn new(material: Material<'a>) -> Self {
        let mean = |file| {
            let outputs = material.outputs(file).into_iter();
            let profiles = outputs.map(|(text, example)| Profile::measure(&Prose::new(&text.text[example.spoken])));
            Profile::mean(&profiles.collect::<Vec<_>>())
        };
        let (good, bad) = (mean(GOOD), mean(BAD));
        Self { requirements: material.requirements(), material, good, bad }
    }

    /// Judges an answer. Diagnostics point at the probe in `file`.
    #[must_use]
    pub fn answer(&self, probe: &Probe, model: &str, text: &str, file: (&str, &Source)) -> (Answer, Vec<Diagnostic>) {
        let prose = Prose::new(text);
        let mut failures: Vec<(String, Span, Option<String>)> = Vec::new();
        for expectation in &probe.expectations {
            let failure = expectation.expected.failure(&prose);
            failures.extend(failure.map(|why| (why, expectation.span, None)));
        }
        for requirement in &self.requirements {
            // What is only likely is no reason to fail a model.
            let breach = requirement.broken_by(&prose).filter(|breach| breach.sure);
            let rule = || Some(format!("the rule is {}, in {}", shown(requirement.text.trim()), requirement.file));
            failures.extend(breach.map(|breach| (breach.why, probe.span, rule())));
        }
        let profile = Profile::measure(&prose);
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        let from = |mean: &Option<Profile>| mean.as_ref().map(|mean| rounded(profile.distance(mean)));
        let answer = Answer {
            model: model.to_owned(),
            text: text.to_owned(),
            words: prose.words.len(),
            passed: failures.is_empty(),
            failures: failures.iter().map(|(why, ..)| why.clone()).collect(),
            from_good: from(&self.good),
            from_bad: from(&self.bad),
        };
        let diagnostics = failures.into_iter().map(|(why, span, help)| {
            let message = format!("{}: the answer of {} {why}", shown(&probe.name), shown(model));
            let found = Diagnostic::new(Code::ProbeFailed, message).in_file(file.0, file.1, span);
            found
                .help(help.unwrap_or_else(|| "make the soul more precise, or change what the probe expects".to_owned()))
        });
        (answer, diagnostics.collect())
    }

    /// Compares the answers of two models, the stronger one first. If the second drifts, the soul is too vague: the
    /// diagnostic points at the section that the probe is about, or at the probe.
    #[must_use]
    pub fn drift(
        &self,
        probe: &Probe,
        first: &Answer,
        second: &Answer,
        file: (&str, &Source),
    ) -> (Drift, Option<Diagnostic>) {
        let (a, b) = (Prose::new(&first.text), Prose::new(&second.text));
        let style = Profile::measure(&a).distance(&Profile::measure(&b));
        let sounds_bad = |answer: &Answer| answer.from_good.zip(answer.from_bad).is_some_and(|(good, bad)| bad < good);
        let why = if first.passed && !second.passed {
            Some("fails where the other passes")
        } else if sounds_bad(second) && !sounds_bad(first) {
            Some("sounds like the bad outputs, but the other does not")
        } else if style > FAR {
            Some("does not sound like the agent")
        } else {
            None
        };
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        let drift = Drift { overlap: rounded(overlap(&a, &b)), style: rounded(style), drifted: why.is_some() };
        let diagnostic = why.map(|why| {
            let message = format!("{}: the answer of {} {why}", shown(&probe.name), shown(&second.model));
            let found = Diagnostic::new(Code::ModelDrift, message);
            match probe.about.as_deref().and_then(|about| self.material.section(about)) {
                Some((file, source, span)) => found
                    .in_file(file, source, span)
                    .help("make this section more precise until the smaller model follows it, and test again"),
                None => found
                    .in_file(file.0, file.1, probe.span)
                    .help("make SOUL.md more precise about this; `about: HEADING` in the probe points to the section"),
            }
        });
        (drift, diagnostic)
    }
}

/// The share of what two texts speak of that they have in common.
fn overlap(a: &Prose<'_>, b: &Prose<'_>) -> f64 {
    let all = a.terms.union(&b.terms).count();
    if all == 0 { 1.0 } else { a.terms.intersection(&b.terms).count() as f64 / all as f64 }
}

impl Expected {
    /// What is wrong with an answer, as the end of a sentence.
    fn failure(&self, answer: &Prose<'_>) -> Option<String> {
        let (count, sentences) = (answer.words.len(), answer.sentences.len());
        match self {
            Self::Contains(text) if !contains(answer, text) => Some(format!("does not say {}", shown(text))),
            Self::Lacks(text) if contains(answer, text) => Some(format!("says {}", shown(text))),
            Self::MostWords(most) if count > *most => Some(format!("has {count} words, more than {most}")),
            Self::LeastWords(least) if count < *least => Some(format!("has {count} words, fewer than {least}")),
            Self::MostSentences(most) if sentences > *most => {
                Some(format!("has {sentences} sentences, more than {most}"))
            }
            _ => None,
        }
    }
}

/// Whether an answer has a word or phrase, in any case and form.
fn contains(answer: &Prose<'_>, text: &str) -> bool {
    answer.find(&words(text), text).is_some()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::probes::{PROBES_FILE, probes};
    use super::*;
    use crate::diagnostics::Severity;
    use crate::formats::{Context, parse};
    use crate::model::Dialect;

    const SOUL: &str =
        "---\nname: Aria\nhardLimits: [Never promise a refund]\n---\nYou are Aria.\n\n## Tone\n\nCalm.\n";

    #[test]
    fn answers_are_judged_by_probe_and_soul() {
        let files = BTreeMap::from([("SOUL.md".to_owned(), Source::from(SOUL))]);
        let soul = parse(Source::from(SOUL), Dialect::Agentos, &Context::default()).document.soul();
        let judge = Judge::new(Material { soul: &soul, own: "SOUL.md", files: &files });
        let source = Source::from("- ask: Refund?\n  about: tone\n  contains: [billing]\n  max_words: 6\n");
        let probe = &probes(PROBES_FILE, &source).probes[0];
        let file = (PROBES_FILE, &source);
        assert_eq!(judge.material.without_section(std::slice::from_ref(probe), file), []);
        let elsewhere = Source::from("- ask: Refund?\n  about: Nope\n");
        let nowhere = probes(PROBES_FILE, &elsewhere).probes;
        let diagnostics = judge.material.without_section(&nowhere, (PROBES_FILE, &elsewhere));
        assert_eq!((diagnostics.len(), diagnostics[0].line, diagnostics[0].severity), (1, Some(2), Severity::Warning));
        let (good, none) = judge.answer(probe, "large", "Our billing team decides that.", file);
        assert!(good.passed && none.is_empty());
        let (bad, diagnostics) = judge.answer(probe, "small", "I promise you a refund, today, my friend!", file);
        assert_eq!(
            bad.failures,
            ["does not say `billing`", "has 8 words, more than 6", "does something that the soul forbids"]
        );
        assert_eq!(diagnostics.iter().map(|one| one.line.unwrap()).collect::<Vec<_>>(), [3, 4, 1]);
        let (drift, diagnostics) = judge.drift(probe, &good, &bad, file);
        assert!(drift.drifted);
        let diagnostics = diagnostics.unwrap();
        assert_eq!((diagnostics.file.as_deref(), diagnostics.line), (Some("SOUL.md"), Some(7)));
        let (drift, diagnostics) = judge.drift(probe, &good, &good, file);
        assert_eq!((drift, diagnostics), (Drift { overlap: 1.0, style: 0.0, drifted: false }, None));
    }
}
