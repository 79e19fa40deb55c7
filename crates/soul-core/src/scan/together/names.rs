//! Where a text gives a name to something, and where it puts a code word.
//!
//! A *definition* is a line that begins with a quoted, bold, italic or code-spanned name and says what it stands for, a
//! sentence that says so of a quoted name, an entry of a list that begins with a small word and a colon, or a key of a
//! JSON object that is a phrase. A *mark* is a phrase in quotation marks or a code span that is a sign; a placeholder in
//! an address is a definition without a meaning.

use std::collections::BTreeSet;

use super::Text;
use crate::text::Span;

/// A name of more characters is a sentence, and so is one of more words.
const LONGEST_NAME: usize = 40;
const LONGEST_PHRASE: usize = 6;

/// A name and where a file says what it means.
pub(super) struct Definition {
    pub(super) file: usize,
    pub(super) name: String,
    /// What it stands for; `None` for a placeholder, which the other file fills in.
    pub(super) meaning: Option<Span>,
    /// The whole line, or the placeholder.
    pub(super) line: Span,
}

/// The opening and closing marks of names.
const QUOTES: [(&str, &str); 12] = [
    ("**", "**"),
    ("`", "`"),
    ("\"", "\""),
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("「", "」"),
    ("『", "』"),
    ("‘", "’"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
];

/// What stands between a name and its meaning.
const EQUALS: [&str; 26] = [
    ":",
    "：",
    "=",
    "—",
    "–",
    "->",
    "→",
    "means ",
    "is ",
    "are ",
    "stands for ",
    "refers to ",
    "bedeutet ",
    "ist ",
    "heißt ",
    "significa ",
    "es ",
    "é ",
    "désigne ",
    "est ",
    "signifie ",
    "означает ",
    "oznacza ",
    "demek",
    "指",
    "とは",
];

/// The names that a text puts into quotation marks, in small letters.
pub(super) fn quoted_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (open, close) in &QUOTES[2..9] {
        let mut rest = text;
        while let Some(from) = rest.find(open).map(|at| at + open.len()) {
            rest = &rest[from..];
            // A name is short: the mark that closes it is near.
            let near = &rest[..rest.floor_char_boundary((4 * LONGEST_NAME).min(rest.len()))];
            let Some(to) = near.find(close) else { continue };
            if is_name(&rest[..to]) {
                names.push(rest[..to].to_lowercase());
            }
            rest = &rest[to + close.len()..];
        }
    }
    names
}

/// The names that a text defines. One that some file puts into quotation marks needs none where a line begins with it.
pub(super) fn definitions(file: usize, text: &Text<'_>, quoted: &BTreeSet<String>) -> Vec<Definition> {
    let (path, text) = (text.path, &*text.text);
    if path.ends_with(".json") {
        return json_definitions(file, text);
    }
    let is_quoted = |name: &str| !quoted.is_empty() && quoted.contains(&name.to_lowercase());
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = item(line);
        for (name, at) in placeholders(line) {
            let place = Span::new(start + at, start + at + name.len());
            found.push(Definition { file, name: name.to_owned(), meaning: None, line: place });
        }
        let is_entry = body.len() < line.trim_start().len();
        let bare = || bare_definition(body).filter(|(name, _)| is_entry && is_small(name) || is_quoted(name));
        if let Some((name, meaning)) = definition(body).or_else(bare) {
            let end = start + line.trim_end().len();
            let own = start + (line.len() - body.len());
            if end > own + meaning {
                let meaning = Some(Span::new(own + meaning, end));
                found.push(Definition { file, name: name.to_owned(), meaning, line: Span::new(own, end) });
            }
        }
        for (name, meaning) in named(line) {
            let meaning = Some(Span::new(start + meaning.start, start + meaning.end));
            let own = Span::new(start, start + line.trim_end().len());
            found.push(Definition { file, name: name.to_owned(), meaning, line: own });
        }
        start += line.len();
    }
    found
}

