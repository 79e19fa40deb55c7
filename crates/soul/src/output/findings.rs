//! What a scan found, for people: each finding with its lines, then one line for each target.

use std::fmt::Write;

use soul_core::diagnostics::Severity;
use soul_core::rules::Confidence;
use soul_core::scan::{Finding, Place};
use soul_core::text::{Span, visible, with_hidden};
use soul_engine::ops::scan::{Response, Scanned};

use super::note::{self, Location, Note, Related};
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint};
use super::terminal::{excerpt, severity_style};

pub(crate) fn report(response: &Response) -> String {
    let mut out = String::new();
    for target in &response.targets {
        for note in note::of_target(target).filter(|note| note.suppressed.is_none()) {
            out.push_str(&quoted(note));
            out.push_str("\n\n");
        }
    }
    response.targets.iter().for_each(|target| out.push_str(&verdict(target)));
    let failed = response.targets.iter().filter(|target| !target.passed).flat_map(note::of_target);
    out.push_str(&how_to_allow(failed.filter(|note| note.suppressed.is_none() && note.weight() == Severity::Error)));
    out
}

/// A problem with its lines. An excerpt shows what is written, and a terminal must not obey it. A long stretch is shown
/// by its first line.
pub(super) fn quoted(note: Note<'_>) -> String {
    let shown = note.marked().map(|(text, span)| (visible_lines(text), first_line(text, span)));
    let (text, span) = match &shown {
        Some((text, span)) => (Some(text.as_str()), Some(*span)),
        None => (None, None),
    };
    let message = match note.confidence {
        Some(confidence) => format!("{}, {} confidence", note.message, confidence.as_str()),
        None => note.message.clone().into_owned(),
    };
    let related = note.related.into_iter().map(shown_related).collect();
    excerpt(&Note { message: message.into(), text, span, related, ..note })
}

/// A related place whose text a terminal may show, by its first line.
fn shown_related(related: Related<'_>) -> Related<'_> {
    let Related { at, span, message } = related;
    let Some(Location { path, start, end, text: Some(text) }) = at else { return Related { at, span, message } };
    let span = if text.get(span.start..span.end).is_some() { first_line(&text, span) } else { span };
    let text = Some(visible_lines(&text).into());
    Related { at: Some(Location { path, start, end, text }), span, message }
}

/// A comment to paste that lets the first problem pass, and all others of its line.
pub(super) fn how_to_allow<'a>(problems: impl Iterator<Item = Note<'a>>) -> String {
    let problems: Vec<Note<'a>> = problems.collect();
    let has_comments = |note: &&Note<'_>| note.place.is_some() && !note.path.ends_with(".json");
    let Some(first) = problems.iter().find(has_comments) else { return String::new() };
    let line = first.place.map_or(1, |(line, _)| line);
    let is_here = |note: &&Note<'_>| note.path == first.path && note.place.is_some_and(|(other, _)| other == line);
    let mut codes: Vec<&str> = problems.iter().filter(is_here).map(|note| note.id).collect();
    codes.dedup();
    let codes = codes.join(", ");
    let comment = match first.path.ends_with(".md") && !is_in_frontmatter(first.text.unwrap_or_default(), line) {
        true => format!("<!-- soul: allow {codes} -- REASON -->"),
        false => format!("# soul: allow {codes} -- REASON"),
    };
    hint(&format!("if this is intended, put `{comment}` above {}:{line}", first.path))
}

fn is_in_frontmatter(text: &str, line: usize) -> bool {
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.lines();
    lines.next().is_some_and(is_fence) && lines.position(is_fence).is_some_and(|end| line <= end + 1)
}

/// One finding in a line.
pub(crate) fn line(finding: &Finding) -> String {
    line_as(finding, finding.severity)
}

/// A finding that did not stop a change, in a line: of less than high confidence, it is a warning.
pub(crate) fn accepted(finding: &Finding) -> String {
    let is_certain = finding.confidence == Confidence::High;
    line_as(finding, if is_certain { finding.severity } else { finding.severity.max(Severity::Warning) })
}

fn line_as(finding: &Finding, severity: Severity) -> String {
    let style = severity_style(severity);
    let (path, message) = (visible(&finding.file), visible(&finding.message));
    let place = |place: &Place| format!("; {}:{}:{}", visible(&place.file), place.line, place.column);
    let places: String = finding.places.iter().map(place).collect();
    format!(
        "{path}:{}:{}: {style}{}{style:#}[{}] {message}, {} confidence{places}\n",
        finding.line,
        finding.column,
        severity.as_str(),
        finding.rule,
        finding.confidence.as_str()
    )
}

/// Every character that shows nothing becomes one that does, of the same length in bytes.
pub(super) fn visible_lines(text: &str) -> String {
    let shown = |(c, hidden): (char, bool)| match c.len_utf8() {
        _ if !hidden || matches!(c, '\n' | '\t') => c.to_string(),
        3 => "\u{fffd}".to_owned(),
        length => "?".repeat(length),
    };
    with_hidden(text).map(shown).collect()
}

pub(super) fn first_line(text: &str, span: Span) -> Span {
    let end = text[span.start..span.end].find('\n').map_or(span.end, |at| span.start + at);
    Span::new(span.start, end.min(text.ceil_char_boundary((span.start + 200).min(text.len()))))
}

/// How one target did.
pub(super) fn verdict(target: &Scanned) -> String {
    let Scanned { path, score, total, grade, passed, error, findings, suppressed, .. } = target;
    let (style, word) = match (error, grade, passed) {
        (Some(_), None, _) => (WARNING, "not scanned"),
        (Some(_), Some(_), _) => (WARNING, "not fully scanned"),
        (None, _, true) => (GOOD, "passed"),
        (None, _, false) => (ERROR, "failed"),
    };
    let mut out = format!("{STRONG}{path}{STRONG:#}  {style}{word}{style:#}");
    if let Some(grade) = grade {
        let _ = write!(out, "  grade {grade}, {score} of {total} rules");
    }
    if !findings.is_empty() {
        let _ = write!(out, ", {}", count(findings.len(), "finding"));
    }
    if !suppressed.is_empty() {
        let _ = write!(out, ", {} suppressed", suppressed.len());
    }
    out.push('\n');
    for finding in suppressed {
        let reason = finding.suppressed.as_deref().unwrap_or_default();
        let _ =
            writeln!(out, "  {FAINT}suppressed{FAINT:#} {} {}:{}  {reason}", finding.rule, finding.file, finding.line);
    }
    if let Some(error) = error {
        let _ = writeln!(out, "  {error}");
    }
    out
}
