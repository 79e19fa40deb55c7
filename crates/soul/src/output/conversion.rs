//! The report of a conversion, for people: what was kept, moved, changed and lost.

use std::fmt::Write;

use serde::Serialize;
use soul_core::diagnostics::Severity;
use soul_core::model::{Fate, Field};
use soul_engine::ops::Report;
use soul_engine::ops::convert::{Companion, Outcome, Response};

use super::concise;
use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING, hint};
use super::terminal::{glance, severity_style};
use super::view::{self, arrow};

/// More paths than this are counted, not listed.
const MAX_PATHS: usize = 20;

/// The result of one input.
#[derive(Serialize)]
pub(crate) struct InputResult {
    /// What was typed, or the file of a folder that was.
    pub(crate) input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conversion: Option<Response>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Report>,
    #[serde(skip)]
    pub(crate) exit: u8,
}

/// How many there are of each fate.
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) kept: usize,
    pub(crate) moved: usize,
    pub(crate) changed: usize,
    pub(crate) lost: usize,
}

#[derive(Serialize)]
pub(crate) struct Summary {
    pub(crate) converted: usize,
    pub(crate) refused: usize,
    pub(crate) failed: usize,
    pub(crate) items: Counts,
    pub(crate) companions: Counts,
    /// Files of a folder that are no personas.
    pub(crate) skipped: Vec<String>,
}

/// A whole run.
#[derive(Serialize)]
pub(crate) struct Run {
    pub(crate) results: Vec<InputResult>,
    pub(crate) summary: Summary,
}

impl Counts {
    pub(crate) fn of(fates: impl Iterator<Item = Fate>) -> Self {
        let mut counts = Self::default();
        for fate in fates {
            *match fate {
                Fate::Kept => &mut counts.kept,
                Fate::Moved => &mut counts.moved,
                Fate::Changed => &mut counts.changed,
                Fate::Lost => &mut counts.lost,
            } += 1;
        }
        counts
    }
}

pub(crate) fn report(response: &Response) -> String {
    let items = response.kept.iter().chain(&response.losses).map(|outcome| outcome.fate);
    let (from, to, items) = (response.from, &response.to, counted(Counts::of(items)));
    format!("{STRONG}{from} {} {to}{STRONG:#}  {items}\n{}", arrow(), outcomes(response))
}

/// Where the items and files went that were not kept, and what to know about the rest.
fn outcomes(response: &Response) -> String {
    let mut out = String::new();
    for outcome in grouped(response.losses.iter().filter(|outcome| outcome.fate != Fate::Lost)) {
        let to = outcome.to.filter(|field| *field != Field::Body).map(|field| format!(", as {field}"));
        let (fate, to) = (fate(outcome.fate), to.unwrap_or_default());
        let _ = writeln!(out, "  {fate} {:<14} {FAINT}{}{FAINT:#} {}{to}", outcome.name, arrow(), outcome.place);
    }
    for outcome in response.losses.iter().filter(|outcome| outcome.fate == Fate::Lost) {
        let _ = writeln!(out, "  {} {:<14} {}", fate(Fate::Lost), outcome.field.as_str(), glance(&outcome.value));
    }
    if !response.companions.is_empty() {
        let fates = response.companions.iter().map(|companion| companion.fate);
        let _ = writeln!(out, "{STRONG}files{STRONG:#}  {}", counted(Counts::of(fates)));
    }
    for companion in response.companions.iter().filter(|companion| companion.fate != Fate::Kept) {
        let Companion { path, fate: of, to, reason } = companion;
        let to = to.as_ref().map(|to| format!(" {FAINT}{}{FAINT:#} {to}", arrow())).unwrap_or_default();
        let reason = reason.as_ref().map(|reason| format!("  {reason}")).unwrap_or_default();
        let _ = writeln!(out, "  {} {path:<14}{to}{reason}", fate(*of));
    }
    for diagnostic in response.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Info) {
        let style = severity_style(diagnostic.severity);
        let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let _ = writeln!(out, "  {style}{:<7}{style:#} {}{help}", diagnostic.severity.as_str(), diagnostic.message);
    }
    for note in &response.notes {
        let _ = writeln!(out, "  {HINT}note{HINT:#}    {note}");
    }
    out
}

fn more_files(count: usize) -> String {
    format!("{count} more {}", if count == 1 { "file" } else { "files" })
}

/// Where the files are.
pub(crate) fn written(paths: &[String]) -> String {
    let mut out: String = paths.iter().take(MAX_PATHS).map(|path| format!("wrote {path}\n")).collect();
    if paths.len() > MAX_PATHS {
        let _ = writeln!(out, "wrote {}", more_files(paths.len() - MAX_PATHS));
    }
    out
}

