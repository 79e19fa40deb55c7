//! Names that one file gives and another one uses.
//!
//! A *definition* is a line that begins with a quoted, bold or code-spanned name and says what it stands for, an entry
//! of a list that begins with a small word and a colon, or a key of a JSON object that is a phrase. A *mark* is a code
//! word: a quoted phrase or a code span that exactly two files mention, or a placeholder in an address that another
//! file fills in. The use of a name is read with its definition in its place; two sentences with the same mark are read
//! as one.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, MatchKind};

use super::super::matcher::Unusable;
use super::{Joint, LONGEST, Origin, Other, SOUL, Text, judge, sentence};
use crate::text::Span;

/// A name of more characters is a sentence, and so is one of more words.
const LONGEST_NAME: usize = 40;
const LONGEST_PHRASE: usize = 6;

/// A name that is used more often is an ordinary word.
const MOST_USES: usize = 12;

/// How many bytes of joined sentences are read: so many, and a part of the size of the files.
const JOINED: usize = 16 << 10;
const JOINED_PART: usize = 32;

/// A name and where a file says what it means.
struct Definition {
    file: usize,
    name: String,
    /// What it stands for; `None` for a placeholder, which the other file fills in.
    meaning: Option<Span>,
    /// The whole line, or the placeholder.
    line: Span,
}

/// A place that mentions a mark.
#[derive(Clone, Copy)]
struct Mention {
    file: usize,
    span: Span,
}

pub(super) fn find(texts: &[Text<'_>]) -> Result<Vec<Joint>, Unusable> {
    let short = |index: &usize| texts[*index].text.len() <= LONGEST;
    let files: Vec<usize> = (0..texts.len()).filter(short).collect();
    let bytes: usize = files.iter().map(|file| texts[*file].text.len()).sum();
    let origin = if texts.len() > SOUL { Origin::Plain } else { Origin::Joined };
    let mut joiner = Joiner { texts, origin, left: JOINED + bytes / JOINED_PART, joints: Vec::new() };
    let quoted: BTreeSet<String> = files.iter().flat_map(|file| quoted_names(&texts[*file].text)).collect();
    let definitions: Vec<Definition> =
        files.iter().flat_map(|file| definitions(*file, &texts[*file], &quoted)).collect();
    let uses: Vec<(&Definition, Mention)> = definitions
        .iter()
        .zip(uses(texts, &files, &definitions))
        .filter(|(_, uses)| uses.len() <= MOST_USES)
        .flat_map(|(definition, uses)| uses.into_iter().map(move |used| (definition, used)))
        .filter(|(definition, used)| used.file != definition.file)
        .collect();
    // Sentences with several names first: what they say says more than one name does.
    let mut sentences: BTreeMap<(usize, Span), Vec<(Span, &Definition)>> = BTreeMap::new();
    for (definition, used) in &uses {
        let around = sentence::around(&texts[used.file].text, used.span);
        sentences.entry((used.file, around)).or_default().push((used.span, definition));
    }
    for ((file, span), names) in sentences {
        joiner.all_defined(Mention { file, span }, names)?;
    }
    for (definition, used) in uses {
        joiner.defined(definition, used)?;
    }
    let mut marks: BTreeMap<&str, Vec<Mention>> = BTreeMap::new();
    for &file in &files {
        for (name, span) in marks_of(&texts[file].text) {
            marks.entry(name).or_default().push(Mention { file, span });
        }
    }
    for (name, mentions) in marks {
        let in_files: BTreeSet<usize> = mentions.iter().map(|mention| mention.file).collect();
        if in_files.len() != 2 || mentions.len() > 4 {
            continue;
        }
        if let Some(second) = mentions.iter().find(|mention| mention.file != mentions[0].file) {
            joiner.marked(name, mentions[0], *second)?;
        }
    }
    Ok(joiner.joints)
}

/// Reads joined sentences, as long as there is time for them.
struct Joiner<'a> {
    texts: &'a [Text<'a>],
    origin: Origin,
    left: usize,
    joints: Vec<Joint>,
}

impl<'a> Joiner<'a> {
    /// What a use says with the meaning of its name.
    fn defined(&mut self, definition: &Definition, used: Mention) -> Result<(), Unusable> {
        let own = &*self.texts[used.file].text;
        if definition.meaning.is_none() {
            let place = Mention { file: definition.file, span: definition.line };
            let is_same = own[used.span.start..used.span.end] == definition.name;
            return if is_same { self.marked(&definition.name, used, place) } else { Ok(()) };
        }
        let around = Mention { span: sentence::around(own, used.span), ..used };
        let note = format!("with “{}” as {} defines it", definition.name, self.texts[definition.file].path);
        self.join(&self.replaced(around, &[(used.span, definition)]), around, vec![self.definition(definition)], note)
    }

    /// What a sentence says with the meanings of all names in it, if they are several: "bring the harvest to the barn".
    fn all_defined(&mut self, at: Mention, mut names: Vec<(Span, &Definition)>) -> Result<(), Unusable> {
        names.retain(|(_, definition)| definition.meaning.is_some());
        names.sort_by_key(|(span, _)| *span);
        names.dedup_by_key(|(span, _)| span.start);
        if names.len() < 2 || names.len() > MOST_USES {
            return Ok(());
        }
        let listed: Vec<String> = names.iter().map(|(_, definition)| format!("“{}”", definition.name)).collect();
        let others = names.iter().map(|(_, definition)| self.definition(definition)).collect();
        self.join(&self.replaced(at, &names), at, others, format!("with what {} mean", listed.join(" and ")))
    }

