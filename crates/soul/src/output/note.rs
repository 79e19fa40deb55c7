//! What every renderer of problems reads: one value for diagnostics, findings and what a check finds.

use std::borrow::Cow;

use soul_core::diagnostics::{Code, Diagnostic, Quoted, Severity};
use soul_core::rules::Confidence;
use soul_core::runtimes::State;
use soul_core::scan::{Place, mask_secrets};
use soul_core::text::{Edit, LineIndex, Source, Span};
use soul_engine::ops::{Report, check, deliver, inspect, scan};

/// One problem and where it is.
pub(crate) struct Note<'a> {
    /// The code or the rule.
    pub(crate) id: &'a str,
    pub(crate) severity: Severity,
    /// How certain it is; none for what is certain.
    pub(crate) confidence: Option<Confidence>,
    pub(crate) message: Cow<'a, str>,
    pub(crate) path: Cow<'a, str>,
    /// Line and column, from 1.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) span: Option<Span>,
    /// The text that the span is of.
    pub(crate) text: Option<&'a str>,
    /// The line of the file that the text begins with.
    pub(crate) first_line: usize,
    /// Other places that explain it.
    pub(crate) related: Vec<Related<'a>>,
    pub(crate) help: Option<Cow<'a, str>>,
    pub(crate) fix: Option<&'a Edit>,
    /// The text that the scanner matched.
    pub(crate) excerpt: Option<&'a str>,
    pub(crate) fingerprint: Option<&'a str>,
    /// Why it does not count.
    pub(crate) suppressed: Option<&'a str>,
}

/// Another place that explains a problem.
pub(crate) struct Related<'a> {
    /// The file and where in it the place begins and ends; `None` for one in the text of the problem itself.
    pub(crate) at: Option<Location<'a>>,
    pub(crate) span: Span,
    pub(crate) message: &'a str,
}

/// Where a related place is.
pub(crate) struct Location<'a> {
    pub(crate) path: Cow<'a, str>,
    /// Line and column, from 1.
    pub(crate) start: (usize, usize),
    pub(crate) end: (usize, usize),
    /// The text of the file, if the request asked for it.
    pub(crate) text: Option<Cow<'a, str>>,
}

impl<'a> Related<'a> {
    fn new(place: &'a Place, path: Cow<'a, str>, text: Option<&'a str>) -> Self {
        let (start, end) = ((place.line, place.column), (place.end_line, place.end_column));
        let at = Location { path, start, end, text: text.map(Cow::Borrowed) };
        Self { at: Some(at), span: place.span, message: &place.note }
    }
}

impl Note<'_> {
    /// The places in files, in one line each: `FILE:LINE:COLUMN (what it adds)`.
    pub(crate) fn other_places(&self) -> impl Iterator<Item = String> {
        self.related.iter().filter_map(|related| {
            let Location { path, start: (line, column), .. } = related.at.as_ref()?;
            Some(format!("{path}:{line}:{column} ({})", related.message))
        })
    }

    /// The text and where in it the problem is. What a service sends need not fit together.
    pub(crate) fn marked(&self) -> Option<(&str, Span)> {
        self.text.zip(self.span).filter(|(text, span)| text.get(span.start..span.end).is_some())
    }

    /// Line and column of the character after the last one, if the text is here.
    pub(crate) fn end(&self) -> Option<(usize, usize)> {
        let (text, span) = self.marked()?;
        // What ends with a line does not touch the next one.
        let last = span.start + text[span.start..span.end].trim_end_matches(['\n', '\r']).len();
        let end = LineIndex::new(&Source::from(text)).position(last);
        self.place.map(|_| (end.line + self.first_line - 1, end.column))
    }

    /// Whether it is shown as what it is; a doubtful finding is only worth knowing.
    pub(crate) fn weight(&self) -> Severity {
        if self.confidence == Some(Confidence::Low) { Severity::Info } else { self.severity }
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
        confidence: None,
        message: mask_secrets(&diagnostic.message),
        path: Cow::Borrowed(diagnostic.path.as_deref().unwrap_or_default()),
        place: diagnostic.line.zip(diagnostic.column),
        span: diagnostic.span,
        text: None,
        first_line: 1,
        related: diagnostic
            .related
            .iter()
            .map(|related| Related { at: None, span: related.span, message: &related.message })
            .collect(),
        help: diagnostic.help.as_deref().map(mask_secrets),
        fix: diagnostic.fix.as_ref(),
        excerpt: None,
        fingerprint: None,
        suppressed: None,
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
        related: Vec::new(),
        fix: None,
        ..of_diagnostic(diagnostic)
    }
}