/// Several files and one standard output.
pub(crate) fn files_beside(response: &Response) -> String {
    let names: Vec<_> = response.all_files().skip(1).map(|(path, _)| path).collect();
    let more = names.len().saturating_sub(MAX_PATHS);
    let more = if more > 0 { format!(" and {}", more_files(more)) } else { String::new() };
    let names = names.into_iter().take(MAX_PATHS).collect::<Vec<_>>().join(", ");
    hint(&format!("`-o DIRECTORY` writes {names}{more} too"))
}

/// A run over several souls: a line for each, and the sum.
pub(crate) fn run(run: &Run) -> String {
    let mut out = String::new();
    for InputResult { input, written, conversion, error, .. } in &run.results {
        let place = written.as_ref().and_then(|written| written.first());
        let _ = match (conversion, place, error) {
            (Some(response), Some(place), _) => {
                let items = response.kept.iter().chain(&response.losses).map(|outcome| outcome.fate);
                let items = counted(Counts::of(items));
                let left = response.companions.iter().filter(|companion| companion.fate == Fate::Lost).count();
                let files =
                    if left > 0 { format!("; {}", numbered(left, "file lost", "files lost")) } else { String::new() };
                writeln!(out, "{input} {FAINT}{}{FAINT:#} {place}  {items}{files}", arrow())
            }
            (Some(response), None, _) => {
                let files = response.companions.iter().map(|companion| companion.fate);
                let fates = response.losses.iter().map(|outcome| outcome.fate).chain(files);
                let items = counted(Counts::of(fates.filter(|fate| *fate != Fate::Kept)));
                let items = items.trim_start_matches("0 kept, ");
                writeln!(out, "{input}  {WARNING}not written{WARNING:#} because of `--strict`: {items}")
            }
            (None, _, Some(error)) => writeln!(out, "{input}  {ERROR}failed{ERROR:#}: {}", error.message),
            (None, _, None) => Ok(()),
        };
        let problems = error.iter().flat_map(|error| error.diagnostics.iter().flatten());
        out.extend(problems.map(|problem| format!("  {}", concise::diagnostic(problem))));
        if let Some(response) = conversion.as_ref().filter(|_| view::is_verbose()) {
            outcomes(response).lines().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
    }
    let summary = &run.summary;
    let _ = write!(out, "{STRONG}{} converted{STRONG:#}", numbered(summary.converted, "soul", "souls"));
    for (count, what) in
        [(summary.refused, "not written"), (summary.failed, "failed"), (summary.skipped.len(), "skipped")]
    {
        if count > 0 {
            let _ = write!(out, ", {count} {what}");
        }
    }
    let _ = writeln!(out, "\n  items  {}", counted(summary.items));
    let Counts { kept, moved, changed, lost } = summary.companions;
    if kept + moved + changed + lost > 0 {
        let _ = writeln!(out, "  files  {}", counted(summary.companions));
    }
    for path in &summary.skipped {
        let _ = writeln!(out, "  skipped {path}: it is not a persona");
    }
    let has_losses = |result: &InputResult| result.conversion.as_ref().is_some_and(Response::has_losses);
    if !view::is_verbose() && run.results.iter().any(has_losses) {
        out.push_str(&hint("`-v` lists what was moved, changed or lost"));
    }
    out
}

fn numbered(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `12 kept, 2 moved, 1 changed, 1 lost`
fn counted(counts: Counts) -> String {
    let mut out = format!("{} kept", counts.kept);
    for (count, style, what) in
        [(counts.moved, WARNING, "moved"), (counts.changed, WARNING, "changed"), (counts.lost, ERROR, "lost")]
    {
        if count > 0 {
            let _ = write!(out, ", {style}{count} {what}{style:#}");
        }
    }
    out
}

fn fate(fate: Fate) -> String {
    let style = match fate {
        Fate::Kept => GOOD,
        Fate::Moved | Fate::Changed => WARNING,
        Fate::Lost => ERROR,
    };
    format!("{style}{:<7}{style:#}", fate.as_str())
}

struct Group {
    name: String,
    place: String,
    fate: Fate,
    to: Option<Field>,
}

/// One line for the items of a field that share a fate.
fn grouped<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Group> {
    let mut groups: Vec<(&Outcome, usize)> = Vec::new();
    for outcome in outcomes {
        let same = |first: &Outcome| (first.field, first.fate, first.to) == (outcome.field, outcome.fate, outcome.to);
        match groups.iter_mut().find(|(first, _)| same(first) && first.place == outcome.place) {
            Some((_, count)) => *count += 1,
            None => groups.push((outcome, 1)),
        }
    }
    let group = |(outcome, count): (&Outcome, usize)| Group {
        name: if count == 1 { outcome.field.to_string() } else { format!("{} ×{count}", outcome.field) },
        place: outcome.place.clone().unwrap_or_else(|| "the body".to_owned()),
        fate: outcome.fate,
        to: outcome.to,
    };
    groups.into_iter().map(group).collect()
}
