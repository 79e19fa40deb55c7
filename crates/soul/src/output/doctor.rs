//! What `doctor` found, group by group.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::doctor::{Check, Group, Health, Response};

use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint};

/// Every check under the heading of its group, the settings, and a summary.
pub(crate) fn report(response: &Response) -> String {
    let mut out = String::new();
    for checks in response.checks.chunk_by(|a, b| a.group == b.group) {
        let group = checks[0].group;
        let _ = writeln!(out, "{STRONG}{}{STRONG:#}", title(group));
        checks.iter().for_each(|check| line(&mut out, check));
        for said in response.settings.iter().filter(|_| group == Group::Configuration) {
            let value = visible(&said.value);
            let _ = writeln!(out, "  {:<7}  {FAINT}{} = {value} ({}){FAINT:#}", "", said.key, said.origin);
        }
        out.push('\n');
    }
    let of = |status| response.checks.iter().filter(|check| check.status == status).count();
    out.push_str(&match (of(Health::Broken), of(Health::Warning)) {
        (0, 0) => format!("{GOOD}no problems found{GOOD:#}\n"),
        (0, warnings) => format!("no problems, {WARNING}{}{WARNING:#}\n", count(warnings, "warning")),
        (problems, 0) => format!("{ERROR}{}{ERROR:#}\n", count(problems, "problem")),
        (problems, warnings) => {
            let (problems, warnings) = (count(problems, "problem"), count(warnings, "warning"));
            format!("{ERROR}{problems}{ERROR:#}, {WARNING}{warnings}{WARNING:#}\n")
        }
    });
    out
}

fn line(out: &mut String, check: &Check) {
    let (style, word) = match check.status {
        Health::Ok => (GOOD, "ok"),
        Health::Warning => (WARNING, "warning"),
        Health::Broken => (ERROR, "problem"),
    };
    let _ = writeln!(out, "  {style}{word:<7}{style:#}  {}", check.message);
    if let Some(help) = check.help.as_deref().map(hint).filter(|hint| !hint.is_empty()) {
        let _ = write!(out, "  {:<7}  {help}", "");
    }
}

const fn title(group: Group) -> &'static str {
    match group {
        Group::Home => "Home",
        Group::Configuration => "Configuration",
        Group::Record => "Record",
        Group::Souls => "Souls",
        Group::Sessions => "Sessions",
    }
}
