//! Memory for people: what was found, with the words that match, and what a memory holds.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::memory::excerpt::MatchingLine;
use soul_engine::ops::memory::search::{Explanation, Response, SearchResult};
use soul_engine::ops::memory::status;
use soul_engine::sync::MemorySyncResult;

use super::style::{FAINT, STRONG, WARNING, count, hint};
use super::sync;
use super::table::{Table, cell};
use super::view;

/// Each result with its place, its headings and the lines that match; if there is no memory at all, that, and what to
/// do about it.
pub(crate) fn results(response: &Response, (absent, next): (&str, &str)) -> String {
    if response.results.is_empty() {
        return match response.files {
            0 => format!("{absent}\n{}", hint(next)),
            files => format!("no matches in {}\n", count(files, "file")),
        };
    }
    response.results.iter().map(result).collect::<Vec<_>>().join("\n")
}

fn result(found: &SearchResult) -> String {
    let agent = found.agent.as_deref().map(|agent| format!("{}  ", visible(agent))).unwrap_or_default();
    let path: Vec<String> = found.heading_path.iter().map(|heading| visible(heading)).collect();
    let arrow = if view::is_unicode() { " › " } else { " > " };
    let path = if path.is_empty() { found.section.clone() } else { path.join(arrow) };
    let score = match view::is_verbose() || found.explain.is_some() {
        true => format!("  {FAINT}{:.2}{FAINT:#}", found.score),
        false => String::new(),
    };
    let mut out = format!("{agent}{STRONG}{}:{}{STRONG:#}  {path}{score}\n", visible(&found.file), found.line);
    out.extend(found.matches.iter().map(matching));
    out.extend(found.explain.as_ref().map(explanation));
    out
}

/// A line with the words that match in bold.
fn matching(line: &MatchingLine) -> String {
    let MatchingLine { text, highlights, .. } = line;
    let mut out = "    ".to_owned();
    let mut done = 0;
    for (start, end) in highlights {
        let (Some(before), Some(word)) = (text.get(done..*start), text.get(*start..*end)) else { continue };
        let _ = write!(out, "{}{STRONG}{}{STRONG:#}", visible(before), visible(word));
        done = *end;
    }
    out.push_str(&visible(text.get(done..).unwrap_or_default()));
    out.push('\n');
    out
}

fn explanation(why: &Explanation) -> String {
    let terms: Vec<String> = why.terms.iter().map(|one| format!("{} {:.2}", visible(&one.term), one.score)).collect();
    let standing = if why.standing < 1.0 { format!(" × superseded {:.2}", why.standing) } else { String::new() };
    let terms = terms.join(" + ");
    let (coverage, recency) = (why.coverage, why.recency);
    format!("    {FAINT}({terms}) × coverage {coverage:.2} × recency {recency:.3}{standing}{FAINT:#}\n")
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
    let mut table = Table::new(["KIND", ">SECTIONS", ">BYTES", "FILE"]);
    for file in &response.files {
        let kind = match file.kind {
            status::Kind::LongTerm => "long-term",
            status::Kind::Daily => "daily",
            status::Kind::Topic => "topic",
            status::Kind::Runtime => "runtime",
            status::Kind::Other => "other",
        };
        let (sections, bytes) = (file.sections.to_string(), file.bytes.to_string());
        table.row([cell(kind, FAINT), sections.into(), bytes.into(), visible(&file.file).into()]);
    }
    if !response.files.is_empty() {
        out.push_str(&table.render());
    }
    let index = match &response.index.why {
        None => format!("stored in the home, {}", count(response.index.segments, "segment")),
        Some(why) => format!("not stored: {why}"),
    };
    let _ = writeln!(out, "{FAINT}index{FAINT:#}   {index}");
    if let Some(sync) = &response.sync {
        let _ = writeln!(out, "{FAINT}remote{FAINT:#}  {}  {}", visible(&sync.remote), visible(&sync.branch));
        let standing = match (sync.ahead, sync.behind) {
            (Some(0), Some(0)) => "in sync".to_owned(),
            (Some(ahead), Some(behind)) => format!("ahead {ahead}, behind {behind}"),
            _ => format!("{WARNING}could not fetch{WARNING:#}: {}", visible(sync.error.as_deref().unwrap_or_default())),
        };
        let _ = writeln!(out, "{FAINT}sync{FAINT:#}    {standing}");
        if let Some(auto) = sync::auto(&sync.auto_sync) {
            let _ = writeln!(out, "{FAINT}auto{FAINT:#}    {auto}");
        }
        for file in &sync.changed {
            let _ = writeln!(out, "        changed {}", visible(file));
        }
    }
    for unread in &response.unread {
        let _ = writeln!(out, "{WARNING}could not read{WARNING:#} {}", visible(unread));
    }
    out
}

/// What the sync of a memory did.
pub(crate) fn synced(result: &MemorySyncResult) -> String {
    let mut out =
        format!("{STRONG}{}{STRONG:#}  {FAINT}{}{FAINT:#}\n", visible(&result.message), visible(&result.remote));
    for (word, files) in [("pulled", &result.pulled), ("pushed", &result.pushed), ("removed", &result.removed)] {
        for file in files {
            let _ = writeln!(out, "  {word:<8} {}", visible(file));
        }
    }
    for lost in &result.lost {
        let whose = if lost.side == "ours" { "yours" } else { "the remote's" };
        let _ = writeln!(
            out,
            "{WARNING}replaced{WARNING:#} {} in {}: {whose}, kept in {}",
            visible(&lost.file),
            visible(&lost.place),
            visible(&lost.kept)
        );
        lost.text.lines().for_each(|line| out.push_str(&format!("    {FAINT}{}{FAINT:#}\n", visible(line))));
    }
    for refused in &result.refused {
        let _ = writeln!(out, "{WARNING}skipped{WARNING:#} {}: {}", visible(&refused.path), visible(&refused.reason));
    }
    if result.ahead + result.behind > 0 {
        let _ = writeln!(out, "  {FAINT}ahead {}, behind {}{FAINT:#}", result.ahead, result.behind);
    }
    out
}
