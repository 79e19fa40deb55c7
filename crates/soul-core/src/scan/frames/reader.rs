//! From text to sentences: words with a meaning, and where sentences and clauses end.

use super::blocks::{Block, blocks};
use super::concept::Concepts;
use super::keys::Head;
use super::lexicon::{self, Entries, Found, Languages, Lexicon, is_word_end, lexicon};
use super::likelihood::Score;
use super::marks::{self, Addresses};
use super::reading::{self, ACTS, BREAK, GRAMMAR, OPENNESS, OUTSIDE, PERSON, Token};
use super::sieve::Sieve;
use super::words::{self, Words};
use crate::scan::fold::Folded;
use crate::scan::{steps, swar};

/// A sentence that has been read.
pub(super) struct Sentence<'a> {
    /// The whole folded text, to which the places of the tokens refer.
    pub(super) text: &'a str,
    pub(super) tokens: &'a mut Vec<Token>,
    /// Where it begins and ends in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// All concepts of the tokens.
    pub(super) concepts: Concepts,
    /// Whether the line before its list forbids what the list says.
    pub(super) forbidden: bool,
    /// The languages that it may be in, once it is known what is denied.
    pub(super) languages: Option<Languages>,
    /// How likely it is an attack, once it has been weighed.
    pub(super) score: Option<Score>,
}

/// Reads a text and passes on each sentence that has more than one known word, if the concepts that its words may name
/// can fill a frame.
pub(super) fn read(
    text: &str,
    folded: &Folded,
    can_fill: impl Fn(Concepts) -> bool,
    sink: impl FnMut(&mut Sentence<'_>),
) {
    let mut sieve = Sieve::new(&folded.text);
    let mut reader = Reader::new(&folded.text, blocks(text, folded), sink);
    words::with(|words| {
        reader.run(words, |words, from, to| {
            let (end, concepts) = sieve.sentence(words, from, to);
            (end, can_fill(concepts))
        });
    });
}

/// The longest sentence in words with a meaning; a longer one is a table or code, and is cut.
const LONGEST: usize = 60;

struct Reader<'a, S> {
    text: &'a str,
    bytes: &'a [u8],
    blocks: Vec<(usize, Block)>,
    lexicon: &'static Lexicon,
    at: usize,
    /// Of the sentence that is being read.
    start: usize,
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
    addresses: Addresses,
    /// Whether sentences are read only to know where the longest entry ends.
    quiet: bool,
    sink: S,
}