/// The verbs of a sentence that says what a name in quotation marks means.
const NAMING: [&str; 20] = [
    "means ",
    "stands for ",
    "refers to ",
    "is our word for ",
    "is our name for ",
    "bedeutet ",
    "steht für ",
    "meint ",
    "significa ",
    "se refiere a ",
    "quiere decir ",
    "désigne ",
    "signifie ",
    "veut dire ",
    "означает ",
    "oznacza ",
    "指的是",
    "是指",
    "指",
    "とは",
];

/// So many bytes of a sentence are read for what a name means.
const MEANING: usize = 400;

/// Names that a sentence gives somewhere in a line, with the place of what they mean: "in the notes, “the parcel” stands
/// for …". What a line begins with is a [definition] already.
fn named(line: &str) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    for (open, close) in &QUOTES[2..9] {
        for (at, _) in line.match_indices(open).filter(|(at, _)| !item(&line[..*at]).is_empty()) {
            let inner = &line[at + open.len()..];
            let near = &inner[..inner.floor_char_boundary((4 * LONGEST_NAME + MEANING).min(inner.len()))];
            let Some((name, rest)) = near.split_once(close).filter(|(name, _)| is_name(name)) else { continue };
            let rest = rest.trim_start_matches([',', '，', '、', ' ']);
            let end = rest.find(['。', ';', '；', '\n']).or_else(|| rest.find(". ")).unwrap_or(rest.len());
            let rest = &rest[..end];
            let meaning = NAMING.iter().find_map(|verb| rest.strip_prefix(verb));
            // Japanese: 「…」は … のこと.
            let meaning = meaning.or_else(|| rest.strip_prefix('は').and_then(|rest| rest.strip_suffix("のこと")));
            let after = at + open.len() + name.len() + close.len();
            let start = meaning.map(str::trim).filter(|meaning| !meaning.is_empty());
            let start = start.and_then(|meaning| Some((after + line[after..].find(meaning)?, meaning.len())));
            found.extend(start.map(|(start, length)| (name, Span::new(start, start + length))));
        }
    }
    found
}

/// A line without its indentation and list mark. A bold name begins with the same character as a list item.
fn item(line: &str) -> &str {
    let mut body = line.trim_start_matches('\u{feff}').trim_start();
    while let Some(rest) = ["- ", "* ", "+ ", "> ", "| "].iter().find_map(|mark| body.strip_prefix(mark)) {
        body = rest.trim_start();
    }
    body
}

/// The name at the start of a line, and where in the line its meaning begins.
fn definition(line: &str) -> Option<(&str, usize)> {
    let (open, close) = QUOTES.iter().find(|(open, _)| line.starts_with(open))?;
    let length = line[open.len()..].find(close)?;
    let name = line[open.len()..open.len() + length].trim_end_matches([':', '：']);
    let inner_colon = name.len() < length;
    let after = open.len() + length + close.len();
    let rest = line[after..].trim_start();
    let skipped = line.len() - after - rest.len();
    let sign = EQUALS.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len());
    let sign = sign.or(inner_colon.then_some(0))?;
    let meaning = after + skipped + sign;
    let meaning = meaning + (line[meaning..].len() - line[meaning..].trim_start().len());
    // A word of code is the name of a field or an option.
    let is_field = *open == "`" && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (is_name(name) && !is_field).then_some((name, meaning))
}

/// The same without marks: `- harvest: collect …`.
fn bare_definition(line: &str) -> Option<(&str, usize)> {
    let (name, rest) = line.split_once(": ").or_else(|| line.split_once('：'))?;
    let meaning = line.len() - rest.trim_start().len();
    (name.len() >= 4 && name.len() <= LONGEST_NAME && is_name(name)).then_some((name, meaning))
}

