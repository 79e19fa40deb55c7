//! What a person sees: a soul at a glance, and each problem with the lines it is about.

use std::fmt::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use anstyle::Style;
use soul_core::diagnostics::Severity;
use soul_core::model::{Dialect, Value};
use soul_core::prompt::Status;
use soul_core::text::{Span, visible, with_hidden};
use soul_engine::checks::Unchecked;
use soul_engine::ops::inspect;
use soul_engine::ops::validate::{self, Summary};

use super::note::{self, Note, Related};
use super::style::{ERROR, FAINT, GOOD, INFO, STRONG, WARNING, count};
use super::view;

pub(super) fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Info => INFO,
    }
}

pub(super) fn headline(response: &inspect::Response) -> String {
    let (style, word) = match response.validation_status {
        Status::Valid => (GOOD, "valid"),
        Status::Inactive => (WARNING, "valid, disabled"),
        Status::Invalid => (ERROR, "invalid"),
        Status::Missing => (INFO, "no soul"),
    };
    let dialect = response.dialect.map(|dialect| format!("  {dialect}")).unwrap_or_default();
    let path = &response.source_path;
    format!("{STRONG}{path}{STRONG:#}{dialect}  {style}{word}{style:#}\n")
}

/// Which dialect was taken, why, and how to choose another.
pub(super) fn read_as(response: &inspect::Response) -> String {
    match (response.dialect, &response.dialect_reason) {
        (Some(dialect), Some(reason)) => {
            format!("{FAINT}read as {dialect}: {reason} (choose another with --dialect){FAINT:#}\n")
        }
        _ => String::new(),
    }
}

/// What an item says, in a line.
pub(super) fn glance(value: &Value) -> String {
    const WIDTH: usize = 72;
    let text = value.plain_text();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let mut line = visible(&first.chars().take(WIDTH).collect::<String>());
    let lines = text.lines().count();
    if lines > 1 {
        let _ = write!(line, " {FAINT}… {lines} lines, {} bytes{FAINT:#}", text.len());
    } else if first.chars().count() > WIDTH {
        let _ = write!(line, "{FAINT}… {} bytes{FAINT:#}", text.len());
    }
    line
}

/// Many souls: every problem, then the numbers.
pub(crate) fn validation(response: &validate::Response) -> String {
    let mut out = String::new();
    let is_alone = response.results.len() == 1;
    for result in response.results.iter().filter(|result| is_alone || !result.diagnostics.is_empty()) {
        out.push_str(&headline(result));
        out.push_str(&read_as(result));
        if !result.diagnostics.is_empty() {
            out.push_str(&excerpts(note::of_soul(result)));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}{}", summary(&response.summary), dialects(response));
    out.push_str(&unchecked(&response.unchecked));
    out
}

/// What could not be checked, a line each.
pub(super) fn unchecked(targets: &[Unchecked]) -> String {
    targets.iter().map(|one| format!("{ERROR}not checked{ERROR:#}: {}\n", one.error)).collect()
}

/// How many souls were read in which dialect, if there are several.
fn dialects(response: &validate::Response) -> String {
    let read_in = |dialect: &Dialect| response.results.iter().filter(|result| result.dialect == Some(*dialect)).count();
    let counts = Dialect::ALL.iter().map(|dialect| (read_in(dialect), dialect)).filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, dialect)| format!("{count} {dialect}")).collect();
    if response.results.len() < 2 || counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
}

pub(super) fn summary(summary: &Summary) -> String {
    let Summary { checked, valid, invalid, errors, warnings } = *summary;
    let mut parts = vec![format!("{} checked", count(checked, "soul"))];
    if invalid == 0 {
        parts.push(format!("{GOOD}all valid{GOOD:#}"));
    } else {
        parts.push(format!("{valid} valid"));
        parts.push(format!("{ERROR}{invalid} invalid{ERROR:#}"));
        parts.push(count(errors, "error"));
    }
    if warnings > 0 {
        parts.push(format!("{WARNING}{}{WARNING:#}", count(warnings, "warning")));
    }
    parts.join(", ")
}

/// Problems, each with its place in the source, with blank lines between.
pub(super) fn excerpts<'a>(notes: impl Iterator<Item = Note<'a>>) -> String {
    notes.map(|note| excerpt(&note)).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// One problem with the lines it is about.
pub(super) fn excerpt(note: &Note<'_>) -> String {
    let level = match note.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(&*note.message).id(note.id);
    let mut report = Vec::new();
    let is_here = |related: &Related<'_>| related.at.as_ref().is_none_or(|at| at.path == note.path);
    let marked = note.marked().map(|(text, span)| (without_hidden(text), span));
    match &marked {
        Some((text, span)) => {
            let related = note
                .related
                .iter()
                .filter(|related| is_here(related) && text.get(range(related.span)).is_some())
                .map(|related| AnnotationKind::Context.span(range(related.span)).label(related.message));
            let primary = AnnotationKind::Primary.span(range(*span));
            let snippet = Snippet::source(text.as_str()).line_start(note.first_line).path(&*note.path);
            let group = title.element(snippet.annotation(primary).annotations(related));
            let elsewhere = note.related.iter().filter(|related| !is_here(related));
            report.push(elsewhere.fold(group, |group, related| with_place(group, related)));
            report.extend(next_step(note, text));
        }
        None => {
            let mut place = Origin::path(&*note.path);
            if let Some((line, column)) = note.place {
                place = place.line(line).char_column(column);
            }
            report.push(title.element(place));
            report.extend(note.help.as_deref().map(|help| Group::with_title(Level::HELP.secondary_title(help))));
        }
    }
    let decor = if view::is_unicode() { DecorStyle::Unicode } else { DecorStyle::Ascii };
    Renderer::styled().decor_style(decor).render(&report)
}

/// Adds a place in another file: its lines, or where they are if its text is not here.
fn with_place<'a>(group: Group<'a>, related: &'a Related<'_>) -> Group<'a> {
    let Some(at) = &related.at else { return group };
    match at.text.as_deref().filter(|text| text.get(range(related.span)).is_some()) {
        Some(text) => {
            let mark = AnnotationKind::Context.span(range(related.span)).label(related.message);
            group.element(Snippet::source(text).path(&*at.path).annotation(mark))
        }
        None => group.element(Origin::path(&*at.path).line(at.start.0).char_column(at.start.1)),
    }
}

/// Every character that shows nothing becomes one that does, of the same length in bytes. Controls of ASCII are left:
/// the renderer has pictures of them.
fn without_hidden(text: &str) -> String {
    let shown = |(c, hidden): (char, bool)| match c.len_utf8() {
        1 => c.to_string(),
        3 if hidden => "\u{fffd}".to_owned(),
        length if hidden => "?".repeat(length),
        _ => c.to_string(),
    };
    with_hidden(text).map(shown).collect()
}

/// The help, with the edit shown if there is one.
fn next_step<'a>(note: &'a Note<'_>, text: &'a str) -> Option<Group<'a>> {
    let title = Level::HELP.secondary_title(note.help.as_deref()?);
    Some(match note.fix.filter(|fix| text.get(range(fix.span)).is_some()) {
        Some(fix) => {
            title.element(Snippet::source(text).path(&*note.path).patch(Patch::new(range(fix.span), fix.text.as_str())))
        }
        None => Group::with_title(title),
    })
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start..span.end
}
