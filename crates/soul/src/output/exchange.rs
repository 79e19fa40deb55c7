//! Export, import, fit and anchor, for people.

use std::fmt::Write;

use serde::Serialize;
use soul_core::exchange::TARGETS;
use soul_core::runtimes::State;
use soul_core::text::visible;
use soul_engine::ops::anchor::Response as Anchor;
use soul_engine::ops::export::{Dropped, Response as Export};
use soul_engine::ops::fit::Response as Fit;
use soul_engine::ops::import::Response as Import;

use super::style::{ERROR, GOOD, HINT, STRONG, WARNING, count, hint};
use super::table::Table;

/// A file on disk against the one that the soul makes.
#[derive(Serialize)]
pub(crate) struct Compared {
    pub(crate) path: String,
    /// `same`, `changed` or `missing`.
    pub(crate) state: &'static str,
}

/// What would be written, and what would be lost.
pub(crate) fn plan(export: &Export, has_out: bool) -> String {
    let mut out = format!("{STRONG}{} {} {}{STRONG:#}\n", visible(&export.name), super::view::arrow(), export.target);
    for file in &export.files {
        let _ = writeln!(out, "  {GOOD}file{GOOD:#}     {}  {}", file.path, count(file.text.len(), "byte"));
    }
    for Dropped { what, reason } in &export.dropped {
        let _ = writeln!(out, "  {WARNING}dropped{WARNING:#}  {}: {}", visible(&glance(what)), visible(reason));
    }
    for section in export.sections.iter().filter(|section| section.state != State::Delivered) {
        let heading = section.heading.as_deref().unwrap_or("(no heading)");
        let reason = section.reason.as_deref().unwrap_or_default();
        let state = section.state.as_str();
        let _ = writeln!(
            out,
            "  {WARNING}{state:<8}{WARNING:#} {}, {}: {}",
            section.file,
            visible(heading),
            visible(reason)
        );
    }
    for note in &export.notes {
        let _ = writeln!(out, "  {HINT}note{HINT:#}     {}", visible(note));
    }
    if !export.lost_limits.is_empty() {
        let _ = writeln!(out, "{ERROR}error{ERROR:#}: {} would be lost", count(export.lost_limits.len(), "limit"));
        for limit in &export.lost_limits {
            let _ =
                writeln!(out, "  {}:{}: {} ({})", limit.file, limit.line, visible(&glance(&limit.text)), limit.reason);
        }
    }
    if !export.passed {
        let is_cut = export.lost_limits.iter().any(|limit| limit.state == State::Cut);
        let anyway = "`--accept-loss` writes it all the same";
        let next = match is_cut {
            true => format!("`soul fit TARGET --runtime {}` shortens the soul; {anyway}", export.target),
            false => anyway.to_owned(),
        };
        out.push_str(&hint(&next));
    } else if !has_out {
        out.push_str(&hint("`-o DIR` writes the files"));
    }
    out
}

/// One line of a text, not too long.
fn glance(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

pub(crate) fn compared(files: &[Compared]) -> String {
    let mut out = String::new();
    for file in files {
        let style = if file.state == "same" { GOOD } else { ERROR };
        let _ = writeln!(out, "{style}{:<8}{style:#} {}", file.state, file.path);
    }
    if files.iter().any(|file| file.state != "same") {
        out.push_str(&hint("run the same command without `--check` and with `--overwrite`"));
    }
    out
}

pub(crate) fn targets() -> String {
    let mut table = Table::new(["TARGET", "WRITES↩"]);
    TARGETS.iter().for_each(|target| table.row([target.id.into(), target.meaning.into()]));
    table.render()
}

pub(crate) fn import(import: &Import, is_written: bool) -> String {
    let mut out = String::new();
    if let Some(problem) = &import.problem {
        let _ = writeln!(out, "{ERROR}error{ERROR:#}: {}", visible(problem));
        return out;
    }
    let name = import.name.as_deref().unwrap_or("a soul");
    let _ =
        writeln!(out, "{STRONG}{} {} {}{STRONG:#}  {}", import.from, super::view::arrow(), import.to, visible(name));
    for Dropped { what, reason } in &import.left_out {
        let _ = writeln!(out, "  {WARNING}left out{WARNING:#} {}: {}", visible(what), visible(reason));
    }
    for outcome in &import.losses {
        let fate = outcome.fate.as_str();
        let _ = writeln!(
            out,
            "  {WARNING}{fate:<8}{WARNING:#} {}: {}",
            outcome.field,
            visible(&glance(&outcome.value.plain_text()))
        );
    }
    for note in &import.notes {
        let _ = writeln!(out, "  {HINT}note{HINT:#}     {}", visible(note));
    }
    if !is_written && import.files.len() > 1 {
        let names: Vec<&str> = import.files.iter().skip(1).map(|file| file.path.as_str()).collect();
        out.push_str(&hint(&format!("`-o DIR` writes {} too", names.join(", "))));
    }
    out
}

pub(crate) fn fit(fit: &Fit) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{STRONG}{}{STRONG:#}, session `{}`: {} of {} {}, {} left out",
        fit.runtime,
        fit.session,
        fit.chars,
        fit.chars_before,
        fit.unit,
        count(fit.left_out.len(), "piece")
    );
    const MAX_SHOWN: usize = 20;
    for piece in fit.left_out.iter().take(MAX_SHOWN) {
        let style = if piece.priority == "limit" { ERROR } else { WARNING };
        let _ = writeln!(
            out,
            "  {style}{:<9}{style:#} line {}: {}",
            piece.priority,
            piece.lines[0],
            visible(&glance(&piece.text))
        );
    }
    if fit.left_out.len() > MAX_SHOWN {
        let _ = writeln!(out, "  {} more; `--json` lists all", fit.left_out.len() - MAX_SHOWN);
    }
    if !fit.keeps_limits {
        let _ = writeln!(out, "{ERROR}error{ERROR:#}: not every limit reaches the model");
        let next = format!("`soul deliver TARGET --runtime {}` says why", fit.runtime);
        out.push_str(&hint(&next));
    }
    out
}

pub(crate) fn anchor(anchor: &Anchor) -> String {
    let mut out = String::new();
    if !anchor.left_out.is_empty() {
        let _ = writeln!(out, "{WARNING}left out{WARNING:#}  {}", count(anchor.left_out.len(), "statement"));
    }
    if !anchor.keeps_limits {
        let _ = writeln!(out, "{ERROR}error{ERROR:#}: not every limit fits");
        out.push_str(&hint("raise `--tokens`"));
    }
    out
}
