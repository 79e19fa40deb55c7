//! What a user sees first: an agent that was created, and what to do with it.

use soul_core::text::visible;
use soul_engine::ops::{new, write};
use soul_engine::workspace::AgentName;

use super::style::{FAINT, GOOD, STRONG, hint};
use super::{concise, findings};

/// An agent that was created.
pub(crate) fn created(response: &new::Response) -> String {
    let new::Response { agent, template, from, files, change } = response;
    let path = visible(&change.soul.source_path);
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let dialect = change.soul.dialect.map(|dialect| format!("{dialect}, ")).unwrap_or_default();
    let beginning = match (from, template) {
        (Some(package), _) => format!("the package `{package}`"),
        (None, template) => format!("the template `{}`", template.unwrap_or_default()),
    };
    let mut out = format!("{GOOD}created{GOOD:#} {STRONG}{agent}{STRONG:#}  {dialect}from {beginning}\n");
    out.extend(files.iter().map(|file| format!("  {FAINT}{folder}/{file}{FAINT:#}\n")));
    out.extend(change.findings.iter().map(findings::line));
    out.push_str(&hint(&format!("`soul edit {agent}` makes it yours; `soul check {agent}` checks it")));
    out
}

/// A folder that was created, which is no agent.
pub(crate) fn folder(directory: &str, files: &[&String]) -> String {
    let directory = visible(directory);
    let mut out = format!("{GOOD}created{GOOD:#} {STRONG}{directory}{STRONG:#}\n");
    out.extend(files.iter().map(|file| format!("  {FAINT}{directory}/{file}{FAINT:#}\n")));
    out.push_str(&hint(&format!("edit `{directory}/SOUL.md`; `soul check {directory}` checks it")));
    out
}

/// An edit that is in place: what it means, and what to do next.
pub(crate) fn edited(agent: &AgentName, response: &write::Response, meaning: &str) -> String {
    let meaning = if meaning.is_empty() { "same meaning, different words" } else { meaning };
    let meaning = visible(meaning);
    let mut out = format!("{GOOD}recorded{GOOD:#} {STRONG}{agent}{STRONG:#}  {meaning}\n");
    out.extend(response.findings.iter().map(findings::line));
    out.extend(response.soul.diagnostics.iter().map(concise::diagnostic));
    out.push_str(&hint(&format!("`soul check {agent}` checks it; `soul undo {agent}` undoes it")));
    out
}
