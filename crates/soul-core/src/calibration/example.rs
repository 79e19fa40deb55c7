//! Outputs as people write them down: under headings, between rules, as entries of a list, in fences or
//! quotes; with the question before them and the reason behind them, or without.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag};

use super::label::{ANSWERING, ASKING, Speaker, is_remark, labels};
use super::prose::unmarked;
use crate::markup::markdown;
use crate::text::BOM;

/// An example of how an agent should or should not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its heading.
    pub title: Option<String>,
    /// The bytes of the example in the file.
    pub range: Range<usize>,
    /// The bytes of what the agent says.
    pub spoken: Range<usize>,
}

/// The examples of a file. Each heading of the highest level below the title starts one; without such headings,
/// horizontal rules separate them; else each list entry, quote or fenced block is one; else the whole file is one.
/// Text before the first heading is an introduction.
///
/// ```
/// use soul_core::calibration::examples;
/// let text = "## Refund\n\n**User:** I want my money back.\n\n**Aria:** I pass that on.\n\nWhy: no promise.\n";
/// let found = examples(text);
/// assert_eq!(found[0].title.as_deref(), Some("Refund"));
/// assert_eq!(&text[found[0].spoken.clone()], "I pass that on.");
/// ```
#[must_use]
pub fn examples(text: &str) -> Vec<Example> {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let outline = markdown::outline(&text[start..]);
    let below_title = outline.iter().filter(|heading| heading.level > HeadingLevel::H1);
    let level = below_title.clone().map(|heading| heading.level).min();
    let parts: Vec<(Option<String>, Range<usize>)> = match level {
        Some(level) => {
            let headings: Vec<_> = below_title.filter(|heading| heading.level == level).collect();
            let ends = headings.iter().skip(1).map(|next| start + next.range.start).chain([text.len()]);
            let part = |(heading, end): (&&markdown::Heading, usize)| {
                (Some(heading.title.clone()), start + heading.range.end..end)
            };
            headings.iter().zip(ends).map(part).collect()
        }
        None => {
            let title = outline.iter().map(|heading| start + heading.range.end).next().unwrap_or(start);
            let divided = divided(text, start);
            let blocks = if divided.len() > 1 { divided } else { blocks(text, title) };
            blocks.into_iter().map(|range| (None, range)).collect()
        }
    };
    let parts = parts.into_iter().map(|(title, range)| (title, trimmed(text, range)));
    let mut parts: Vec<_> = parts.filter(|(_, range)| !range.is_empty()).collect();
    // Headings that say who speaks.
    let titled = |names: &[&str], title: &Option<String>| {
        title.as_ref().is_some_and(|title| names.contains(&title.trim().to_lowercase().as_str()))
    };
    if parts.iter().any(|(title, _)| titled(&ANSWERING, title)) {
        parts.retain(|(title, _)| !titled(&ASKING, title));
    }
    let parts = parts.into_iter();
    parts.map(|(title, range)| Example { title, spoken: spoken(text, range.clone()), range }).collect()
}

/// The parts between rules.
fn divided(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut from = start;
    let mut parts = Vec::new();
    for rule in markdown::rules(&text[start..]) {
        parts.push(from..start + rule.start);
        from = start + rule.end;
    }
    parts.push(from..text.len());
    parts.retain(|part| !text[part.clone()].trim().is_empty());
    parts
}