    /// A sentence with the meanings of names in their places, which are in order.
    fn replaced(&self, at: Mention, names: &[(Span, &Definition)]) -> String {
        let text = &*self.texts[at.file].text;
        let (mut joined, mut from) = (String::new(), at.span.start);
        for (span, definition) in names {
            if let Some(meaning) = definition.meaning.filter(|_| span.start >= from) {
                joined.push_str(&text[from..span.start]);
                joined.push_str(&one_clause(&self.texts[definition.file].text[meaning.start..meaning.end]));
                from = span.end;
            }
        }
        joined + text.get(from..at.span.end).unwrap_or_default()
    }

    fn definition(&self, definition: &Definition) -> Other {
        Other {
            file: definition.file, span: definition.line, role: format!("“{}” is defined here", definition.name)
        }
    }

    /// What two sentences with the same mark say as one.
    fn marked(&mut self, name: &str, first: Mention, second: Mention) -> Result<(), Unusable> {
        let sentence = |at: Mention| Mention { span: sentence::around(&self.texts[at.file].text, at.span), ..at };
        let (first, second) = (sentence(first), sentence(second));
        let joined = format!("{}, {}", one_clause(self.text(first)), self.text(second));
        let note = format!("together with “{name}” in {}", self.texts[first.file].path);
        let role = format!("“{name}” is mentioned here");
        self.join(&joined, second, vec![Other { file: first.file, span: first.span, role }], note)
    }

    fn text(&self, at: Mention) -> &'a str {
        &self.texts[at.file].text[at.span.start..at.span.end]
    }

    /// Keeps the rules that a joined sentence breaks and none of its parts does.
    fn join(&mut self, joined: &str, own: Mention, others: Vec<Other>, note: String) -> Result<(), Unusable> {
        let Some(left) = self.left.checked_sub(joined.len()) else { return Ok(()) };
        self.left = left;
        let together = judge(joined, self.origin)?;
        if together.is_empty() {
            return Ok(());
        }
        let mut alone = judge(self.text(own), self.origin)?;
        for Other { file, span, .. } in &others {
            alone.extend(judge(self.text(Mention { file: *file, span: *span }), self.origin)?);
        }
        for rule in together.into_iter().filter(|rule| !alone.iter().any(|known| known.id == rule.id)) {
            let (note, others) = (note.clone(), others.clone());
            self.joints.push(Joint { rule, file: own.file, span: own.span, note, others });
        }
        Ok(())
    }
}

/// A text as part of a sentence: without its end, and with its own ends made commas.
fn one_clause(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '!', '?', '。', '；', ';']);
    text.replace(". ", ", ").replace('。', "，")
}

/// Where the names of definitions are used.
fn uses(texts: &[Text<'_>], files: &[usize], definitions: &[Definition]) -> Vec<Vec<Mention>> {
    let mut all = vec![Vec::new(); definitions.len()];
    let patterns: Vec<(usize, String)> = definitions
        .iter()
        .enumerate()
        .flat_map(|(index, definition)| spellings(&definition.name).into_iter().map(move |name| (index, name)))
        .collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns.iter().map(|(_, name)| name));
    let Ok(automaton) = automaton else { return all };
    if patterns.is_empty() {
        return all;
    }
    for &file in files {
        let text = &*texts[file].text;
        for hit in automaton.find_iter(text) {
            let name = &patterns[hit.pattern().as_usize()];
            if is_word(text, hit.start(), hit.end()) {
                // Two files may define the same name.
                let same = |other: &&(usize, String)| other.1.eq_ignore_ascii_case(&name.1);
                for (index, _) in patterns.iter().filter(same) {
                    all[*index].push(Mention { file, span: Span::new(hit.start(), hit.end()) });
                }
            }
        }
    }
    all
}

/// A name as it stands in a sentence: without its article or its “to”, and with its first letter in either case.
fn spellings(name: &str) -> BTreeSet<String> {
    const ARTICLES: [&str; 17] = [
        "to ", "the ", "a ", "an ", "la ", "el ", "los ", "las ", "le ", "les ", "der ", "die ", "das ", "il ", "o ",
        "os ", "as ",
    ];
    let bare = ARTICLES.iter().find_map(|article| {
        name.get(..article.len()).filter(|start| start.eq_ignore_ascii_case(article)).and(name.get(article.len()..))
    });
    let bare = bare.unwrap_or(name);
    let mut rest = bare.chars();
    let Some(first) = rest.next() else { return BTreeSet::new() };
    let rest = rest.as_str();
    BTreeSet::from([bare.to_owned(), first.to_lowercase().chain(rest.chars()).collect()])
}

/// Whether a match is a word, perhaps with an ending, and not a part of another one, of an address or of a label.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
    let next = text[end..].chars().nth(1);
    if before.is_some_and(|c| "./-_@#[$".contains(c))
        || after.is_some_and(|c| "/-_@]=(".contains(c))
        || after == Some('.') && next.is_some_and(char::is_alphanumeric)
    {
        return false;
    }
    let is_spaced = |c: char| c.is_alphanumeric() && !matches!(c, '\u{2e80}'..='\u{d7ff}' | '\u{e00}'..='\u{eff}');
    let before = before.is_some_and(is_spaced);
    let ending = text[end..].chars().take_while(|c| is_spaced(*c)).count();
    !before && ending <= 2 || text[start..end].starts_with(|c: char| !is_spaced(c))
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
fn quoted_names(text: &str) -> Vec<String> {
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
fn definitions(file: usize, text: &Text<'_>, quoted: &BTreeSet<String>) -> Vec<Definition> {
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
        start += line.len();
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
fn marks_of(text: &str) -> Vec<(&str, Span)> {
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
