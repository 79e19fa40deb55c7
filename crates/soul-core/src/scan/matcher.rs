//! Which rules match where: one pass over a text finds the literals of all rules, and a rule's [pattern](super::patterns)
//! runs only around its literals.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::literals::Literals;
use super::patterns::matches_in;
use super::suppress::MARKS;
use crate::rules::{Matcher, RULES};

/// How far around a literal its pattern may reach.
pub(super) const AROUND: usize = 240;

/// At most so many matches of a rule are kept for a file, of those that are meant and of those that are not.
pub(crate) const MOST: usize = 20;

/// So many matches of a rule are looked at, so that a few that are forbidden hide none that is meant.
const EXAMINED: usize = 400;

/// A match of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Match {
    /// Which of the rules.
    pub(crate) rule: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A sign that something is encoded, found with the literals of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Digits of a byte in binary.
    Binary,
    /// Bytes in hexadecimal with spaces.
    Hexadecimal,
    /// Letters of Morse code.
    Morse,
    /// The start of a comment of some kind.
    Comment,
    /// A word that rules look for, backwards.
    Reversed,
    /// The end of an address, backwards.
    Address,
    /// A word that rules look for, so many places along the alphabet.
    Shifted(u8),
    /// Words of those who change what a model is or may do: no sign by themselves, and in every attack of that kind.
    Topic,
}

/// How comments open and close, in Markdown and HTML, and our own mark in one of any kind.
pub(crate) const COMMENTS: [(&str, &str); 5] =
    [("<!--", "-->"), ("[//]: # (", ")"), ("[comment]: # (", ")"), (MARKS[0], "\n"), (MARKS[1], "\n")];

/// Words whose disguise by a cipher is known.
pub(super) const TELLING: [&str; 14] = [
    "ignore",
    "previous",
    "instructions",
    "system",
    "prompt",
    "password",
    "secret",
    "reveal",
    "disregard",
    "forget",
    "override",
    "without",
    "execute",
    "conversation",
];

/// Where addresses begin or end. No word has these letters the other way round.
const ENDS: [&str; 7] = ["https://", "http://", ".com", ".org", ".net", ".info", ".example"];

/// Such words of scripts without spaces, where a word turned round is none.
pub(super) const TELLING_TOO: [&str; 13] =
    ["忽略", "无视", "指令", "规则", "密码", "密钥", "发送", "告诉", "無視", "指示", "送信", "秘密", "무시하"];

/// What attacks on a model's character talk about: its role, its limits, its obedience, its maker.
const TOPICS: [&str; 56] = [
    "from now on",
    "you are now",
    "you will now",
    "pretend",
    "act as",
    "acting as",
    "role play",
    "roleplay",
    "role-play",
    "simulat",
    "in character",
    "hypothetical",
    "fictional",
    "imagine",
    "unfiltered",
    "uncensored",
    "unrestricted",
    "without any",
    "no restriction",
    "restrictions",
    "no limits",
    "limitations",
    "jailbr",
    "developer mode",
    "do anything",
    "no matter",
    "never refuse",
    "cannot refuse",
    "refuse",
    "comply",
    "obey",
    "ethic",
    "moral",
    "illegal",
    "disclaimer",
    "censor",
    "openai",
    "chatgpt",
    "gpt-4",
    "language model",
    "as an ai",
    "ignore",
    "disregard",
    "forget ",
    "bypass",
    "system prompt",
    "break free",
    "safety",
    "anything now",
    "evil",
    "hacker",
    "忽略",
    "无视",
    "無視",
    "игнорир",
    "ignorier",
];

/// Words that are in most sentences, as they stand in them.
pub(super) const SMALL: [&str; 8] = [" the ", " you ", " your ", " and ", " this ", " that ", " with ", " from "];

/// Such words of other languages, and how an address begins. Nobody writes them along the alphabet by chance.
const SMALL_TOO: [&str; 13] = [
    "https://", " und ", " der ", " nicht ", " les ", " pour ", " avec ", " que ", " para ", " los ", " con ", " com ",
    " nao ",
];

/// What a selector says of a literal: it belongs to a rule, or marks a code.
#[derive(Debug, Clone, Copy)]
enum Owner {
    Rule(u16),
    Mark(Mark),
}

/// What a pass over a text found.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    pub(crate) found: Vec<Match>,
    pub(crate) marks: Vec<(Mark, usize)>,
}

/// The two views that patterns read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Plain,
    Folded,
}

struct Selector {
    literals: Option<Literals>,
    /// What each literal belongs to.
    owners: Vec<Owner>,
}

impl Selector {
    fn new(view: View) -> Self {
        let mut literals: Vec<Cow<'static, str>> = Vec::new();
        let mut owners = Vec::new();
        for (at, rule) in RULES.iter().enumerate() {
            let own = match (&rule.matcher, view) {
                (Matcher::Words { literals, .. }, View::Folded) | (Matcher::Raw { literals, .. }, View::Plain) => {
                    literals
                }
                _ => continue,
            };
            literals.extend(own.iter().map(|literal| Cow::Borrowed(*literal)));
            owners.extend(own.iter().map(|_| Owner::Rule(u16::try_from(at).unwrap_or(u16::MAX))));
        }
        for (literal, mark) in marks(view) {
            literals.push(literal);
            owners.push(Owner::Mark(mark));
        }
        let literals: Vec<&[u8]> = literals.iter().map(|literal| literal.as_bytes()).collect();
        Self { literals: Literals::new(&literals, view == View::Plain), owners }
    }
}