/// Whether a name is written small: labels begin with a capital.
fn is_small(name: &str) -> bool {
    name.chars().all(|c| c.is_alphabetic() && !c.is_uppercase() || c == ' ') && name.split(' ').count() <= 3
}

/// What begins with one of these is a case, not a name.
const CONDITIONS: [&str; 12] =
    ["if", "when", "while", "before", "after", "unless", "wenn", "falls", "si", "quand", "cuando", "se"];

fn is_name(name: &str) -> bool {
    let characters = name.chars().count();
    // Paths, calls and options are names of things that everybody uses.
    let is_code = name.contains(['/', '(', '{', '<', '\\', '$', '@', '_', '=']) || name.starts_with('-');
    let is_condition = CONDITIONS.iter().any(|word| {
        name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
            && name[word.len()..].starts_with(' ')
    });
    (2..=LONGEST_NAME).contains(&characters)
        && !is_code
        && !is_condition
        && !name.ends_with('-')
        && name.split_whitespace().count() <= LONGEST_PHRASE
        && name.chars().any(char::is_alphabetic)
}

/// Phrases among the keys of a JSON object: a key without a space is a field.
fn json_definitions(file: usize, text: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('"').map(|found| at + found + 1) {
        let Some(close) = text[open..].find('"').map(|found| open + found) else { break };
        at = close + 1;
        let name = &text[open..close];
        let after = text[at..].trim_start();
        if !name.contains(' ') || !is_name(name) || !after.starts_with(':') {
            continue;
        }
        let value = after[1..].trim_start();
        let Some(inner) = value.strip_prefix('"') else { continue };
        let start = text.len() - inner.len();
        let Some(end) = inner.find('"').map(|found| start + found) else { break };
        at = end + 1;
        let line = Span::new(open - 1, end + 1);
        found.push(Definition { file, name: name.to_owned(), meaning: Some(Span::new(start, end)), line });
    }
    found
}

/// The code words of a text: phrases in quotation marks, and code spans that are signs.
pub(super) fn marks_of(text: &str) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    let mut fenced = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        fenced ^= line.trim_start().starts_with("```");
        if !fenced {
            found.extend(quoted(line).map(|(name, at)| (name, Span::new(start + at, start + at + name.len()))));
        }
        start += line.len();
    }
    found
}

fn quoted(line: &str) -> impl Iterator<Item = (&str, usize)> {
    const CODE: [(&str, &str); 4] = [("`", "`"), ("\"", "\""), ("“", "”"), ("«", "»")];
    CODE.iter().flat_map(move |(open, close)| {
        let mut at = 0;
        std::iter::from_fn(move || {
            let from = at + line[at..].find(open)? + open.len();
            let to = from + line[from..].find(close)?;
            at = to + close.len();
            Some((&line[from..to], from, *open == "`"))
        })
        .filter_map(|(name, from, is_code)| {
            // A code span with a space in it is a command; its first word may be a mark.
            let name = if is_code { name.split(' ').next().unwrap_or_default() } else { name };
            let is_phrase = !is_code && name.split_whitespace().count() >= 2 && is_name(name);
            let is_sign = is_code && name.len() <= 12 && name.starts_with(['!', '~', '^', '%', '+', '?', '=']);
            ((is_phrase || is_sign) && name.len() >= 2).then_some((name, from))
        })
    })
}

/// Words in capitals in the query of an address, which something else fills in.
fn placeholders(line: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (scheme, _) in line.match_indices("://") {
        let address = line[scheme..].split([' ', ')', '>', '"', '\'', '`', '\n']).next().unwrap_or_default();
        let Some(query) = address.find('?') else { continue };
        let mut at = scheme + query;
        for part in line[at..scheme + address.len()].split(|c: char| !c.is_ascii_uppercase() && c != '_') {
            if part.len() >= 3 {
                found.push((part, at));
            }
            at += part.len() + line[at + part.len()..].chars().next().map_or(0, char::len_utf8);
        }
    }
    found
}
