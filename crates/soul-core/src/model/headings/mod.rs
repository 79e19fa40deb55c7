//! What a heading says about the text under it.
//!
//! A title is folded (case, accents, emoji, numbering and emphasis do not matter) and divided: at dashes, colons and
//! brackets into parts, of which the first that is understood counts, and a part at `&`, `/` and commas into the
//! members of a compound, among which a limit wins. In a member, a phrase of the table counts if it makes up enough of
//! the words that say something; `Communication Style` is a tone, `2026-02-10: created files without confirmation` is
//! nothing.

mod words;

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

use super::Field;
pub use words::{HEADING_WORDS, HeadingWords};

/// Longer titles are sentences; their beginning says enough, and time stays linear.
const MAX_CHARS: usize = 80;

/// The field that a heading with this title stands for; `None` if the title says nothing that we understand.
#[must_use]
pub fn heading_field(title: &str) -> Option<Field> {
    field_of(title)
}

/// The field of a section with this title.
pub(crate) fn field_of(title: &str) -> Option<Field> {
    parts(title).iter().find_map(|members| {
        let fields: Vec<Field> = members.iter().filter_map(|member| member.best().map(|found| found.field)).collect();
        fields.iter().copied().find(|field| is_limit(*field)).or_else(|| fields.first().copied())
    })
}

/// Whether a title consists of nothing but words of the table, as `Core Values` does and `Ada the style coach` does
/// not. Such a title names no agent.
pub(crate) fn is_only_heading_words(title: &str) -> bool {
    let parts = parts(title);
    !parts.is_empty() && parts.iter().flatten().all(|member| member.best().is_some_and(|found| found.covers_all))
}

/// The fields that bound an agent.
pub(crate) const fn is_limit(field: Field) -> bool {
    matches!(field, Field::Limit | Field::MustAlways | Field::MustNever | Field::Escalation)
}

/// A title in lower case, without accents, apostrophes and everything that is neither a letter nor a digit; words are
/// separated by one blank.
pub(crate) fn folded(title: &str) -> String {
    if title.is_ascii() {
        return folded_ascii(title);
    }
    let spaced: String = title.nfkc().flat_map(char::to_lowercase).filter_map(folded_char).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same for the titles that most souls have.
fn folded_ascii(title: &str) -> String {
    let mut folded = String::with_capacity(title.len());
    for byte in title.bytes().filter(|byte| !matches!(byte, b'\'' | b'`')) {
        if byte.is_ascii_alphanumeric() {
            folded.push(char::from(byte.to_ascii_lowercase()));
        } else if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn folded_char(c: char) -> Option<char> {
    match c {
        '\'' | '’' | '‘' | 'ʼ' | '`' => None,
        'ё' => Some('е'),
        'ß' => Some('s'),
        // Marks that belong to a Latin letter; kana and Cyrillic keep theirs.
        'à'..='ɏ' | 'ḁ'..='ỿ' => {
            let mut base = c;
            decompose_canonical(c, |piece| {
                if piece.is_ascii() {
                    base = piece;
                }
            });
            Some(base)
        }
        '\u{300}'..='\u{36f}' => None,
        c if c.is_alphanumeric() => Some(c),
        _ => Some(' '),
    }
}

/// One member of a compound title.
struct Member {
    /// Words without a plural `s`, each with a blank before and after.
    spaced: String,
    /// The letters of scripts without blanks between words.
    dense: String,
}

/// A phrase found in a title.
struct Found {
    field: Field,
    covers_all: bool,
}

/// Phrases of one kind and the automaton that finds them.
struct Phrases {
    automaton: Option<AhoCorasick>,
    fields: Vec<Field>,
}

impl Phrases {
    fn new(phrases: Vec<(String, Field)>) -> Self {
        let (texts, fields): (Vec<String>, Vec<Field>) = phrases.into_iter().unzip();
        Self { automaton: AhoCorasick::builder().match_kind(MatchKind::Standard).build(texts).ok(), fields }
    }

    /// Where which phrases stand, without those that lie inside a longer one.
    fn find(&self, text: &str) -> Vec<(usize, usize, Field)> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let all = automaton.find_overlapping_iter(text);
        let mut found: Vec<_> =
            all.map(|hit| (hit.start(), hit.end(), self.fields[hit.pattern().as_usize()])).collect();
        found.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
        let mut reach = 0;
        found.retain(|(_, end, _)| {
            let outside = *end > reach;
            reach = reach.max(*end);
            outside
        });
        found
    }
}

static SPACED: LazyLock<Phrases> = LazyLock::new(|| phrases(false));
static DENSE: LazyLock<Phrases> = LazyLock::new(|| phrases(true));

fn phrases(dense: bool) -> Phrases {
    let all = HEADING_WORDS.iter().flat_map(|row| row.words.iter().map(|word| (*word, row.field)));
    let of_kind = all.filter(|(word, _)| word.chars().any(is_dense) == dense);
    let folded = of_kind.map(|(word, field)| {
        let member = Member::new(&folded(word));
        (if dense { member.dense } else { member.spaced }, field)
    });
    let mut seen = std::collections::HashSet::new();
    // A word that two languages share, or two fields claim, means what its first row says.
    Phrases::new(folded.filter(|(phrase, _)| seen.insert(phrase.clone())).collect())
}

/// Words that carry no meaning of their own in a title.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "the", "a", "an", "my", "your", "our", "his", "her", "their", "its", "this", "of", "for", "to", "in", "on", "at",
    "by", "with", "and", "or", "is", "are", "am", "be", "i", "you", "we", "they", "he", "she", "it", "how", "what",
    "when", "core", "key", "main", "basic", "general", "agent", "ai", "de", "del", "la", "el", "lo", "los", "las",
    "le", "les", "des", "du", "da", "do", "dos", "das", "o", "os", "as", "un", "une", "um", "uma", "mi", "tu", "su",
    "mon", "ma", "ton", "ta", "meu", "minha", "seu", "sua", "y", "e", "et", "der", "die", "dein", "deine", "mein",
    "meine", "und", "von", "zu", "fur", "и", "в", "на", "для", "с", "мой", "моя", "мои", "твой", "твоя", "твои", "я",
    "ты", "section", "part", "step", "phase",
];

/// Words after which a title says what its head is about: `Examples of style`.
#[rustfmt::skip]
const PREPOSITIONS: &[&str] = &[
    " of ", " for ", " to ", " with ", " in ", " on ", " about ", " de ", " del ", " da ", " do ", " des ", " du ",
    " von ", " fur ", " zu ", " для ", " в ",
];

impl Member {
    fn new(folded: &str) -> Self {
        let mut spaced = String::from(" ");
        for word in folded.split(' ').filter(|word| !word.is_empty()) {
            spaced.push_str(stem(word));
            spaced.push(' ');
        }
        let dense =
            if folded.chars().any(is_dense) { folded.chars().filter(|c| *c != ' ').collect() } else { String::new() };
        Self { spaced, dense }
    }

    fn best(&self) -> Option<Found> {
        self.best_dense().or_else(|| self.best_spaced())
    }

    fn best_spaced(&self) -> Option<Found> {
        let found = SPACED.find(&self.spaced);
        if found.is_empty() {
            return None;
        }
        let content = self.spaced.split(' ').filter(|word| !word.is_empty() && !FILLERS.contains(word)).count();
        let head = PREPOSITIONS.iter().filter_map(|word| self.spaced.find(word)).min().unwrap_or(self.spaced.len());
        // Titles that bound an agent are often long: critical rules that you must follow.
        let enough = |(start, end, field): &(usize, usize, Field)| {
            let more = if matches!(field, Field::Limit | Field::MustAlways | Field::MustNever) { 2 } else { 0 };
            content <= 3 * self.spaced[*start..*end].split_whitespace().count() + more
        };
        let rank = |(start, end, field): &(usize, usize, Field)| (is_limit(*field), *start < head, *end);
        let (start, end, field) = found.into_iter().filter(enough).max_by_key(rank)?;
        let outside = format!("{} {}", &self.spaced[..start], &self.spaced[end..]);
        let covers_all = outside.split_whitespace().all(|word| FILLERS.contains(&word));
        Some(Found { field, covers_all })
    }

    /// In scripts without blanks the last phrase is the head.
    fn best_dense(&self) -> Option<Found> {
        let total = self.dense.chars().count();
        let enough =
            |(start, end, _): &(usize, usize, Field)| total <= 3 * self.dense[*start..*end].chars().count() + 3;
        let rank = |(_, end, field): &(usize, usize, Field)| (is_limit(*field), *end);
        let (start, end, field) = DENSE.find(&self.dense).into_iter().filter(enough).max_by_key(rank)?;
        let fillers = ["核心", "我的", "你的", "基本", "的", "私の", "あなたの", "나의", "너의", "당신의", "핵심"];
        let outside = format!("{} {}", &self.dense[..start], &self.dense[end..]);
        let outside = fillers.iter().fold(outside, |outside, filler| outside.replace(filler, ""));
        Some(Found { field, covers_all: outside.trim().is_empty() })
    }
}

/// A word without the `s` of a plural.
fn stem(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && stem.is_ascii() && !stem.ends_with('s') => stem,
        _ => word,
    }
}

