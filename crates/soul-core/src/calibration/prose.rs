//! Words and sentences of a text, with their places. Enough to measure and to compare, for any script.

use std::collections::HashSet;
use std::ops::Range;

use crate::search::{TermKind, is_dense, tokens};

/// A word: in lower case with plain apostrophes, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// A text taken apart once, so that it can be held against many rules.
#[derive(Debug, Clone)]
pub(super) struct Prose<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Word>,
    pub(super) sentences: Vec<Sentence>,
    /// What any of the sentences is about.
    pub(super) terms: HashSet<String>,
}

/// A sentence and what it is about.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) range: Range<usize>,
    /// How many words it has.
    pub(super) words: usize,
    /// The words that carry its meaning, as stems.
    pub(super) terms: HashSet<String>,
    /// Whether it says that something is not so, or not done.
    pub(super) denies: bool,
}

impl<'a> Prose<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let sentences = sentences(text).into_iter().map(|range| {
            let part = &text[range.clone()];
            let words = words(part);
            let denies = words.iter().any(is_denial);
            Sentence { terms: terms(part).collect(), words: words.len(), denies, range }
        });
        let sentences: Vec<Sentence> = sentences.collect();
        let terms = sentences.iter().flat_map(|sentence| sentence.terms.iter().cloned()).collect();
        Self { text, words: words(text), sentences, terms }
    }

    /// How many of a thing there are in a hundred words.
    pub(super) fn per_hundred(&self, count: usize) -> f64 {
        if self.words.is_empty() { 0.0 } else { 100.0 * count as f64 / self.words.len() as f64 }
    }

    /// Where a word or a phrase stands, in any case and form; what has no letters is found as it is.
    pub(super) fn find(&self, phrase: &[Word], literal: &str) -> Option<Range<usize>> {
        if phrase.is_empty() {
            let at = (!literal.is_empty()).then(|| self.text.find(literal)).flatten()?;
            return Some(at..at + literal.len());
        }
        let fits = |found: &[Word]| match (found, phrase) {
            ([found], [word]) => is_form_of(&found.text, &word.text),
            _ => found.iter().zip(phrase).all(|(found, word)| found.text == word.text),
        };
        let found = self.words.windows(phrase.len()).find(|found| fits(found))?;
        Some(found.first()?.range.start..found.last()?.range.end)
    }
}

/// The words of a text. In scripts without spaces, every character is one.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut open = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = matches!(c, '\'' | '’')
            && open
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric() && !is_dense(*next));
        if !c.is_alphanumeric() && !inside {
            open = false;
            continue;
        }
        if !open || is_dense(c) {
            found.push(Word { text: String::new(), range: at..at });
        }
        open = !is_dense(c);
        if let Some(word) = found.last_mut() {
            match c {
                '’' => word.text.push('\''),
                c => word.text.extend(c.to_lowercase()),
            }
            word.range.end = at + c.len_utf8();
        }
    }
    found
}

/// Whether a word is another one, or an inflected form of it.
fn is_form_of(word: &str, base: &str) -> bool {
    if word == base {
        return true;
    }
    let Some(ending) = word.strip_prefix(base) else {
        let bare = base.strip_suffix('e').filter(|bare| bare.len() > 3);
        return bare.is_some_and(|bare| word.strip_prefix(bare) == Some("ing"));
    };
    base.len() > 3 && matches!(ending, "s" | "es" | "d" | "ed" | "ing")
}

/// The words of a text that carry meaning, as stems.
pub(super) fn terms(text: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    tokens(text, &mut |term, kind| {
        let counts = matches!(kind, TermKind::Word | TermKind::Part | TermKind::Pair | TermKind::Lone);
        if counts && !FUNCTION_WORDS.contains(&term) && !term.chars().all(|c| c.is_ascii_digit()) {
            found.push(term.to_owned());
        }
    });
    found.into_iter()
}

/// Words that every sentence has, and what is left of contractions; as stems.
const FUNCTION_WORDS: [&str; 74] = [
    "a", "about", "an", "and", "ani", "anyth", "are", "as", "at", "be", "been", "but", "by", "can", "could", "d",
    "did", "do", "doe", "don", "for", "from", "had", "has", "have", "he", "her", "hi", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "ll", "m", "may", "me", "my", "of", "on", "or", "our", "out", "re", "s", "she",
    "should", "so", "t", "than", "that", "the", "their", "them", "they", "thi", "this", "to", "up", "us", "ve", "wa",
    "was", "we", "what", "when", "will", "with", "would", "you",
];

fn is_denial(word: &Word) -> bool {
    const DENIALS: [&str; 16] = [
        "not", "never", "no", "cannot", "unable", "decline", "refuse", "without", "neither", "nor", "nobody",
        "nothing", "none", "avoid", "instead", "rather",
    ];
    word.text.ends_with("n't") || DENIALS.contains(&word.text.as_str())
}

