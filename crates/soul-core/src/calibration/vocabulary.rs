//! Words that a soul wants avoided, in the ways that people list them: under a heading, behind a colon, in
//! quotes, after `such as`.

use super::prose::{unmarked, words};
use super::quotes::{forbidden, quotes};
use super::wording::{self, Way};

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

/// The level of a list that a line of its own announces; it ends with the list.
const ANNOUNCED: usize = 7;

/// The words that a Markdown text wants avoided.
pub(super) fn banned(text: &str) -> Vec<Banned> {
    let mut found: Vec<Banned> = Vec::new();
    // The heading that holds, with its level, and whether it is plainly about words.
    let mut list: Option<(usize, bool)> = None;
    let mut about_words: Vec<(usize, bool)> = Vec::new();
    // The row above the line that divides a table names its columns: the one that counts, and whether that
    // line has come.
    let mut table: Option<(usize, bool)> = None;
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
        let (line_text, entry) = unmarked(line.trim_end());
        let wordy_here = about_words.iter().any(|(_, wordy)| *wordy);
        if line_text.is_empty() {
            continue;
        }
        if !entry && !line.starts_with(char::is_whitespace) {
            list = list.filter(|(level, _)| *level < ANNOUNCED);
        }
        let cells = cells(line_text);
        let bare = line_text.replace("**", "");
        let mut add = |entries: Vec<String>| {
            found.extend(entries.into_iter().map(|word| Banned { word, line: range.clone() }));
        };
        if let Some(cells) = cells {
            table = match table {
                None => {
                    let named = cells.iter().position(|cell| is_avoidance(&cell.to_lowercase()));
                    let named = named.filter(|_| wordy_here || list.is_some() || is_about_words(&bare.to_lowercase()));
                    named.or(list.map(|_| 0)).map(|column| (column, false))
                }
                Some((column, false)) => Some((column, cells.iter().all(|cell| cell.is_empty()))),
                Some((column, true)) => {
                    add(cells.get(column).map(|cell| entries(cell, true)).unwrap_or_default());
                    Some((column, true))
                }
            };
            continue;
        }
        table = None;
        let (label, behind) = bare.split_once(':').unwrap_or((&bare, ""));
        let lower = label.trim().to_lowercase();
        let announces = bare.contains(':') || (line_text.starts_with("**") && line_text.ends_with("**"));
        if announces && lower.len() < 60 && is_avoidance(&lower) {
            let wordy = is_about_words(&lower) || wordy_here || list.is_some_and(|(_, wordy)| wordy);
            if behind.trim().is_empty() {
                list = list.or(Some((ANNOUNCED, wordy)));
            } else {
                add(split(behind, wordy));
            }
        } else if let Some((_, wordy)) = list {
            match entry {
                true => add(entries(&bare, wordy)),
                // A paragraph that only lists: `synergy, leverage, utilize`.
                false if bare.contains(',') && !bare.contains(". ") => add(split(&bare, wordy)),
                false => add(forbidden(&bare).into_iter().map(str::to_owned).collect()),
            }
        } else if let Some((Way::Never, rest)) = wording::way(&wording::plain(&bare), false) {
            add(named(rest));
        }
    }
    found
}

/// What a rule names: `the words zonk or plonk`, `jargon such as synergy`.
fn named(rest: &str) -> Vec<String> {
    let first = rest.split(". ").next().unwrap_or_default();
    let words = ["the word ", "the words ", "the phrase ", "the phrases ", "the term ", "the terms "];
    let behind = words.iter().find_map(|mark| {
        let (before, behind) = first.split_once(mark)?;
        matches!(before.trim(), "" | "use" | "say" | "using" | "saying" | "write").then_some(behind)
    });
    let limited = [" in ", " for ", " when ", " to ", " as ", " with "];
    if let Some(behind) = behind.filter(|behind| quotes(behind).is_empty()) {
        return if limited.iter().any(|mark| behind.contains(mark)) { Vec::new() } else { split(behind, false) };
    }
    let examples = [" such as ", " like "].iter().find_map(|mark| Some(first.split_once(mark)?.1));
    examples.map(|examples| split(examples, false)).unwrap_or_default()
}

fn is_avoidance(title: &str) -> bool {
    const SIGNS: [&str; 20] = [
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
        "verboten",
        "vermeide",
        "zu vermeidende",
        "sage nie",
        "interdit",
        "éviter",
        "prohibid",
        "evitar",
    ];
    SIGNS.iter().any(|sign| title.contains(sign))
}

fn is_about_words(title: &str) -> bool {
    const SIGNS: [&str; 15] = [
        "word",
        "phrase",
        "vocabulary",
        "term",
        "say",
        "language",
        "expression",
        "jargon",
        "cliché",
        "wörter",
        "worte",
        "wortschatz",
        "mots",
        "palabras",
        "expresiones",
    ];
    SIGNS.iter().any(|sign| title.contains(sign))
}

/// The cells of a row of a table, without dashes: those of the row that divides are empty.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix('|')?;
    let row = row.trim_end().strip_suffix('|').unwrap_or(row);
    Some(row.split('|').map(|cell| cell.trim_matches([' ', '-', ':'])).collect())
}

/// Marks behind which an entry explains itself, or says what to use instead.
const EXPLAINING: [&str; 10] = [" (", " – ", " — ", " - ", "→", "->", ": ", " instead", " because", "; "];

/// Several entries on one line.
fn split(text: &str, wordy: bool) -> Vec<String> {
    if text.trim_start().starts_with(|c: char| !c.is_alphanumeric()) {
        let quoted = forbidden(text);
        if !quoted.is_empty() {
            return quoted.into_iter().map(str::to_owned).collect();
        }
    }
    let mut parts: Vec<&str> = text.split([',', ';']).collect();
    for mark in [" / ", " or ", " and ", " oder ", " und ", " ou ", " et "] {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let last = |part: &str| -> String { part.trim().trim_start_matches("and ").trim_start_matches("or ").to_owned() };
    parts.into_iter().flat_map(|part| entries(&last(part), wordy)).collect()
}

/// What one entry of a list bans: what it quotes, or itself without what explains it.
fn entries(entry: &str, wordy: bool) -> Vec<String> {
    let end = EXPLAINING.iter().filter_map(|mark| entry.find(mark)).min().unwrap_or(entry.len());
    if quotes(entry).first().is_some_and(|quote| quote.start < end) {
        return forbidden(entry).into_iter().map(str::to_owned).collect();
    }
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
