//! The library of souls, for people.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::library::{Soul, current, delete, list};
use soul_engine::store::{Reason, SkippedSoul, SoulSource};

use super::findings;
use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING, brief_id, digest, hint, row};
use super::table::{Table, cell, fitted};

/// The most of a description that stands in a list.
const GLANCE: usize = 60;

pub(crate) fn list(response: &list::Response) -> String {
    let mut table = Table::new(["", "ID", "NAME", "DESCRIPTION…"]);
    for soul in &response.souls {
        let mark = if response.selected.as_ref() == Some(&soul.id) { "*" } else { "" };
        let description = fitted(&visible(&soul.description), GLANCE);
        table.row([
            cell(mark, GOOD),
            cell(soul.id.as_str(), STRONG),
            visible(&soul.name).into(),
            cell(description, FAINT),
        ]);
    }
    let pages = &response.pagination;
    let mut out = match (response.souls.is_empty(), pages.total_records) {
        (false, _) => table.render(),
        (true, 0) => "no souls match\n".to_owned(),
        (true, _) => "no souls on this page\n".to_owned(),
    };
    for skipped in &response.skipped {
        let _ = writeln!(out, "{WARNING}skipped{WARNING:#} {}: {}", skipped.file, skipped.reason);
    }
    if pages.total_pages > 1 {
        let (page, of, souls) = (pages.current_page, pages.total_pages, pages.total_records);
        out.push_str(&hint(&format!("page {page} of {of}, {souls} souls; continue with `--page N`")));
    }
    out
}

pub(crate) fn soul(soul: &Soul) -> String {
    let mut out = headline(soul, "");
    if !soul.content.is_empty() {
        out.push('\n');
        soul.content.trim_matches('\n').lines().for_each(|line| out.push_str(&(visible(line) + "\n")));
    }
    out
}

/// A soul that was changed.
pub(crate) fn changed(soul: &Soul, word: &str) -> String {
    let mut out = headline(soul, if soul.unchanged { "unchanged" } else { word });
    out.extend(soul.findings.iter().map(findings::accepted));
    out
}

fn headline(soul: &Soul, word: &str) -> String {
    let gap = if word.is_empty() { "" } else { "  " };
    let mut out = format!("{STRONG}{}{STRONG:#}  {}{gap}{GOOD}{word}{GOOD:#}\n", soul.id, visible(&soul.name));
    let mut row = |name: &str, value: &str| row(&mut out, 12, name, value);
    if !soul.description.is_empty() {
        row("description", &visible(&soul.description));
    }
    if let Some(of) = soul.digest {
        row("digest", &digest(&of));
    }
    if let Some(revision) = &soul.revision_id {
        row("revision", &brief_id(revision.as_str()));
    }
    out
}

pub(crate) fn deleted(response: &delete::Response) -> String {
    let delete::Response { id, revision_id } = response;
    let mut out = format!("{STRONG}{id}{STRONG:#}  {ERROR}deleted{ERROR:#}\n");
    row(&mut out, 12, "revision", &brief_id(revision_id.as_str()));
    out
}

pub(crate) fn current(response: &current::Response) -> String {
    let selected = response.selected_soul_id.as_ref().map_or("none", |id| id.as_str());
    let mut out = format!("selected  {STRONG}{selected}{STRONG:#}\n");
    let _ = match &response.soul {
        Some(soul) => {
            let name = visible(&soul.name);
            writeln!(out, "in use    {}  {FAINT}{name}{FAINT:#}", choice(&soul.id, soul.reason, &soul.passed_over))
        }
        None => writeln!(out, "in use    {ERROR}none{ERROR:#}: the soul is invalid; `soul library show ID` shows why"),
    };
    out
}

pub(crate) fn note(source: &SoulSource) -> String {
    let SoulSource { id, reason, passed_over } = source;
    format!("{HINT}note{HINT:#}: using a soul of the library: {}\n", choice(id, *reason, passed_over))
}

/// Which soul of the library is used, and why.
pub(super) fn choice(id: &str, reason: Reason, passed_over: &[SkippedSoul]) -> String {
    let passed = passed_over.iter().map(|passed| format!("; not `{}`: {}", visible(&passed.id), visible(&passed.why)));
    format!("{} ({}{})", visible(id), reason.as_str(), passed.collect::<String>())
}
