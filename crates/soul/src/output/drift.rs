//! How far files have drifted from a baseline, for people.

use std::fmt::Write;

use anstyle::Style;
use soul_engine::ops::rollback_check::{Drift, FileChange, Response};

use super::style::{ERROR, FAINT, GOOD, INFO, STRONG, WARNING};
use super::table::{Table, cell};

pub(crate) fn report(response: &Response) -> String {
    let (style, word) = shown(response.severity);
    let mut out = format!("{style}{word}{style:#}  {}\n", response.summary);
    if response.files.is_empty() {
        return out;
    }
    let mut table = Table::new(["FILE", "CHANGE", "DRIFT", ">ADDED", ">REMOVED"]);
    for file in &response.files {
        let (style, word) = shown(file.severity);
        table.row([
            cell(file.file.clone(), STRONG),
            cell(change(file.change).to_owned(), Style::new()),
            cell(word.to_owned(), style),
            cell(file.added.to_string(), Style::new()),
            cell(file.removed.to_string(), Style::new()),
        ]);
    }
    out.push_str(&table.render());
    for file in &response.files {
        for limit in &file.removed_limits {
            let _ = writeln!(out, "{ERROR}removed{ERROR:#} {FAINT}{}{FAINT:#} {limit}", file.file);
        }
        for finding in &file.findings {
            let _ = writeln!(
                out,
                "{WARNING}{}{WARNING:#} {}:{} {}",
                finding.rule, file.file, finding.line, finding.message
            );
        }
    }
    out
}

const fn shown(drift: Drift) -> (Style, &'static str) {
    match drift {
        Drift::None => (GOOD, "none"),
        Drift::Low => (INFO, "low"),
        Drift::Medium => (WARNING, "medium"),
        Drift::High => (ERROR, "high"),
    }
}

const fn change(change: FileChange) -> &'static str {
    match change {
        FileChange::Changed => "changed",
        FileChange::Reordered => "reordered",
        FileChange::Deleted => "deleted",
        FileChange::Emptied => "emptied",
        FileChange::New => "new",
    }
}
