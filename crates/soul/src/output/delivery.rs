//! What a runtime gives the model, for people.

use std::fmt::Write;

use anstyle::Style;
use soul_core::runtimes::{Runtime, State};
use soul_core::text::visible;
use soul_engine::ops::deliver::{Report, Response, Row};

use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count};
use super::table::{Table, cell};

/// One delivery, or the matrix.
pub(crate) fn report(response: &Response) -> String {
    match &response.delivery {
        Some(report) => one(report),
        None => matrix(&response.matrix),
    }
}

fn style_of(state: State) -> Style {
    match state {
        State::Delivered => GOOD,
        State::Cut | State::Dropped => WARNING,
        State::Blocked => ERROR,
    }
}

fn one(report: &Report) -> String {
    let mut out = String::new();
    let share = report.window_share.map(|share| format!(", {:.1} % of the window", share * 100.0)).unwrap_or_default();
    let _ = writeln!(
        out,
        "{STRONG}{}{STRONG:#}, session `{}`, {}: {} bytes, {} {}, about {} tokens{share}\n",
        report.runtime,
        report.session,
        basis(&report.basis),
        report.bytes,
        report.chars,
        report.unit,
        report.est_tokens
    );
    let mut table = Table::new(["FILE", "SECTION…", "STATE", "LINES", "REASON↩"]);
    for section in &report.sections {
        let heading = section.heading.as_deref().unwrap_or("(no heading)");
        table.row([
            visible(&section.file).into(),
            visible(heading).into(),
            cell(section.state.as_str(), style_of(section.state)),
            lines(&section.lines).into(),
            visible(section.reason.as_deref().unwrap_or_default()).into(),
        ]);
    }
    out.push_str(&table.render());
    for warning in &report.warnings {
        let _ = writeln!(out, "\n{WARNING}{} says{WARNING:#}: {}", report.runtime, visible(warning));
    }
    if !report.lost_limits.is_empty() {
        let lost = report.lost_limits.len();
        let verb = if lost == 1 { "does" } else { "do" };
        let _ = writeln!(out, "\n{ERROR}error{ERROR:#}: {} {verb} not reach the model", count(lost, "limit"));
        for limit in &report.lost_limits {
            let text = limit.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(
                out,
                "  {}:{}: {} ({}: {})",
                visible(&limit.file),
                limit.line,
                visible(&text),
                limit.state.as_str(),
                limit.rule
            );
        }
    }
    out
}

fn matrix(rows: &[Row]) -> String {
    let mut table = Table::new([
        "RUNTIME",
        "SESSION",
        ">TOKENS",
        ">DELIVERED",
        ">CUT",
        ">DROPPED",
        ">BLOCKED",
        ">LIMITS LOST",
        "BASIS",
    ]);
    for row in rows {
        let number = |count: usize, style: Style| cell(count.to_string(), if count == 0 { FAINT } else { style });
        table.row([
            visible(&row.runtime).into(),
            visible(&row.session).into(),
            row.est_tokens.to_string().into(),
            number(row.delivered, GOOD),
            number(row.cut, WARNING),
            number(row.dropped, WARNING),
            number(row.blocked, ERROR),
            number(row.lost_limits.len(), ERROR),
            cell(row.basis.as_str(), FAINT),
        ]);
    }
    table.render()
}

fn basis(basis: &str) -> &str {
    match basis {
        "recorded" => "as recorded",
        "documented" => "as documented",
        _ => "our own",
    }
}

/// Lines as `3-17, 20`.
fn lines(lines: &[[usize; 2]]) -> String {
    let run = |[first, last]: &[usize; 2]| if first == last { first.to_string() } else { format!("{first}-{last}") };
    lines.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// What is known about a runtime, with the source of each fact.
pub(crate) fn facts(runtime: &Runtime) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#} ({}), {}\n", runtime.name, runtime.id, basis(runtime.basis.as_str()));
    let mut section = |title: &str, table: String| {
        if !table.is_empty() {
            let _ = write!(out, "\n{title}\n{table}");
        }
    };
    let mut table = Table::new(["SETTING", "DEFAULT", "MEANING↩"]);
    runtime.settings.iter().for_each(|fact| table.row([fact.name.into(), fact.default.into(), fact.meaning.into()]));
    section("Settings", if runtime.settings.is_empty() { String::new() } else { table.render() });
    let mut table = Table::new(["KIND", "MEANING↩"]);
    runtime.kinds.iter().for_each(|fact| table.row([fact.id.into(), fact.meaning.into()]));
    section("Session kinds", table.render());
    let mut table = Table::new(["FILE", "MEANING↩"]);
    runtime.reads.iter().for_each(|fact| table.row([fact.path.into(), fact.meaning.into()]));
    section("Files, in the order of injection", table.render());
    let mut table = Table::new([">LIMIT", "UNIT", "PER", "VERSION", "SETTING"]);
    for fact in runtime.limits {
        let value = fact.value.to_string();
        table.row([
            value.into(),
            fact.unit.as_str().into(),
            fact.per.into(),
            fact.versions.into(),
            fact.setting.into(),
        ]);
    }
    section("Limits", if runtime.limits.is_empty() { String::new() } else { table.render() });
    let mut table = Table::new(["RULE", "MEANING↩"]);
    runtime.rules.iter().for_each(|fact| table.row([fact.id.into(), fact.meaning.into()]));
    section("What keeps text from the model", table.render());
    let mut table = Table::new(["VERSION", "SOURCE↩"]);
    runtime.versions.iter().for_each(|fact| table.row([fact.version.into(), fact.source.into()]));
    section("Known versions", table.render());
    out
}