/// The literals that mark a code.
fn marks(view: View) -> Vec<(Cow<'static, str>, Mark)> {
    if view == View::Plain {
        let binary = ["0110", "0111"].map(|digits| (digits.into(), Mark::Binary));
        let spaced = [" 6f ", " 65 ", " 20 ", " 6e ", " 74 "].map(|digits| (digits.into(), Mark::Hexadecimal));
        let morse = [" -. ", " .- ", " .-. ", " -.. ", " --. ", " ..- ", " --- ", " .-.. "]
            .map(|signs| (signs.into(), Mark::Morse));
        let comments = COMMENTS.map(|(open, _)| (open.into(), Mark::Comment));
        return binary.into_iter().chain(spaced).chain(morse).chain(comments).collect();
    }
    let backwards = TELLING.iter().chain(&TELLING_TOO).chain(&SMALL);
    let backwards = backwards.map(|word| (Cow::Owned(word.chars().rev().collect()), Mark::Reversed));
    let addresses = ENDS.map(|end| (Cow::Owned(end.chars().rev().collect()), Mark::Address));
    let small = SMALL.iter().chain(&SMALL_TOO).map(|word| {
        let moved: String = word.chars().map(|c| super::decode::shifted(c, 13)).collect();
        (Cow::Owned(moved), Mark::Shifted(13))
    });
    let along = (1..26).flat_map(|by| {
        TELLING.iter().map(move |word| {
            let moved: String = word.chars().map(|c| super::decode::shifted(c, by)).collect();
            (Cow::Owned(moved), Mark::Shifted(by))
        })
    });
    let topics = TOPICS.iter().map(|words| (Cow::Borrowed(*words), Mark::Topic));
    backwards.chain(addresses).chain(along).chain(small).chain(topics).collect()
}

fn selector(view: View) -> &'static Selector {
    static PLAIN: OnceLock<Selector> = OnceLock::new();
    static FOLDED: OnceLock<Selector> = OnceLock::new();
    match view {
        View::Plain => PLAIN.get_or_init(|| Selector::new(view)),
        View::Folded => FOLDED.get_or_init(|| Selector::new(view)),
    }
}

/// A rule that cannot run: nothing can be judged without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unusable(pub(crate) &'static str);

/// Every match of every rule that reads this view.
pub(crate) fn matches(text: &str, view: View) -> Result<Matches, Unusable> {
    let Selector { literals, owners } = selector(view);
    let literals = literals.as_ref().ok_or(Unusable("literals"))?;
    let bytes = text.as_bytes();
    // Case says nothing about a text as it is written; the other view has none.
    let cased = match view {
        View::Plain => Cow::Owned(bytes.to_ascii_lowercase()),
        View::Folded => Cow::Borrowed(bytes),
    };
    // Where each rule's pattern is to run; ranges that touch become one, so that no byte is read twice for a rule.
    let mut ranges: Vec<(usize, usize, usize)> = Vec::with_capacity(bytes.len() / 128);
    // The last range of each rule.
    let mut last = [usize::MAX; RULES.len()];
    let mut marks = Vec::with_capacity(bytes.len() / 128);
    literals.each(&cased, |literal, start, end| match owners[literal] {
        Owner::Rule(rule) => {
            let rule = usize::from(rule);
            let (start, end) = (start.saturating_sub(AROUND), (end + AROUND).min(bytes.len()));
            match ranges.get_mut(last[rule]) {
                Some((.., last)) if start <= *last => *last = end.max(*last),
                _ => {
                    last[rule] = ranges.len();
                    ranges.push((rule, start, end));
                }
            }
        }
        Owner::Mark(mark) => marks.push((mark, start)),
    });
    ranges.sort_by_key(|(rule, ..)| *rule);
    let mut found = Vec::new();
    for ranges in ranges.chunk_by(|(first, ..), (second, ..)| first == second) {
        let rule = ranges[0].0;
        let keep = match &RULES[rule].matcher {
            Matcher::Raw { keep, .. } => *keep,
            _ => crate::rules::any,
        };
        let mut count = 0;
        // Whether the match before is kept: the same words are judged once.
        let mut judged = ("", false);
        for (_, from, to) in ranges.iter().copied() {
            if count >= EXAMINED {
                break;
            }
            for (start, end) in matches_in(rule, &bytes[from..to], &cased[from..to], EXAMINED)? {
                let start = text.floor_char_boundary(from + start);
                let end = text.ceil_char_boundary(from + end);
                if count >= EXAMINED || start >= end {
                    continue;
                }
                if judged.0 != &text[start..end] {
                    judged = (&text[start..end], keep(&text[start..end]));
                }
                if judged.1 {
                    found.push(Match { rule, start, end });
                    count += 1;
                }
            }
        }
    }
    Ok(Matches { found, marks })
}

/// The rules that have a literal in a text as it is written, but in lower case.
pub(super) fn selected(text: &[u8]) -> Vec<usize> {
    let Selector { literals: Some(literals), owners } = selector(View::Plain) else { return Vec::new() };
    let mut rules = [false; RULES.len()];
    literals.each(text, |literal, _, _| {
        if let Owner::Rule(rule) = owners[literal] {
            rules[usize::from(rule)] = true;
        }
    });
    (0..RULES.len()).filter(|rule| rules[*rule]).collect()
}
