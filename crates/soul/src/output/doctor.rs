//! What `doctor` found, group by group.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::doctor::{Check, Group, Health, Response};

use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint_at, with_brief_ids};
use super::wrap::hanging;

/// Every check under the heading of its group, the settings, and a summary.
pub(crate) fn report(response: &Response) -> String {
    let texts = || response.checks.iter().flat_map(|check| [Some(&*check.message), check.help.as_deref()]).flatten();
    let brief = |text: &str| with_brief_ids(text, texts());
    let mut out = String::new();
    for checks in response.checks.chunk_by(|a, b| a.group == b.group) {
        let group = checks[0].group;
        let _ = writeln!(out, "{STRONG}{}{STRONG:#}", title(group));
        checks.iter().for_each(|check| line(&mut out, check, &brief));
        for said in response.settings.iter().map(|said| &said.setting).filter(|_| group == Group::Configuration) {
            let value = visible(&said.value);
            let setting = format!("{:INDENT$}{FAINT}{} = {value} ({}){FAINT:#}", "", said.key, said.origin);
            let _ = writeln!(out, "{}", hanging(&setting, INDENT + 2));
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

/// Where what is said about a check begins.
const INDENT: usize = 11;

fn line(out: &mut String, check: &Check, brief: &dyn Fn(&str) -> String) {
    let (style, word) = match check.status {
        Health::Ok => (GOOD, "ok"),
        Health::Warning => (WARNING, "warning"),
        Health::Broken => (ERROR, "problem"),
    };
    let said = format!("  {style}{word:<7}{style:#}  {}", brief(&check.message));
    let _ = writeln!(out, "{}", hanging(&said, INDENT));
    out.extend(check.help.as_deref().map(|help| hint_at(INDENT, &brief(help))));
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
