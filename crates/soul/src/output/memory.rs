//! Memory for people: the compact index of what was found, and what a memory holds.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::memory::{search, status};

use super::style::{FAINT, STRONG, WARNING, count};

/// One line a result: score, place, headings.
pub(crate) fn results(response: &search::Response) -> String {
    let mut out = String::new();
    let place = |found: &search::SearchResult| format!("{}:{}", visible(&found.file), found.line);
    let width = response.results.iter().map(|found| place(found).chars().count()).max().unwrap_or(0);
    for found in &response.results {
        let gap = " ".repeat(width - place(found).chars().count());
        let path: Vec<String> = found.heading_path.iter().map(|heading| visible(heading)).collect();
        let path = if path.is_empty() { found.section.clone() } else { path.join(" › ") };
        let _ = writeln!(out, "{:>7.2}  {STRONG}{}{STRONG:#}{gap}  {path}", found.score, place(found));
        if let Some(why) = &found.explain {
            let terms: Vec<String> =
                why.terms.iter().map(|one| format!("{} {:.2}", visible(&one.term), one.score)).collect();
            let standing =
                if why.standing < 1.0 { format!(" × superseded {:.2}", why.standing) } else { String::new() };
            let _ = writeln!(
                out,
                "         {FAINT}({}) × coverage {:.2} × recency {:.3}{standing}{FAINT:#}",
                terms.join(" + "),
                why.coverage,
                why.recency
            );
        }
    }
    if response.results.is_empty() {
        out.push_str("no matches\n");
    }
    out
}

/// What the user should know, one line each.
pub(crate) fn warnings(warnings: &[String]) -> String {
    warnings.iter().map(|warning| format!("{WARNING}warning{WARNING:#}: {}\n", visible(warning))).collect()
}

/// Every file, and the index.
pub(crate) fn status(response: &status::Response) -> String {
    let mut out = format!(
        "{STRONG}{}{STRONG:#}  {}, {}, {}\n",
        response.directory,
        count(response.files.len(), "file"),
        count(response.sections as usize, "section"),
        count(response.bytes as usize, "byte"),
    );
    for file in &response.files {
        let kind = match file.kind {
            status::Kind::LongTerm => "long-term",
            status::Kind::Daily => "daily",
            status::Kind::Topic => "topic",
            status::Kind::Runtime => "runtime",
            status::Kind::Other => "other",
        };
        let (sections, bytes) = (file.sections, file.bytes);
        let _ = writeln!(out, "  {FAINT}{kind:<9}{FAINT:#}  {sections:>5}  {bytes:>9}  {}", visible(&file.file));
    }
    let index = match &response.index.why {
        None => format!("kept in the home, {}", count(response.index.segments, "segment")),
        Some(why) => format!("not kept: {why}"),
    };
    let _ = writeln!(out, "  {FAINT}index{FAINT:#}      {index}");
    for unread in &response.unread {
        let _ = writeln!(out, "  {WARNING}unread{WARNING:#}     {}", visible(unread));
    }
    out
}
