//! What an agent starts with, for people: a table of its files, then the identity card.

use std::fmt::Write;

use anstyle::Style;
use soul_core::text::visible;
use soul_engine::ops::boot::{Becomes, File, Response};

use super::calibration::notes;
use super::style::{ERROR, FAINT, GOOD, INFO, STRONG, WARNING, count};
use super::table::{Table, cell};

pub(crate) fn started(response: &Response) -> String {
    let (style, word) = match (response.present, response.valid, response.active) {
        (false, ..) => (INFO, "no soul"),
        (_, false, _) => (ERROR, "invalid"),
        (_, _, false) => (WARNING, "valid, disabled"),
        _ => (GOOD, "valid"),
    };
    let dialect = response.dialect.map(|dialect| format!("  {dialect}")).unwrap_or_default();
    let mut out = format!("{STRONG}{}{STRONG:#}{dialect}  {style}{word}{style:#}\n", response.source_path);
    let mut table = Table::new([">STEP", "FILE", ">BYTES", "USED AS"]);
    for file in response.files.iter().chain(&response.beside) {
        let step = file.step.map(|step| step.to_string()).unwrap_or_default();
        let bytes = if file.present { file.bytes.to_string() } else { "none".to_owned() };
        let style = if file.present { Style::new() } else { FAINT };
        table.row([
            cell(step, FAINT),
            cell(visible(&file.file), style),
            cell(bytes, style),
            cell(used_as(file, response), style),
        ]);
    }
    out.push_str(&table.render());
    let memory = &response.memory;
    let _ = writeln!(
        out,
        "\n{FAINT}memory{FAINT:#}  {} in {} indexed",
        count(memory.sections as usize, "section"),
        count(memory.files, "file")
    );
    for unread in &memory.unread {
        let _ = writeln!(out, "{WARNING}could not read{WARNING:#} {}", visible(unread));
    }
    let derived = if response.identity_card.derived { "derived from the soul" } else { "from its file" };
    let _ = writeln!(out, "\n{FAINT}identity card, {derived}{FAINT:#}");
    for line in response.identity_card.text.lines().take(12) {
        let _ = writeln!(out, "{}", format!("  {}", visible(line)).trim_end());
    }
    if !response.diagnostics.is_empty() {
        let _ = write!(out, "\n{}\n", notes(&response.diagnostics));
    }
    out
}

fn used_as(file: &File, response: &Response) -> String {
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
    format!("{becomes}{many}")
}
