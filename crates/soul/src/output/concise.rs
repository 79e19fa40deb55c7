//! One line a problem: `path:line:column: error[code] message (help)`.

use std::fmt::Write;

use soul_core::diagnostics::Diagnostic;
use soul_engine::checks::FailOn;
use soul_engine::ops::{check, deliver, scan, validate};

use super::findings;
use super::note::{self, Note};
use super::terminal::{severity_style, summary, unchecked};

pub(crate) fn validation(response: &validate::Response) -> String {
    let mut out: String = response.results.iter().flat_map(note::of_soul).map(|note| line(&note)).collect();
    let _ = writeln!(out, "{}", summary(&response.summary));
    out.push_str(&unchecked(&response.unchecked));
    out
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let notes = response.targets.iter().flat_map(note::of_target).filter(|note| note.suppressed.is_none());
    let mut out: String = notes.map(|note| line(&note)).collect();
    response.targets.iter().for_each(|target| out.push_str(&findings::verdict(target)));
    out
}

pub(crate) fn check(response: &check::Response, fail_on: FailOn, baseline: Option<&str>) -> String {
    let notes = super::check::shown(response, fail_on).map(|note| line(&note));
    notes.chain([super::check::summary(response, baseline)]).collect()
}

pub(crate) fn delivery(response: &deliver::Response, folder: &str) -> String {
    note::of_delivery(response, folder).iter().map(line).collect()
}

pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> String {
    line(&note::of_diagnostic(diagnostic))
}

fn line(note: &Note<'_>) -> String {
    let mut out = note.path.clone().into_owned();
    if let Some((line, column)) = note.place {
        let _ = write!(out, ":{line}:{column}");
    }
    let style = severity_style(note.severity);
    let _ = write!(out, ": {style}{}{style:#}[{}] {}", note.severity.as_str(), note.id, note.message);
    // What a finding says may end in parentheses of its own.
    let help = note.help.as_deref().unwrap_or_default();
    let _ = match note.confidence {
        Some(confidence) => write!(out, ", {} confidence; {help}", confidence.as_str()),
        None if help.is_empty() => Ok(()),
        None => write!(out, " ({help})"),
    };
    for place in note.other_places() {
        let _ = write!(out, "; {place}");
    }
    out.push('\n');
    out
}
