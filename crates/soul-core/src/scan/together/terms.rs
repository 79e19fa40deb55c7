//! Names that one file gives and another one uses.
//!
//! [What files call things](super::names) comes in two kinds. A name that one file defines is read with its meaning where
//! another one uses it. A mark is a code word that exactly two files mention, or a placeholder in an address that another
//! file fills in: two sentences with the same mark are read as one.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, MatchKind};

use super::super::matcher::Unusable;
use super::names::{Definition, definitions, marks_of, quoted_names};
use super::{Joint, LONGEST, Origin, Other, SOUL, Text, judge, sentence};
use crate::text::Span;

/// A name that is used more often is an ordinary word.
const MOST_USES: usize = 12;

/// How many bytes of joined sentences are read: so many, and a part of the size of the files.
const JOINED: usize = 16 << 10;
const JOINED_PART: usize = 32;

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

/// Where the names of definitions are used, each up to one more time than counts. A name that is defined that often is an
/// ordinary word too.
fn uses(texts: &[Text<'_>], files: &[usize], definitions: &[Definition]) -> Vec<Vec<Mention>> {
    let mut all = vec![Vec::new(); definitions.len()];
    // Two files may define the same name.
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        let spellings: BTreeSet<String> =
            spellings(&definition.name).iter().map(|name| name.to_ascii_lowercase()).collect();
        for name in spellings {
            named.entry(name).or_default().push(index);
        }
    }
    named.retain(|_, definitions| definitions.len() <= MOST_USES);
    let automaton =
        AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest).build(named.keys());
    let Ok(automaton) = automaton else { return all };
    if named.is_empty() {
        return all;
    }
    let named: Vec<Vec<usize>> = named.into_values().collect();
    for &file in files {
        let text = &*texts[file].text;
        for hit in automaton.find_iter(text).filter(|hit| is_word(text, hit.start(), hit.end())) {
            for index in &named[hit.pattern().as_usize()] {
                if all[*index].len() <= MOST_USES {
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
