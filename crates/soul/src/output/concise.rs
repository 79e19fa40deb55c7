//! One line a problem: `path:line:column: error[code] message (help)`.

use std::fmt::Write;

use soul_core::diagnostics::Diagnostic;
use soul_engine::ops::{scan, validate};

use super::findings;
use super::note::{self, Note};
use super::terminal::{severity_style, summary};

pub(crate) fn validation(response: &validate::Response) -> String {
    let mut out: String = response.results.iter().flat_map(note::of_soul).map(|note| line(&note)).collect();
    let _ = writeln!(out, "{}", summary(&response.summary));
    out
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let counts = |note: &Note<'_>| note.scanned.is_none_or(|finding| finding.suppressed.is_none());
    let notes = response.targets.iter().flat_map(note::of_target).filter(counts);
    let mut out: String = notes.map(|note| line(&note)).collect();
    response.targets.iter().for_each(|target| out.push_str(&findings::verdict(target)));
    out
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
    if let Some(help) = note.help {
        let _ = write!(out, " ({help})");
    }
    out.push('\n');
    out
}