/// The findings of one target, and those that do not count after them.
pub(crate) fn of_target(target: &scan::Scanned) -> impl Iterator<Item = Note<'_>> {
    target.findings.iter().chain(&target.suppressed).enumerate().map(|(index, finding)| Note {
        id: &finding.rule,
        severity: finding.severity,
        confidence: Some(finding.confidence),
        message: mask_secrets(&finding.message),
        path: Cow::Owned(target.path_of(&finding.file)),
        place: Some((finding.line, finding.column)),
        span: target.spans.get(index).copied(),
        text: target.text_of(&finding.file),
        first_line: 1,
        related: finding
            .places
            .iter()
            .map(|place| Related::new(place, target.path_of(&place.file).into(), target.text_of(&place.file)))
            .collect(),
        help: Some(Cow::Borrowed(&finding.help)),
        fix: None,
        excerpt: Some(&finding.excerpt),
        fingerprint: Some(&finding.fingerprint),
        suppressed: finding.suppressed.as_deref(),
    })
}

/// What does not reach the model: limits first, then sections. With a matrix, the limits of each row.
pub(crate) fn of_delivery<'a>(response: &'a deliver::Response, folder: &'a str) -> Vec<Note<'a>> {
    let note = |code: Code, message: String, file: &str, line: usize, help: String| Note {
        id: code.as_str(),
        severity: code.severity(),
        confidence: None,
        message: Cow::Owned(mask_secrets(&message).into_owned()),
        path: Cow::Owned(format!("{folder}{file}")),
        place: Some((line, 1)),
        span: None,
        text: None,
        first_line: 1,
        related: Vec::new(),
        help: Some(Cow::Owned(help)),
        fix: None,
        excerpt: None,
        fingerprint: None,
        suppressed: None,
    };
    let limits = |runtime: &str, session: &str, lost: &[soul_core::runtimes::LostLimit]| {
        let of = |limit: &soul_core::runtimes::LostLimit| {
            let text = limit.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("the limit `{text}` does not reach {runtime}, session `{session}`: {}", limit.reason);
            note(
                Code::LimitNotDelivered,
                message,
                &limit.file,
                limit.line,
                format!("rule `{}` of the runtime", limit.rule),
            )
        };
        lost.iter().map(of).collect::<Vec<_>>()
    };
    let mut notes: Vec<Note<'a>> =
        response.matrix.iter().flat_map(|row| limits(&row.runtime, &row.session, &row.lost_limits)).collect();
    if let Some(report) = &response.delivery {
        notes.extend(limits(&report.runtime, &report.session, &report.lost_limits));
        for section in report.sections.iter().filter(|section| section.state != State::Delivered) {
            let heading = section.heading.as_deref();
            let part =
                heading.map_or("the text without a heading".to_owned(), |heading| format!("the section `{heading}`"));
            let reason = section.reason.as_deref().unwrap_or_default();
            let message = format!(
                "{part} is {} by {}, session `{}`: {reason}",
                section.state.as_str(),
                report.runtime,
                report.session
            );
            let line = section.lines.first().map_or(1, |[first, _]| *first);
            let rule = section.rule.as_deref().unwrap_or_default();
            let help = format!("rule `{rule}` of the runtime");
            notes.push(note(Code::SectionNotDelivered, message, &section.file, line, help));
        }
    }
    notes
}

/// What a check found: the problems that count, and those that do not after them.
pub(crate) fn of_check(response: &check::Response) -> impl Iterator<Item = Note<'_>> {
    let text = |path: &str| response.sources.get(path).map(String::as_str);
    response.problems.iter().chain(&response.suppressed).map(move |problem| Note {
        id: &problem.code,
        severity: problem.severity,
        confidence: problem.confidence,
        message: Cow::Borrowed(&problem.message),
        path: Cow::Borrowed(&problem.path),
        place: problem.line.zip(problem.column),
        span: problem.span,
        text: text(&problem.path),
        first_line: 1,
        related: problem
            .places
            .iter()
            .map(|place| Related::new(place, Cow::Borrowed(&place.file), text(&place.file)))
            .collect(),
        help: problem.help.as_deref().map(Cow::Borrowed),
        fix: problem.fix.as_ref(),
        excerpt: problem.excerpt.as_deref(),
        fingerprint: Some(&problem.fingerprint),
        suppressed: problem.suppressed.as_deref(),
    })
}
