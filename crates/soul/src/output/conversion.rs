//! What became of each thing a soul says, for people.

use std::fmt::Write;

use soul_core::diagnostics::Severity;
use soul_core::model::Field;
use soul_engine::ops::convert::{Outcome, Response};

use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING};
use super::terminal::{glance, severity_style};

pub(crate) fn report(response: &Response) -> String {
    let of = |fate: &str| response.losses.iter().filter(|outcome| outcome.fate == fate).collect::<Vec<_>>();
    let (moved, gone) = (of("moved"), of("gone"));
    let mut out = format!("{STRONG}{} → {}{STRONG:#}  {} kept", response.from, response.to, response.kept.len());
    if !moved.is_empty() {
        let _ = write!(out, ", {WARNING}{} moved{WARNING:#}", moved.len());
    }
    if !gone.is_empty() {
        let _ = write!(out, ", {ERROR}{} lost{ERROR:#}", gone.len());
    }
    out.push('\n');
    for outcome in grouped(&response.kept) {
        let _ = writeln!(out, "  {GOOD}kept{GOOD:#}   {:<14} {FAINT}→{FAINT:#} {}", outcome.name, outcome.place);
    }
    for outcome in grouped(moved) {
        let to = outcome.to.filter(|field| *field != Field::Body).map(|field| format!(", as {field}"));
        let to = to.unwrap_or_default();
        let _ =
            writeln!(out, "  {WARNING}moved{WARNING:#}  {:<14} {FAINT}→{FAINT:#} {}{to}", outcome.name, outcome.place);
    }
    for outcome in gone {
        let _ = writeln!(out, "  {ERROR}lost{ERROR:#}   {:<14} {}", outcome.field.as_str(), glance(&outcome.value));
    }
    for diagnostic in response.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Info) {
        let style = severity_style(diagnostic.severity);
        let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let _ = writeln!(out, "  {style}{:<6}{style:#} {}{help}", diagnostic.severity.as_str(), diagnostic.message);
    }
    for note in &response.notes {
        let _ = writeln!(out, "  {HINT}note{HINT:#}   {note}");
    }
    out
}

/// Several files and one standard output.
pub(crate) fn files_beside(response: &Response) -> String {
    let names: Vec<_> = response.files.iter().map(|file| file.path.as_str()).collect();
    format!("{HINT}hint{HINT:#}: write {} beside it too, with `-o DIRECTORY`\n", names.join(", "))
}

struct Group {
    name: String,
    place: String,
    to: Option<Field>,
}

/// One line for the items of a field that share a fate.
fn grouped<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Group> {
    let mut groups: Vec<(&Outcome, usize)> = Vec::new();
    for outcome in outcomes {
        match groups.iter_mut().find(|(first, _)| first.field == outcome.field && first.to == outcome.to) {
            Some((_, count)) => *count += 1,
            None => groups.push((outcome, 1)),
        }
    }
    let group = |(outcome, count): (&Outcome, usize)| Group {
        name: if count == 1 { outcome.field.to_string() } else { format!("{} ×{count}", outcome.field) },
        place: outcome.place.clone().unwrap_or_else(|| "elsewhere".to_owned()),
        to: outcome.to,
    };
    groups.into_iter().map(group).collect()
}