/// The sentences of a Markdown text, without the marks of lists and quotes. Headings and fenced code
/// hold none; every entry of a list begins one.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let (start, part) = (at, line.trim_start());
        at += line.len();
        let mark = ["```", "~~~"].into_iter().find(|mark| part.starts_with(mark));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_none() { mark } else { None };
        }
        let (content, entry) = unmarked(part);
        let stops = mark.is_some() || fence.is_some() || content.trim().is_empty() || content.starts_with('#');
        if stops || entry {
            found.extend(open.take());
        }
        if !stops {
            let begin = start + (line.len() - content.len());
            cut(text, begin..start + line.trim_end().len(), &mut open, &mut found);
        }
    }
    found.extend(open);
    found.retain(|range| text[range.clone()].contains(|c: char| c.is_alphanumeric()));
    found
}

/// A line without the marks before its words, and whether one of them begins an entry of a list.
pub(super) fn unmarked(line: &str) -> (&str, bool) {
    let mut rest = line.trim_start();
    let mut entry = false;
    loop {
        let bullet = ["- ", "* ", "+ "].into_iter().find_map(|mark| rest.strip_prefix(mark));
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = (number.len() < rest.len()).then(|| number.strip_prefix(". ").or(number.strip_prefix(") ")));
        rest = match (bullet.or(numbered.flatten()), rest.strip_prefix('>')) {
            (Some(content), _) => {
                entry = true;
                content.trim_start()
            }
            (None, Some(content)) => content.trim_start(),
            (None, None) => return (rest, entry),
        };
    }
}

/// Goes on with the open sentence, or begins one, and closes it at its end.
fn cut(text: &str, line: Range<usize>, open: &mut Option<Range<usize>>, found: &mut Vec<Range<usize>>) {
    const CLOSERS: [char; 13] = ['"', '\'', ')', '*', '_', '”', '’', '.', '!', '?', '。', '！', '？'];
    let part = &text[line.clone()];
    let mut done = 0;
    for (at, c) in part.char_indices() {
        if at < done || c.is_whitespace() {
            continue;
        }
        let end = at + c.len_utf8();
        let start = open.as_ref().map_or(line.start + at, |sentence| sentence.start);
        let behind = part[end..].trim_start_matches(CLOSERS);
        let next = behind.trim_start();
        let ends = match c {
            '。' | '！' | '？' => true,
            // `e.g. this` goes on, and so do `3.5` and `Dr. Smith`.
            '.' if !behind.is_empty() && is_shortened(&part[..at], next) => false,
            '.' | '!' | '?' | '…' => {
                behind.is_empty() || (behind.len() > next.len() && !next.starts_with(char::is_lowercase))
            }
            _ => false,
        };
        if ends {
            done = part.len() - behind.len();
            found.push(start..line.start + done);
            *open = None;
        } else {
            *open = Some(start..line.start + end);
        }
    }
}

/// Whether the full stop behind a text shortens its last word, rather than ending a sentence.
fn is_shortened(before: &str, next: &str) -> bool {
    const SHORT: [&str; 22] = [
        "dr", "mr", "mrs", "ms", "prof", "st", "sr", "vs", "fig", "approx", "e.g", "i.e", "cf", "z.b", "d.h", "bzw",
        "ca", "nr", "hr", "fr", "sra", "mme",
    ];
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“')).next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase) && word != "I";
    // `No. 5` is a number, `No.` an answer.
    let numbered = word.eq_ignore_ascii_case("no") && next.starts_with(|c: char| c.is_ascii_digit());
    initial || numbered || SHORT.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_up(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(cut_up("One. Two!! Three?"), ["One.", "Two!!", "Three?"]);
        assert_eq!(
            cut_up("# Title\n\nIt goes\non here, e.g. so. Then \"this.\" End"),
            ["It goes\non here, e.g. so.", "Then \"this.\"", "End"]
        );
        assert_eq!(cut_up("- one\n- two\n  more\n1. three\n> four\n"), ["one", "two\n  more", "three\n> four"]);
        assert_eq!(cut_up("a\n```\ncode. code.\n```\nb"), ["a", "b"]);
        assert_eq!(cut_up("一つ。二つ！"), ["一つ。", "二つ！"]);
        assert_eq!(cut_up("3.5 is a number\n\n---\n\n***\n"), ["3.5 is a number"]);
        assert_eq!(cut_up(""), [""; 0]);
    }

    #[test]
    fn words_are_found_in_every_form() {
        let prose = Prose::new("We’re leveraging SYNERGY, going forward: 東京です — ok");
        let found = |phrase: &str| prose.find(&words(phrase), phrase).map(|range| &prose.text[range]);
        assert_eq!(found("leverage"), Some("leveraging"));
        assert_eq!(found("synergy"), Some("SYNERGY"));
        assert_eq!(found("we're"), Some("We’re"));
        assert_eq!(found("Going  forward"), Some("going forward"));
        assert_eq!(found("京で"), Some("京で"));
        assert_eq!(found("—"), Some("—"));
        for absent in ["lever", "syn", "forward going", "", "…"] {
            assert_eq!(found(absent), None, "{absent}");
        }
    }

    #[test]
    fn what_denies_is_seen() {
        let denies = |text: &str| Prose::new(text).sentences[0].denies;
        assert!(denies("I can’t share that.") && denies("We never do.") && !denies("I share it."));
    }
}
