//! Words that a soul wants avoided, in the ways that people list them: under a heading, behind a colon, in
//! quotes, after `such as`.

use super::prose::{unmarked, words};
use super::reader::quoted;
use crate::model::is_negative;

/// A word or phrase, and where the line that names it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Banned {
    pub(super) word: String,
    pub(super) line: std::ops::Range<usize>,
}

/// The most words of one phrase: what is longer describes, and is not said.
const LONGEST: usize = 8;
/// The same where it is not plain that words are listed.
const LONGEST_DOUBTFUL: usize = 3;

/// The words that a Markdown text wants avoided.
pub(super) fn banned(text: &str) -> Vec<Banned> {
    let mut found: Vec<Banned> = Vec::new();
    // The heading that holds, with its level, and whether it is plainly about words.
    let mut list: Option<(usize, bool)> = None;
    let mut about_words: Vec<(usize, bool)> = Vec::new();
    // What stands above the line that divides a table names its columns.
    let mut in_table = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if level > 0 && line[level..].starts_with(' ') {
            let title = line[level..].trim().to_lowercase();
            about_words.retain(|(above, _)| *above < level);
            let wordy = is_about_words(&title) || about_words.iter().any(|(_, wordy)| *wordy);
            about_words.push((level, wordy));
            list = list.filter(|(above, _)| *above < level);
            if is_avoidance(&title) {
                list = Some((level, wordy));
            }
            continue;
        }
        let (said, entry) = unmarked(line.trim_end());
        let cell = first_cell(said);
        in_table = cell.is_some() && (in_table || cell == Some(""));
        let bare = said.replace("**", "");
        let mut add = |entries: Vec<String>| {
            found.extend(entries.into_iter().map(|word| Banned { word, line: range.clone() }));
        };
        if let Some((label, words)) = bare.split_once(':')
            && is_avoidance(&label.to_lowercase())
            && label.len() < 60
        {
            let wordy = is_about_words(&label.to_lowercase()) || list.is_some_and(|(_, wordy)| wordy);
            add(split(words, wordy));
        } else if let Some((_, wordy)) = list {
            match (entry, cell) {
                (true, _) => add(entries(&bare, wordy)),
                (false, Some(cell)) => add(if in_table { entries(cell, wordy) } else { Vec::new() }),
                // A paragraph that only lists: `synergy, leverage, utilize`.
                (false, None) if bare.contains(',') && !bare.contains(". ") => add(split(&bare, wordy)),
                (false, None) => add(quoted(&bare).into_iter().map(str::to_owned).collect()),
            }
        } else if is_negative(&bare)
            && let Some(examples) = [" such as ", " like "].iter().find_map(|mark| Some(bare.split_once(mark)?.1))
        {
            add(split(examples.split(". ").next().unwrap_or_default(), false));
        }
    }
    found
}

fn is_avoidance(title: &str) -> bool {
    const SIGNS: [&str; 12] = [
        "avoid",
        "banned",
        "forbidden",
        "never say",
        "never use",
        "don't say",
        "don’t say",
        "do not say",
        "don't use",
        "don’t use",
        "do not use",
        "not to use",
    ];
    SIGNS.iter().any(|sign| title.contains(sign))
}

fn is_about_words(title: &str) -> bool {
    const SIGNS: [&str; 9] =
        ["word", "phrase", "vocabulary", "term", "say", "language", "expression", "jargon", "cliché"];
    SIGNS.iter().any(|sign| title.contains(sign))
}

/// The first cell of a row of a table, without dashes: that of the row that divides is empty.
fn first_cell(line: &str) -> Option<&str> {
    Some(line.strip_prefix('|')?.split('|').next()?.trim_matches([' ', '-', ':']))
}

/// Several entries on one line.
fn split(text: &str, wordy: bool) -> Vec<String> {
    let quoted = quoted(text);
    if !quoted.is_empty() {
        return quoted.into_iter().map(str::to_owned).collect();
    }
    let mut parts: Vec<&str> = text.split([',', ';']).collect();
    for mark in [" / ", " or ", " and "] {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let last =
        |part: &'_ str| -> String { part.trim().trim_start_matches("and ").trim_start_matches("or ").to_owned() };
    parts.into_iter().flat_map(|part| entries(&last(part), wordy)).collect()
}

/// What one entry of a list bans: what it quotes, or itself without what explains it.
fn entries(entry: &str, wordy: bool) -> Vec<String> {
    let said = quoted(entry);
    if !said.is_empty() {
        // What follows an arrow is what to say instead.
        let instead = ["→", "->", " instead", " use "].iter().filter_map(|mark| entry.find(mark)).min();
        let before = |word: &&str| instead.is_none_or(|at| entry.find(*word).is_some_and(|found| found < at));
        return said.into_iter().filter(before).map(str::to_owned).collect();
    }
    let ends = [" (", " – ", " — ", " - ", " → ", "->", ": ", " instead", " because", "; "];
    let end = ends.iter().filter_map(|mark| entry.find(mark)).min().unwrap_or(entry.len());
    let alternatives = entry[..end].split(" / ").map(|part| {
        part.trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, '*' | '_' | '.' | '…' | ',' | '\'' | '‘' | '’' | '!')
        })
    });
    let most = if wordy { LONGEST } else { LONGEST_DOUBTFUL };
    let fits = |part: &&str| (1..=most).contains(&words(part).len());
    alternatives.filter(fits).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        banned(text).into_iter().map(|banned| banned.word).collect()
    }

    #[test]
    fn lists_are_read_in_every_way_they_are_written() {
        assert_eq!(
            found("## Words to avoid\n\n- synergy\n- **leverage** (say use)\n- \"as an AI\" → nothing\n"),
            ["synergy", "leverage", "as an AI"]
        );
        assert_eq!(found("# Vocabulary\n\n## Avoid\n- going forward\n\n## Prefer\n- soon\n"), ["going forward"]);
        assert_eq!(found("Avoid: synergy, leverage; utilize / delve.\n"), ["synergy", "leverage", "utilize", "delve"]);
        assert_eq!(found("- **Never say:** \"no problem\", \"sure thing\"\n"), ["no problem", "sure thing"]);
        assert_eq!(
            found("## Banned phrases\n\n| phrase | say |\n|---|---|\n| at the end of the day | finally |\n"),
            ["at the end of the day"]
        );
        assert_eq!(
            found("Avoid jargon such as synergy, circle back and deep dive. Be plain.\n"),
            ["synergy", "circle back", "deep dive"]
        );
        assert_eq!(found("## Forbidden words\n\nsynergy, leverage\n"), ["synergy", "leverage"]);
    }

    #[test]
    fn descriptions_are_no_words() {
        assert_eq!(found("## Avoid\n\n- Long preambles before the answer comes\n"), [""; 0]);
        assert_eq!(found("## Tone\n\n- calm\n\nWe avoid nothing: never.\n## Next\n- x\n"), ["never"]);
        assert_eq!(found("You like people, such as they are.\n"), [""; 0]);
    }
}
