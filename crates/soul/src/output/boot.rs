//! An agent as it comes up, for people: one line a file, then the card.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::boot::{Becomes, File, Response};

use super::calibration::notes;
use super::style::{ERROR, FAINT, GOOD, INFO, STRONG, WARNING, count};

pub(crate) fn started(response: &Response) -> String {
    let (style, word) = match (response.present, response.valid, response.active) {
        (false, ..) => (INFO, "no soul"),
        (_, false, _) => (ERROR, "invalid"),
        (_, _, false) => (WARNING, "valid, switched off"),
        _ => (GOOD, "valid"),
    };
    let dialect = response.dialect.map(|dialect| format!("  {dialect}")).unwrap_or_default();
    let mut out = format!("{STRONG}{}{STRONG:#}{dialect}  {style}{word}{style:#}\n", response.source_path);
    let all = || response.files.iter().chain(&response.beside);
    let width = all().map(|file| visible(&file.file).chars().count()).max().unwrap_or(0);
    for file in all() {
        let _ = writeln!(out, "{}", line(file, width, response));
    }
    let memory = &response.memory;
    let _ = writeln!(
        out,
        "\n  {FAINT}memory{FAINT:#}  {} in {} indexed",
        count(memory.sections as usize, "section"),
        count(memory.files, "file")
    );
    for unread in &memory.unread {
        let _ = writeln!(out, "  {WARNING}unread{WARNING:#}  {}", visible(unread));
    }
    let derived = if response.identity_card.derived { "derived" } else { "from its file" };
    let _ = writeln!(out, "\n  {FAINT}card, {derived}{FAINT:#}");
    for line in response.identity_card.text.lines().take(12) {
        let _ = writeln!(out, "{}", format!("  {}", visible(line)).trim_end());
    }
    if !response.diagnostics.is_empty() {
        let _ = write!(out, "\n{}\n", notes(&response.diagnostics));
    }
    out
}

fn line(file: &File, width: usize, response: &Response) -> String {
    let step = file.step.map_or(" ".to_owned(), |step| step.to_string());
    let name = visible(&file.file);
    let gap = " ".repeat(width.saturating_sub(name.chars().count()));
    let size = if file.present { format!("{:>7}", file.bytes) } else { format!("{:>7}", "–") };
    let becomes = match file.becomes {
        Becomes::IdentityPrompt => "identity prompt",
        Becomes::StyleLayer => "style layer",
        Becomes::DisplayCard if !file.present && response.identity_card.derived => {
            "display card, derived from the soul"
        }
        Becomes::DisplayCard => "display card",
        Becomes::ProceduresLayer => "procedures layer",
        Becomes::MemorySeed => "memory seed",
        Becomes::Calibration => "calibration",
        Becomes::Manifest => "manifest",
        Becomes::BasePrompt => "base prompt",
        Becomes::LimitsLayer => "limits layer",
        Becomes::UserLayer => "user layer, read only",
    };
    let what = if file.becomes == Becomes::Calibration { "output" } else { "section" };
    let many = file.count.map(|many| format!(", {}", count(many, what))).unwrap_or_default();
    format!("  {FAINT}{step}{FAINT:#}  {name}{gap}  {size}  {becomes}{many}")
}
