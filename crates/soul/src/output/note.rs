//! What every renderer of problems reads: one value for diagnostics and for findings.

use std::borrow::Cow;

use soul_core::diagnostics::{Diagnostic, Quoted, Related, Severity};
use soul_core::rules::Confidence;
use soul_core::scan::Finding;
use soul_core::text::{Edit, Span};
use soul_engine::ops::{Report, inspect, scan};

/// One problem and where it is.
pub(crate) struct Note<'a> {
    /// The code or the rule.
    pub(crate) id: &'a str,
    pub(crate) severity: Severity,
    pub(crate) message: &'a str,
    pub(crate) path: Cow<'a, str>,
    /// Line and column, from 1.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) span: Option<Span>,
    /// The text that the span is of.
    pub(crate) text: Option<&'a str>,
    /// The line of the file that the text begins with.
    pub(crate) first_line: usize,
    pub(crate) related: &'a [Related],
    pub(crate) help: Option<&'a str>,
    pub(crate) fix: Option<&'a Edit>,
    /// What only the scanner knows.
    pub(crate) scanned: Option<&'a Finding>,
}

impl Note<'_> {
    /// The text and where in it the problem is. What a service sends need not fit together.
    pub(crate) fn marked(&self) -> Option<(&str, Span)> {
        self.text.zip(self.span).filter(|(text, span)| text.get(span.start..span.end).is_some())
    }

    /// Whether it is shown as what it is; a doubtful finding is only worth knowing.
    pub(crate) fn weight(&self) -> Severity {
        match self.scanned {
            Some(finding) if finding.confidence == Confidence::Low => Severity::Info,
            _ => self.severity,
        }
    }
}

/// The problems of one soul.
pub(crate) fn of_soul(response: &inspect::Response) -> impl Iterator<Item = Note<'_>> {
    response.diagnostics.iter().map(|diagnostic| Note {
        path: Cow::Borrowed(diagnostic.path.as_deref().unwrap_or(&response.source_path)),
        text: response.text_of(diagnostic),
        ..of_diagnostic(diagnostic)
    })
}

/// The problems of the soul that made a request fail.
pub(crate) fn of_report(report: &Report) -> impl Iterator<Item = Note<'_>> {
    report.diagnostics.iter().flatten().map(|diagnostic| {
        let note = of_diagnostic(diagnostic);
        Note { text: report.sources.get(&*note.path).map(String::as_str), ..note }
    })
}

/// A problem without its source.
pub(crate) fn of_diagnostic(diagnostic: &Diagnostic) -> Note<'_> {
    Note {
        id: diagnostic.code.as_str(),
        severity: diagnostic.severity,
        message: &diagnostic.message,
        path: Cow::Borrowed(diagnostic.path.as_deref().unwrap_or_default()),
        place: diagnostic.line.zip(diagnostic.column),
        span: diagnostic.span,
        text: None,
        first_line: 1,
        related: &diagnostic.related,
        help: diagnostic.help.as_deref(),
        fix: diagnostic.fix.as_ref(),
        scanned: None,
    }
}

/// A problem that brings the lines it is about.
pub(crate) fn of_quoted(quoted: &Quoted) -> Note<'_> {
    let Quoted { diagnostic, excerpt, mark, .. } = quoted;
    Note {
        text: excerpt.as_deref(),
        span: *mark,
        first_line: diagnostic.line.unwrap_or(1),
        // Other places are of the file, not of its excerpt.
        related: &[],
        fix: None,
        ..of_diagnostic(diagnostic)
    }
}

/// The findings of one target, and those that do not count after them.
pub(crate) fn of_target(target: &scan::Scanned) -> impl Iterator<Item = Note<'_>> {
    target.findings.iter().chain(&target.suppressed).enumerate().map(|(index, finding)| Note {
        id: &finding.rule,
        severity: finding.severity,
        message: &finding.message,
        path: Cow::Owned(target.path_of(finding)),
        place: Some((finding.line, finding.column)),
        span: target.spans.get(index).copied(),
        text: target.text_of(finding),
        first_line: 1,
        related: &[],
        help: Some(&finding.help),
        fix: None,
        scanned: Some(finding),
    })
}
