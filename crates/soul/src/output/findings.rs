//! What a scan found, for people: each finding with its lines, then one line for each target.

use std::fmt::Write;

use soul_core::scan::Finding;
use soul_core::text::{Span, visible, with_hidden};
use soul_engine::ops::rule::Rule;
use soul_engine::ops::scan::{Response, Scanned};

use super::note::{self, Note};
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count};
use super::terminal::{excerpt, severity_style};

pub(crate) fn report(response: &Response) -> String {
    let mut out = String::new();
    for target in &response.targets {
        for note in note::of_target(target) {
            let Some(finding) = note.scanned.filter(|finding| finding.suppressed.is_none()) else { continue };
            let message = format!("{}, {} confidence", note.message, finding.confidence.as_str());
            // An excerpt shows what is written, and a terminal must not obey it. A long stretch is
            // shown by its first line.
            let shown = note.marked().map(|(text, span)| (visible_lines(text), first_line(text, span)));
            let (text, span) = match &shown {
                Some((text, span)) => (Some(text.as_str()), Some(*span)),
                None => (None, None),
            };
            out.push_str(&excerpt(&Note { message: &message, text, span, ..note }));
            out.push_str("\n\n");
        }
    }
    response.targets.iter().for_each(|target| out.push_str(&verdict(target)));
    out
}

/// One finding in a line.
pub(crate) fn line(finding: &Finding) -> String {
    let style = severity_style(finding.severity);
    let (path, message) = (visible(&finding.file), visible(&finding.message));
    format!(
        "{path}:{}:{}: {style}{}{style:#}[{}] {message}, {} confidence\n",
        finding.line,
        finding.column,
        finding.severity.as_str(),
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

/// The documentation of a rule.
pub(crate) fn rule(rule: &Rule) -> String {
    let style = severity_style(rule.severity);
    let mut out = format!(
        "{STRONG}{}{STRONG:#} {}  {}  {style}{}{style:#}, {} confidence\n\n  {}\n\n  {}\n  Fix: {}\n",
        rule.id,
        rule.name,
        rule.family,
        rule.severity.as_str(),
        rule.confidence.as_str(),
        rule.message,
        rule.why,
        rule.fix
    );
    for (title, texts) in [("finds", &rule.hits), ("lets pass", &rule.near_misses)] {
        if !texts.is_empty() {
            let _ = writeln!(out, "\n  {FAINT}{title}{FAINT:#}");
            for text in texts {
                let _ = writeln!(out, "    {}", visible(text));
            }
        }
    }
    out
}

/// All rules, a line each.
pub(crate) fn rules(rules: &[Rule]) -> String {
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let line = |rule: &Rule| {
        let style = severity_style(rule.severity);
        format!(
            "{STRONG}{:<width$}{STRONG:#}  {style}{:<7}{style:#}  {:<30} {}\n",
            rule.id,
            rule.severity.as_str(),
            rule.name,
            rule.message
        )
    };
    rules.iter().map(line).collect()
}