/// The entries of the lists, the quotes or the fences of a text, whichever it has several of; else the
/// whole.
fn blocks(text: &str, title: usize) -> Vec<Range<usize>> {
    let [mut entries, mut quotes, mut fences] = [Vec::new(), Vec::new(), Vec::new()];
    let mut depth = 0_usize;
    for (event, range) in Parser::new(&text[title..]).into_offset_iter() {
        let range = title + range.start..title + range.end;
        match event {
            Event::Start(tag) => {
                match &tag {
                    // A list is one level, its entries the next. The mark of an entry is nobody's word.
                    Tag::Item if depth == 1 => {
                        let entry = &text[range.clone()];
                        entries.push(range.end - unmarked(entry).0.len()..range.end);
                    }
                    Tag::BlockQuote(_) if depth == 0 => quotes.push(range),
                    Tag::CodeBlock(CodeBlockKind::Fenced(_)) if depth == 0 => fences.push(range),
                    _ => {}
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // A list of one entry is that entry, if nothing stands around it.
    let only = match entries.as_slice() {
        [entry] => unmarked(&text[title..]).0.len() == text.len() - entry.start && text[entry.end..].trim().is_empty(),
        _ => false,
    };
    let several = [quotes, fences, entries.clone()].into_iter().find(|blocks| blocks.len() > 1);
    several.unwrap_or_else(|| if only { entries } else { vec![title_or_whole(text, title)] })
}

/// What follows the title, or the title itself where nothing does.
fn title_or_whole(text: &str, title: usize) -> Range<usize> {
    if text[title..].trim().is_empty() { 0..text.len() } else { title..text.len() }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// What of an example the agent says: what stands behind the first label of an answer, or after the
/// question where only that is labelled, up to a remark; of that, the text of a last fence or quote, or
/// what follows a first quote; else all of it.
fn spoken(text: &str, range: Range<usize>) -> Range<usize> {
    let labels = labels(text, range.clone());
    let part = match labels.iter().position(|(speaker, ..)| *speaker == Speaker::Agent) {
        Some(first) => {
            let until = labels[first + 1..].iter().find(|(speaker, ..)| *speaker == Speaker::Other);
            trimmed(text, labels[first].2..until.map_or(range.end, |(_, at, _)| *at))
        }
        None => {
            let question = labels.iter().find(|(_, at, _)| !is_remark(&text[*at..]));
            // The question takes its paragraph; what follows is the answer.
            let blank = |part: &str| ["\n\n", "\n\r\n"].into_iter().filter_map(|blank| part.find(blank)).min();
            let gap = question.and_then(|(_, at, _)| Some(at + blank(&text[*at..range.end])?));
            let start = gap.unwrap_or(range.start);
            let remark = labels.iter().find(|(_, at, _)| *at >= start && is_remark(&text[*at..]));
            trimmed(text, start..remark.map_or(range.end, |(_, at, _)| *at))
        }
    };
    let part = if part.is_empty() { range } else { part };
    let part = unwrapped(text, part);
    let framed = framed(text, part.clone()).map(|range| trimmed(text, range)).filter(|range| !range.is_empty());
    framed.unwrap_or(part)
}

/// A part without the tag or the edge of a table that closes it.
fn unwrapped(text: &str, part: Range<usize>) -> Range<usize> {
    let part_text = text[part.clone()].trim_end_matches(['|', ' ']);
    let tag = part_text.strip_suffix('>').and_then(|open| open.rfind("</"));
    let part_text = tag.map_or(part_text, |at| &part_text[..at]);
    let inside = trimmed(text, part.start..part.start + part_text.len());
    if inside.is_empty() { part } else { inside }
}

/// What of a part is the answer, by its frame: the text of a last fence or quote, or what follows a first
/// quote.
fn framed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    // Whether the last block is a frame.
    let mut last: Option<bool> = None;
    let mut inside: Option<Range<usize>> = None;
    let mut quoted_first = None;
    let mut depth = 0_usize;
    for (event, place) in Parser::new(&text[range.clone()]).into_offset_iter() {
        let place = range.start + place.start..range.start + place.end;
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    if last.is_none() && matches!(tag, Tag::BlockQuote(_)) {
                        quoted_first = Some(place.end);
                    }
                    last = Some(match &tag {
                        Tag::BlockQuote(_) => true,
                        // Code in a language is a part of an answer, not its frame.
                        Tag::CodeBlock(CodeBlockKind::Fenced(language)) => is_text(language),
                        _ => false,
                    });
                    inside = None;
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(_) => inside = Some(inside.map_or(place.clone(), |open| open.start..place.end)),
            _ => {}
        }
    }
    if last? { inside } else { quoted_first.map(|end| end..range.end) }
}

fn is_text(language: &str) -> bool {
    matches!(language.trim(), "" | "text" | "txt" | "md" | "markdown" | "plain" | "plaintext")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Option<String>, &str)> {
        examples(text).into_iter().map(|example| (example.title, &text[example.range])).collect()
    }

    fn spoken_parts(text: &str) -> Vec<&str> {
        examples(text).into_iter().map(|example| &text[example.spoken]).collect()
    }

    #[test]
    fn outputs_are_told_apart() {
        let titled = |title: &str| Some(title.to_owned());
        assert_eq!(
            found("# Good\n\nIntro\n\n## Greeting\nHi.\n\n```\n## no heading\n```\n## Bye\nSee you.\n"),
            [(titled("Greeting"), "Hi.\n\n```\n## no heading\n```"), (titled("Bye"), "See you.")]
        );
        assert_eq!(found("One.\n\n---\nTwo.\n"), [(None, "One."), (None, "Two.")]);
        assert_eq!(found("One.\r\n\r\n***\r\n\r\nTwo.\n").len(), 2);
        assert_eq!(found("## A\na\n### B\nb\n## C\nc\n").len(), 2);
        assert_eq!(found("Only one.\n"), [(None, "Only one.")]);
        assert_eq!(found(""), []);
        assert_eq!(found("# Good\n\n- One.\n- Two,\n  with more.\n"), [(None, "One."), (None, "Two,\n  with more.")]);
        assert_eq!(found("# Good\n\n- Only one.\n"), [(None, "Only one.")]);
        assert_eq!(found("These:\n\n- Only one.\n"), [(None, "These:\n\n- Only one.")]);
        assert_eq!(found("Good:\n\n> One.\n\nand\n\n> Two.\n").len(), 2);
        assert_eq!(found("```\nOne.\n```\n\n```\nTwo.\n```\n").len(), 2);
        assert_eq!(found("# Only a title\n").len(), 1);
    }

    #[test]
    fn only_what_the_agent_says_counts() {
        assert_eq!(
            spoken_parts("## A\n**User:** Hi!\n\n**Aria:** Hello.\nAnd more.\n\n*Why it works:* calm.\n"),
            ["Hello.\nAnd more."]
        );
        assert_eq!(spoken_parts("## A\nUser: Hi!\n\nHello.\n\nNote: calm.\n"), ["Hello."]);
        assert_eq!(spoken_parts("## A\r\nUser: Hi!\r\n\r\nHello.\r\n"), ["Hello."]);
        assert_eq!(spoken_parts("## A\nPrompt: Hi!\nOutput: Hello.\n"), ["Hello."]);
        assert_eq!(
            spoken_parts("## A\nAsked about refunds:\n\n> I pass that on.\n\nWhy: no promise\n"),
            ["I pass that on."]
        );
        assert_eq!(spoken_parts("## A\n> Where is it?\n\nIn the port.\n"), ["In the port."]);
        assert_eq!(spoken_parts("## A\n```\nIn the port.\n```\n"), ["In the port."]);
        assert_eq!(spoken_parts("## A\nRun this:\n\n```sh\nls\n```\n"), ["Run this:\n\n```sh\nls\n```"]);
        assert_eq!(spoken_parts("## A\nNote: it is 9:30 now.\n").len(), 1);
    }
}