/// Whether a character belongs to a script that writes words together, or joins particles to them.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// The members of each part of a title.
fn parts(title: &str) -> Vec<Vec<Member>> {
    let title = title.get(..title.char_indices().nth(MAX_CHARS).map_or(title.len(), |(at, _)| at)).unwrap_or(title);
    let breaks = |c: char| {
        matches!(
            c,
            ':' | '：'
                | '—'
                | '–'
                | '|'
                | '｜'
                | '('
                | ')'
                | '（'
                | '）'
                | '['
                | ']'
                | '【'
                | '】'
                | '→'
                | '·'
                | '!'
                | '?'
        )
    };
    let joins = |c: char| matches!(c, '&' | '＆' | '/' | '／' | '+' | ',' | '，' | '、' | ';');
    let mut title = Cow::Borrowed(title);
    for (word, mark) in [(" - ", " — "), (" and ", " & "), (" And ", " & "), (" AND ", " & ")] {
        if title.contains(word) {
            title = Cow::Owned(title.replace(word, mark));
        }
    }
    let parts = title.split(breaks).map(|part| {
        part.split(joins)
            .map(folded)
            .map(|member| without_number(&member).to_owned())
            .filter(|member| !member.is_empty())
            .map(|member| Member::new(&member))
            .collect::<Vec<_>>()
    });
    parts.filter(|members| !members.is_empty()).collect()
}

/// A title without the number of its section.
fn without_number(title: &str) -> &str {
    let rest = title.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let rest = match rest.strip_prefix('第') {
        Some(ordinal) => ordinal
            .find(['章', '条', '部', '节'])
            .map_or(rest, |at| ordinal[at..].trim_start_matches(['章', '条', '部', '节', ' '])),
        None => rest,
    };
    let chinese = |c: char| matches!(c, '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十');
    match rest.split_once(' ') {
        Some((number, title)) if number.chars().all(chinese) => title,
        _ => rest,
    }
}

#[cfg(test)]
mod tests;
