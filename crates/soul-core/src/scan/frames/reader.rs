//! From text to sentences: words with a meaning, and where sentences and clauses end.

use super::blocks::{Block, blocks};
use super::concept::Concepts;
use super::lexicon::{self, Found, Languages, Lexicon, is_word_end, lexicon};
use super::reading::{self, BREAK, GRAMMAR, OPENNESS, OUTSIDE, Token};
use crate::scan::fold::Folded;
use crate::scan::{steps, swar};

/// A sentence that has been read.
pub(super) struct Sentence<'a> {
    /// The whole folded text, to which the places of the tokens refer.
    pub(super) text: &'a str,
    pub(super) tokens: &'a mut Vec<Token>,
    /// All concepts of the tokens.
    pub(super) concepts: Concepts,
    /// Whether the line before its list forbids what the list says.
    pub(super) forbidden: bool,
}

/// Reads a text once and passes each sentence with more than one known word on.
pub(super) fn read(text: &str, folded: &Folded, sink: impl FnMut(&mut Sentence<'_>)) {
    Reader::new(&folded.text, blocks(text, folded), sink).run();
}

/// The longest sentence in words with a meaning; a longer one is a table or code, and is cut.
const LONGEST: usize = 60;

struct Reader<'a, S> {
    text: &'a str,
    bytes: &'a [u8],
    blocks: Vec<(usize, Block)>,
    next_block: usize,
    lexicon: &'static Lexicon,
    at: usize,
    /// Of the sentence that is being read.
    tokens: Vec<Token>,
    concepts: Concepts,
    clause: u16,
    part: u16,
    /// Where the longest entry so far ends.
    phrase: usize,
    /// The block that is being read, and whether the line before its list forbids it.
    block: Block,
    forbidden: bool,
    /// Where the last block began, and whether the text before it ended in a colon.
    colon: (usize, bool),
    /// The end of the last word that was looked at as an address.
    looked: usize,
    sink: S,
}