impl<'a, S: FnMut(&mut Sentence<'_>)> Reader<'a, S> {
    fn new(text: &'a str, blocks: Vec<(usize, Block)>, sink: S) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            blocks,
            lexicon: lexicon(),
            at: 0,
            start: 0,
            tokens: Vec::with_capacity(LONGEST),
            concepts: 0,
            clause: 0,
            part: 0,
            phrase: 0,
            block: Block::Other,
            forbidden: false,
            colon: (0, false),
            addresses: Addresses::default(),
            quiet: false,
            sink,
        }
    }

    /// Reads the sentences that can fill a frame: `look` says where a sentence of a block ends, and whether it can.
    fn run(&mut self, words: &mut Words, mut look: impl FnMut(&mut Words, usize, usize) -> (usize, bool)) {
        let mut from = 0;
        for next in 0..=self.blocks.len() {
            let (to, block) = self.blocks.get(next).copied().unwrap_or((self.bytes.len(), Block::Other));
            let colon = self.ends_in_colon(to);
            // What is denied before a list, its entries deny.
            let heads_list = colon && self.block != Block::Heading && block == Block::Item;
            while from < to {
                let (end, can_fill) = look(words, from, to);
                if can_fill || heads_list && end == to {
                    self.catch_up(words, from);
                    self.read_to(words, end);
                }
                from = end;
            }
            let denied = heads_list && self.tokens.iter().any(|token| token.concepts & reading::NEGATION != 0);
            self.end_sentence();
            self.forbidden = block == Block::Item && (denied || self.forbidden && self.block == Block::Item);
            self.block = block;
        }
    }

    /// Reads what stands before a sentence if it was left out: an entry that begins there may reach into the sentence. None
    /// reaches over a mark that ends a sentence and the space after it.
    fn catch_up(&mut self, words: &mut Words, from: usize) {
        if marks::parts_sentences(self.bytes, from) {
            self.at = self.at.max(from);
            self.end_sentence();
            return;
        }
        let reach = from.saturating_sub(self.lexicon.longest).max(self.at);
        let unread = &self.bytes[self.at..reach];
        steps::add(unread.len());
        self.at += unread.iter().rposition(|byte| *byte == b' ').unwrap_or(0);
        self.quiet = true;
        self.read_to(words, from);
        self.end_sentence();
        self.quiet = false;
    }

    fn read_to(&mut self, words: &mut Words, to: usize) {
        let mut in_word = false;
        while self.at < to {
            let byte = self.bytes[self.at];
            match byte {
                b'a'..=b'z' | b'0'..=b'9' => {
                    if in_word {
                        self.at += swar::alphanumerics(swar::eight(self.bytes, self.at));
                        continue;
                    }
                    if let Some(run) = words.skip_unnamed(self.lexicon, self.bytes, self.at) {
                        in_word = true;
                        self.at += run;
                        continue;
                    }
                    let head = Head::read(self.bytes, self.at);
                    let entries = self.lexicon.entries_of_word(self.bytes, self.at, &head);
                    in_word = true;
                    if self.take(&entries, false) {
                        in_word = self.goes_on();
                    } else {
                        self.at += head.run;
                    }
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
    }

    /// Whether the word goes on after an entry; an elided one (`n'`) ends at its apostrophe.
    fn goes_on(&self) -> bool {
        !is_word_end(self.bytes, self.at) && self.bytes.get(self.at.wrapping_sub(1)) != Some(&b'\'')
    }

    /// Whether the text up to a block ends in a colon, but for spaces and quotation marks. A block may have nothing else, so
    /// what is known of the one before is not read again.
    fn ends_in_colon(&mut self, to: usize) -> bool {
        let (before, known) = self.colon;
        let last = self.bytes[before..to].iter().rfind(|byte| !matches!(byte, b' ' | b'"'));
        steps::add(to - before);
        self.colon = (to, last.map_or(known, |byte| *byte == b':'));
        self.colon.1
    }

    /// Reads the entry that begins here with anything else; false if there is none.
    #[inline]
    fn word(&mut self, anywhere: bool) -> bool {
        let entries = self.lexicon.wide_entries(self.bytes, self.at, anywhere);
        self.take(&entries, anywhere)
    }

    /// Takes the words of entries that begin here; false if there are none.
    #[inline]
    fn take(&mut self, entries: &Entries, anywhere: bool) -> bool {
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
            for meaning in self.lexicon.meanings_of(meanings) {
                let concepts = meaning.concepts;
                // "The owner asks" is an act, and still names the owner.
                let hidden = if concepts & PERSON != 0 && concepts & ACTS == 0 { 0 } else { known };
                let languages = meaning.languages & !hidden;
                if languages == 0 || !exact && !meaning.stem {
                    continue;
                }
                read |= languages;
                // The grammar of a phrase is its own: "without asking" does not deny what follows.
                if inside && concepts & (GRAMMAR | OPENNESS) != 0 {
                    continue;
                }
                self.push(Token { start: self.at, end, concepts, languages, clause: 0, part: 0, negated: false });
                if concepts & BREAK != 0 && !self.follows_mark() {
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
        let follows_letter = marks::follows_letter(self.bytes, self.at);
        match byte {
            // `.env`, `[system]`
            b'.' | b'[' if next.is_ascii_lowercase() && !in_word && !follows_letter && self.word(false) => {
                self.at -= 1;
                return byte == b'.';
            }
            b'.' | b'@' if next.is_ascii_alphanumeric() && (in_word || follows_letter) => {
                self.address();
                return true;
            }
            b':' if self.bytes[self.at..].starts_with(b"://") => self.address(),
            _ if marks::ends_sentence(self.bytes, self.at) => self.end_sentence(),
            b';' | b':' | b'(' | b')' | b'|' => self.clause += 1,
            b'-' if self.bytes[..self.at].ends_with(b" ") && next == b' ' => self.clause += 1,
            b',' => self.part += 1,
            _ => {}
        }
        false
    }

    /// Punctuation beyond ASCII.
    fn wide_mark(&mut self) {
        if marks::ends_wide_sentence(self.bytes, self.at) {
            self.end_sentence();
            return;
        }
        match self.bytes[self.at..] {
            // `؛`
            [0xd8, 0x9b, ..] => self.clause += 1,
            // `،`
            [0xd8, 0x8c, ..] => self.part += 1,
            _ => {}
        }
    }

    /// An address on the network.
    fn address(&mut self) {
        let Some((start, end)) = self.addresses.find(self.text, self.at) else { return };
        // Words inside the address are not text.
        while self.tokens.last().is_some_and(|token| token.start >= start) {
            self.tokens.pop();
        }
        let languages = lexicon::ALL;
        self.push(Token { start, end, concepts: OUTSIDE, languages, clause: 0, part: 0, negated: false });
        self.at = end - 1;
    }

    fn at_word_start(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1].is_ascii()
    }

    /// Whether the mark before the word has begun the clause already: "; then".
    fn follows_mark(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().take(2).find(|byte| **byte != b' ');
        before.is_some_and(|byte| matches!(byte, b';' | b':' | b'(' | b')' | b'|'))
    }

    fn end_sentence(&mut self) {
        if self.tokens.len() > 1 && !self.quiet {
            // An entry may reach beyond the mark that ends the sentence.
            let end = self.tokens.iter().map(|token| token.end).fold(self.at, usize::max);
            let Self { text, start, tokens, concepts, forbidden, .. } = self;
            let (start, concepts, forbidden) = (*start, *concepts, *forbidden);
            let mut sentence = Sentence { text, tokens, start, end, concepts, forbidden, languages: None, score: None };
            (self.sink)(&mut sentence);
        }
        self.start = self.at;
        self.tokens.clear();
        self.concepts = 0;
        self.clause = 0;
        self.part = 0;
    }
}
