//! How a soul stood the test, for people: what was found, the measures, the probes, the numbers.

use std::fmt::Write;

use soul_core::calibration::{Answer, Figures};
use soul_core::diagnostics::{Quoted, Severity};
use soul_core::model::Value;
use soul_core::text::visible;
use soul_engine::ops::test::{Probed, Response};

use super::findings::{first_line, visible_lines};
use super::note::{self, Note};
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count};
use super::terminal::{excerpt, glance};

pub(crate) fn report(response: &Response) -> String {
    let mut out = String::new();
    if !response.findings.is_empty() {
        let _ = write!(out, "{}\n\n", notes(&response.findings));
    }
    let Figures { good, bad, rules, vagueness, .. } = &response.figures;
    let dialect = response.dialect.map(|dialect| format!("  {dialect}")).unwrap_or_default();
    let (style, word) = if response.passed { (GOOD, "passed") } else { (ERROR, "failed") };
    let _ = writeln!(out, "{STRONG}{}{STRONG:#}{dialect}  {style}{word}{style:#}", response.source_path);
    let _ = writeln!(out, "  {FAINT}outputs{FAINT:#}     {good} good, {bad} bad");
    let _ = writeln!(out, "  {FAINT}rules{FAINT:#}       {rules} that can be checked");
    let (vague, words) = (vagueness.vague, vagueness.words);
    let _ =
        writeln!(out, "  {FAINT}vagueness{FAINT:#}   {:.1} in 100 words ({vague} of {words})", vagueness.per_100_words);
    out.push_str(&measures(&response.figures));
    if let Some(probed) = &response.probes {
        out.push('\n');
        out.push_str(&probes(probed));
    }
    let _ = writeln!(out, "\n{}", summary(response));
    out
}

/// Each problem with the lines it is about, blank lines between.
pub(super) fn notes(quoted: &[Quoted]) -> String {
    let shown = quoted.iter().map(|one| {
        let note = note::of_quoted(one);
        // An excerpt shows what others wrote, and a terminal must not obey it.
        let text = note.text.map(visible_lines);
        let span = note.marked().map(|(text, span)| first_line(text, span));
        let message = visible(&note.message).into();
        excerpt(&Note { text: text.as_deref(), span, message, ..note })
    });
    shown.collect::<Vec<_>>().join("\n\n")
}

/// The good outputs beside the bad ones; what tells them apart is marked.
fn measures(figures: &Figures) -> String {
    let mut out = String::new();
    if !figures.measures.is_empty() {
        let _ = writeln!(out, "\n  {FAINT}measure            good      bad{FAINT:#}");
    }
    for row in &figures.measures {
        let name = row.name.replace('_', " ");
        let apart = if row.differ { format!("  {GOOD}apart{GOOD:#}") } else { String::new() };
        let _ = writeln!(out, "  {name:<15} {:>7.2}  {:>7.2}{apart}", row.good, row.bad);
    }
    out
}

/// One line a question, and what is wrong with its answers.
fn probes(probed: &[Probed]) -> String {
    const WIDTH: usize = 40;
    let mut out = String::new();
    for probe in probed {
        let passed = probe.answers.iter().all(|answer| answer.passed);
        let (style, word) = if passed { (GOOD, "passed") } else { (ERROR, "failed") };
        let name = visible(&probe.name.chars().take(WIDTH).collect::<String>());
        let drift = probe.drift.map(|drift| {
            let word = if drift.drifted { format!("  {WARNING}drifted{WARNING:#}") } else { String::new() };
            format!("  {FAINT}overlap {:.2}, distance {:.2}{FAINT:#}{word}", drift.overlap, drift.style)
        });
        let _ = writeln!(out, "  {style}{word}{style:#}  {name}{}", drift.unwrap_or_default());
        probe.answers.iter().for_each(|answer| out.push_str(&self::answer(answer)));
    }
    out
}

/// An answer in a line; one that failed is shown.
fn answer(answer: &Answer) -> String {
    let from =
        |name: &str, value: Option<f64>| value.map(|value| format!(", {value:.2} from {name}")).unwrap_or_default();
    let words = count(answer.words, "word");
    let (good, bad) = (from("good", answer.from_good), from("bad", answer.from_bad));
    let mut out = format!("          {}  {FAINT}{words}{good}{bad}{FAINT:#}\n", visible(&answer.model));
    if !answer.passed {
        let _ = writeln!(out, "          “{}”", glance(&Value::Text(answer.text.clone())));
    }
    out
}

fn summary(response: &Response) -> String {
    let found = |severity: Severity, what: &str| {
        let found = response.findings.iter().filter(|found| found.diagnostic.severity == severity).count();
        (found > 0).then(|| count(found, what))
    };
    let errors = found(Severity::Error, "error").map(|text| format!("{ERROR}{text}{ERROR:#}"));
    let warnings = found(Severity::Warning, "warning").map(|text| format!("{WARNING}{text}{WARNING:#}"));
    let notes = found(Severity::Info, "note");
    let parts: Vec<String> = [errors, warnings, notes].into_iter().flatten().collect();
    if parts.is_empty() { format!("{GOOD}no problems found{GOOD:#}") } else { parts.join(", ") }
}