impl<'a, S: FnMut(&mut Sentence<'_>)> Reader<'a, S> {
    fn new(text: &'a str, blocks: Vec<(usize, Block)>, sink: S) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            blocks,
            next_block: 0,
            lexicon: lexicon(),
            at: 0,
            tokens: Vec::new(),
            concepts: 0,
            clause: 0,
            part: 0,
            phrase: 0,
            block: Block::Other,
            forbidden: false,
            colon: (0, false),
            looked: 0,
            sink,
        }
    }

    fn run(&mut self) {
        let mut in_word = false;
        let mut next_block = self.blocks.first().map_or(usize::MAX, |(at, _)| *at);
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.at >= next_block {
                self.begin_block();
                next_block = self.blocks.get(self.next_block).map_or(usize::MAX, |(at, _)| *at);
                in_word = false;
            }
            match byte {
                b'a'..=b'z' | b'0'..=b'9' => {
                    if !in_word && self.word(false) {
                        in_word = self.goes_on();
                        continue;
                    }
                    in_word = true;
                    self.at += swar::alphanumerics(swar::eight(self.bytes, self.at));
                    continue;
                }
                b' ' => in_word = false,
                // Alphabets beyond ASCII, of two bytes or of India.
                0xc2..=0xe1 => {
                    let arabic = matches!(byte, 0xd8..=0xdb);
                    if (!in_word || arabic) && self.word(arabic) {
                        in_word = self.goes_on();
                        continue;
                    }
                    in_word = true;
                    self.wide_mark();
                    self.at += if byte >= 0xe0 { 3 } else { 2 };
                    continue;
                }
                0x80.. => {
                    in_word = false;
                    if self.word(true) {
                        continue;
                    }
                    self.wide_mark();
                    self.at += if byte >= 0xf0 { 4 } else { 3 };
                    continue;
                }
                _ => {
                    in_word = self.mark(byte, in_word);
                }
            }
            self.at += 1;
        }
        self.end_sentence();
    }

    /// Whether the word goes on after an entry; an elided one (`n'`) ends at its apostrophe.
    fn goes_on(&self) -> bool {
        !is_word_end(self.bytes, self.at) && self.bytes.get(self.at.wrapping_sub(1)) != Some(&b'\'')
    }

    fn begin_block(&mut self) {
        let colon = self.ends_in_colon();
        let denied = colon && self.block != Block::Heading && self.tokens.last().is_some() && {
            self.tokens.iter().any(|token| token.concepts & reading::NEGATION != 0)
        };
        self.end_sentence();
        let Some((_, block)) = self.blocks.get(self.next_block) else { return };
        self.forbidden = *block == Block::Item && (denied || self.forbidden && self.block == Block::Item);
        self.block = *block;
        self.next_block += 1;
    }

    /// Whether the text up to here ends in a colon, but for spaces and quotation marks. A block may have nothing else, so
    /// what is known of the one before is not read again.
    fn ends_in_colon(&mut self) -> bool {
        let (before, known) = self.colon;
        let last = self.bytes[before..self.at].iter().rfind(|byte| !matches!(byte, b' ' | b'"'));
        steps::add(self.at - before);
        self.colon = (self.at, last.map_or(known, |byte| *byte == b':'));
        self.colon.1
    }

    /// Reads the entry that begins here; false if there is none.
    #[inline]
    fn word(&mut self, anywhere: bool) -> bool {
        self.lexicon.begin(self.bytes, self.at).is_some_and(|begin| self.word_from(begin, anywhere))
    }

    /// The same, from a node of the lexicon on.
    #[inline(never)]
    fn word_from(&mut self, begin: (u32, usize), anywhere: bool) -> bool {
        let entries = self.lexicon.entries(self.bytes, self.at, begin, anywhere);
        let Some(Found { end, .. }) = entries.as_slice().last().copied() else {
            return false;
        };
        let inside = self.at < self.phrase;
        let arabic = matches!(self.bytes[self.at], 0xd8..=0xdb);
        // The longest entry of each language counts.
        let mut known: Languages = 0;
        for Found { end, meanings } in entries.as_slice().iter().rev().copied() {
            // In Arabic the article and other small words are written with the next one, and two letters are in many.
            if arabic && end - self.at <= 4 && !(self.at_word_start() && is_word_end(self.bytes, end)) {
                continue;
            }
            let exact = anywhere || is_word_end(self.bytes, end);
            let mut read: Languages = 0;
            for meaning in &self.lexicon.meanings[meanings.0 as usize..meanings.1 as usize] {
                let (concepts, languages) = (self.lexicon.concepts(meaning), meaning.languages & !known);
                if languages == 0 || !exact && !meaning.stem {
                    continue;
                }
                read |= languages;
                // The grammar of a phrase is its own: "without asking" does not deny what follows.
                if inside && concepts & (GRAMMAR | OPENNESS) != 0 {
                    continue;
                }
                self.push(Token { start: self.at, end, concepts, languages, clause: 0, part: 0, negated: false });
                if concepts & BREAK != 0 {
                    self.clause += 1;
                }
            }
            known |= read;
        }
        self.phrase = self.phrase.max(end);
        let first = self.bytes[self.at..end].iter().position(|byte| *byte == b' ');
        self.at = first.map_or(end, |space| self.at + space);
        true
    }

    fn push(&mut self, token: Token) {
        if self.tokens.len() >= LONGEST {
            self.end_sentence();
        }
        self.concepts |= token.concepts;
        self.tokens.push(Token { clause: self.clause, part: self.part, ..token });
    }

    /// Punctuation: ends sentences and clauses, and shows addresses. Whether the word goes on.
    fn mark(&mut self, byte: u8, in_word: bool) -> bool {
        let next = self.bytes.get(self.at + 1).copied().unwrap_or(b' ');
        match byte {
            // `.env`, `[system]`
            b'.' | b'[' if next.is_ascii_lowercase() && !in_word && !self.follows_letter() && self.word(false) => {
                self.at -= 1;
                return byte == b'.';
            }
            b'.' | b'@' if next.is_ascii_alphanumeric() && (in_word || self.follows_letter()) => {
                self.address();
                return true;
            }
            b':' if self.bytes[self.at..].starts_with(b"://") => self.address(),
            b'.' | b'!' | b'?' => {
                let wide = self.at > 0 && !self.bytes[self.at - 1].is_ascii();
                let ends = matches!(next, b' ' | b'"' | b'\'' | b')' | b']') || wide && byte != b'.';
                if ends && (byte != b'.' || !self.is_abbreviation()) {
                    self.end_sentence();
                }
            }
            b';' | b':' | b'(' | b')' | b'|' => self.clause += 1,
            b'-' if self.bytes[..self.at].ends_with(b" ") && next == b' ' => self.clause += 1,
            b',' => self.part += 1,
            _ => {}
        }
        false
    }

    /// Punctuation beyond ASCII.
    fn wide_mark(&mut self) {
        let rest = &self.bytes[self.at..];
        if rest.starts_with("。".as_bytes()) || rest.starts_with("।".as_bytes()) || rest.starts_with("؟".as_bytes())
        {
            self.end_sentence();
        } else if rest.starts_with("؛".as_bytes()) {
            self.clause += 1;
        } else if rest.starts_with("،".as_bytes()) {
            self.part += 1;
        }
    }

    fn at_word_start(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1].is_ascii()
    }

    fn follows_letter(&self) -> bool {
        self.at > 0 && self.bytes[self.at - 1].is_ascii_alphanumeric()
    }

    fn is_abbreviation(&self) -> bool {
        const SHORT: [&str; 11] = ["dr", "mr", "mrs", "ms", "st", "vs", "e.g", "i.e", "etc", "z.b", "nr"];
        // No longer word is in the table.
        let near = self.at.saturating_sub(4);
        let word = match self.bytes[near..self.at].iter().rposition(|byte| matches!(byte, b' ' | b'(' | b'"')) {
            Some(space) => &self.bytes[near + space + 1..self.at],
            None if near == 0 => &self.bytes[..self.at],
            None => return false,
        };
        word.len() == 1 && word[0].is_ascii_alphabetic() || SHORT.iter().any(|short| short.as_bytes() == word)
    }

    /// An address on the network: a link, a mailbox or a host.
    fn address(&mut self) {
        if self.at < self.looked {
            return;
        }
        let stops = |byte: &u8| {
            matches!(byte, b' ' | b'"' | b'\'' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b',' | b'|')
                || !byte.is_ascii()
        };
        let start = self.bytes[..self.at].iter().rposition(stops).map_or(0, |at| at + 1);
        let end = self.bytes[self.at..].iter().position(stops).map_or(self.bytes.len(), |at| self.at + at);
        self.looked = end;
        steps::add(end - start);
        let word = self.text.get(start..end).unwrap_or_default().trim_end_matches(['.', ':', ';', '!', '?']);
        let end = start + word.len();
        if end > self.at && is_address(word) {
            // Words inside the address are not text.
            while self.tokens.last().is_some_and(|token| token.start >= start) {
                self.tokens.pop();
            }
            self.push(Token {
                start,
                end,
                concepts: OUTSIDE,
                languages: lexicon::ALL,
                clause: 0,
                part: 0,
                negated: false,
            });
            self.at = end - 1;
        }
    }

    fn end_sentence(&mut self) {
        if self.tokens.len() > 1 {
            let Self { text, tokens, concepts, forbidden, .. } = self;
            (self.sink)(&mut Sentence { text, tokens, concepts: *concepts, forbidden: *forbidden });
        }
        self.tokens.clear();
        self.concepts = 0;
        self.clause = 0;
        self.part = 0;
    }
}

/// Endings of hosts; a file name has others.
const TOP_LEVEL: [&str; 31] = [
    "net", "com", "org", "io", "dev", "app", "co", "info", "xyz", "site", "online", "cloud", "ai", "me", "biz", "eu",
    "uk", "de", "fr", "es", "pt", "pl", "ru", "cn", "jp", "kr", "br", "tr", "in", "test", "example",
];

fn is_address(word: &str) -> bool {
    let (is_link, rest) = match word.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, word),
    };
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let (mailbox, host) = host.rsplit_once('@').unwrap_or(("", host));
    let local = host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("192.168.");
    let last = host.rsplit('.').next().unwrap_or_default();
    // A mailbox is one at any host.
    let known =
        || !mailbox.is_empty() && last.bytes().all(|byte| byte.is_ascii_lowercase()) || TOP_LEVEL.contains(&last);
    !local && (is_link || host.contains('.') && known())
}
