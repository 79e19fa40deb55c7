//! Calibration: whether a soul agrees with its examples and limits, checked without a model. Good examples are
//! compared with everything that the soul demands, and with the bad examples; answers of a model to probes are judged
//! by the same measures.
//!
//! A heuristic never claims more than it sees: what is certain is an error, what is only likely is a warning.

mod act;
mod answer;
mod checks;
mod clause;
mod example;
mod form;
mod label;
mod length;
mod material;
mod measures;
mod probes;
mod prose;
mod quotes;
mod reader;
mod requirement;
#[cfg(test)]
mod tests;
mod vocabulary;
mod wording;

use serde::{Deserialize, Serialize};

pub use answer::{Answer, Drift, Judge};
pub use checks::Vagueness;
pub use example::{Example, examples};
pub use material::Material;
pub use measures::Compared;
pub use probes::{PROBES_FILE, Probe, Probes, probes};

use crate::diagnostics::{Collector, Diagnostic};
use crate::text::Source;
use material::{BAD, GOOD, Text};
use prose::Prose;
use requirement::{Condition, Requirement};

/// The result of a calibration.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub figures: Figures,
    /// All diagnostics, file by file.
    pub findings: Vec<Diagnostic>,
}

/// What a soul was tested with, and the measured values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CalibrationFigures"))]
pub struct Figures {
    /// Number of good examples.
    pub good: usize,
    /// Number of bad examples.
    pub bad: usize,
    /// Number of the soul's rules that can be checked.
    pub rules: usize,
    /// Words and phrases that the soul says to avoid.
    pub avoided: Vec<String>,
    /// Each measure of the good examples compared with the bad ones; empty unless there are both.
    pub measures: Vec<Compared>,
    /// How vague the soul is.
    pub vagueness: Vagueness,
}

/// Everything that the checks look at, taken apart once.
struct Case<'a> {
    material: Material<'a>,
    requirements: Vec<Requirement>,
    good: Vec<Output<'a>>,
    bad: Vec<Output<'a>>,
}

/// One output, as the agent says it.
struct Output<'a> {
    title: Option<&'a str>,
    text: Text<'a>,
    /// Where in the file's text it begins.
    start: usize,
    prose: Prose<'a>,
}

/// Checks a soul against its own examples.
///
/// ```
/// use std::collections::BTreeMap;
/// use soul_core::calibration::{Material, calibrate};
/// use soul_core::formats::{Context, parse};
/// use soul_core::model::Dialect;
/// use soul_core::text::Source;
///
/// let soul = Source::from("---\nname: Aria\nhardLimits: [Never promise a refund]\n---\nYou are Aria.\n");
/// let good = Source::from("## Refund\n\nI promise you a refund today.\n");
/// let files = BTreeMap::from([
///     ("SOUL.md".to_owned(), soul.clone()),
///     ("examples/good-outputs.md".to_owned(), good),
/// ]);
/// let parsed = parse(soul, Dialect::Agentos, &Context::default());
/// let report = calibrate(Material { soul: &parsed.document.soul(), own: "SOUL.md", files: &files });
/// assert_eq!(report.findings[0].code.as_str(), "part_missing");
/// assert!(report.findings.iter().any(|found| found.code.as_str() == "limit_contradicted"));
/// ```
#[must_use]
pub fn calibrate(material: Material<'_>) -> Report {
    let (good, bad) = (material.outputs(GOOD), material.outputs(BAD));
    let case = Case {
        requirements: material.requirements(),
        good: good.iter().map(output).collect(),
        bad: bad.iter().map(output).collect(),
        material,
    };
    let mut diagnostics = Collector::default();
    for check in checks::CHECKS {
        check(&case, &mut diagnostics);
    }
    let avoided = case.requirements.iter().filter_map(|requirement| match &requirement.condition {
        Condition::Banned(phrase) | Condition::Unsaid(phrase) => Some(phrase.literal.clone()),
        _ => None,
    });
    let figures = Figures {
        good: case.good.len(),
        bad: case.bad.len(),
        rules: case.requirements.len(),
        avoided: avoided.collect(),
        measures: checks::compared(&case),
        vagueness: checks::measured(&case),
    };
    // Every place is known already; the order is that of the files.
    Report { figures, findings: diagnostics.finish(&Source::default()) }
}

fn output<'a>((text, example): &'a (Text<'a>, Example)) -> Output<'a> {
    let prose = Prose::new(&text.text[example.spoken.clone()]);
    Output { title: example.title.as_deref(), text: *text, start: example.spoken.start, prose }
}
