//! The folded view: the words as a model takes them in, with the way back to the source.
//!
//! Lower case, single spaces, line ends and list marks gone, accents and look-alikes taken off,
//! nothing invisible. A word in disguise (hyphenated, spelt with digits, in letters of another
//! script) is put right only if it is one that rules look for, so that ordinary words stay what
//! they are. One pass, linear.

mod characters;
mod endings;
mod view;

use super::letters::CharacterKind;
use super::swar;
use characters::Plainer;
pub(crate) use view::Folded;
use view::narrow;

/// A word this long may be something encoded.
const LONG: usize = 16;

struct Folder<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    out: Vec<u8>,
    folded: Folded,
    /// How far apart the two texts are here; none after a word that was put right.
    delta: Option<isize>,
    word: Word,
    letters: Letters,
    even: Even,
    line_begins: bool,
    /// What was computed before of characters, by a hash of them; empty until it is needed. The same few characters make
    /// up most of what is not ASCII in a text.
    known: Vec<(char, CharacterKind, Plainer)>,
}

/// The word that is being read.
#[derive(Default)]
struct Word {
    open: bool,
    /// Where it began.
    out: usize,
    source: usize,
    /// Whether it has something that ordinary words lack.
    odd: bool,
    /// Whether it has a mark or digit that letters may follow.
    marked: bool,
    hidden: bool,
}

/// Single letters in a row, which may be a word drawn apart.
#[derive(Default)]
struct Letters {
    count: usize,
    out: usize,
    source: usize,
}

/// So many equally long words may be a code in groups.
const EVEN: usize = 4;

/// Words in a row that are equally long.
#[derive(Default)]
struct Even {
    length: usize,
    count: usize,
    start: usize,
    end: usize,
}

/// Folds a text.
pub(crate) fn fold(text: &str) -> Folded {
    let mut folder = Folder {
        bytes: text.as_bytes(),
        text,
        at: 0,
        out: Vec::with_capacity(text.len() + LONG),
        folded: Folded::for_text(text),
        delta: Some(0),
        word: Word::default(),
        letters: Letters::default(),
        even: Even::default(),
        line_begins: true,
        known: Vec::new(),
    };
    folder.run();
    let Folder { out, mut folded, .. } = folder;
    folded.text = String::from_utf8(out).unwrap_or_default();
    folded
}

impl Folder<'_> {
    fn run(&mut self) {
        self.skip_marks();
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_alphabetic() {
                if self.plain_word() {
                    continue;
                }
                self.begin();
                // Something stands inside the word.
                self.word.odd |= self.word.marked;
                self.sync(self.at);
                self.letters();
                continue;
            }
            match byte {
                b' ' | b'\t' | b'_' | 0x0b | 0x0c => self.gap(),
                b'\n' | b'\r' => {
                    self.gap();
                    self.line_begins = true;
                    self.skip_marks();
                    continue;
                }
                b'*' | b'`' | b'~' => {}
                b'<' => self.angle(),
                b'&' => self.entity(),
                b'\\' => self.escape(),
                0x80.. => {
                    self.beyond_ascii();
                    continue;
                }
                _ if byte < 0x20 || byte == 0x7f => {
                    self.word.hidden |= self.word.open;
                    self.folded.odd.controls = true;
                }
                _ => self.ascii(byte),
            }
            self.at += 1;
        }
        self.gap();
        self.end_even(self.at, usize::MAX);
        self.end_letters(self.out.len());
    }

    /// Folds a word of letters, perhaps with a mark at its end, and the gap after it, as most words are: all at once,
    /// and with nothing to put right. False if it is another one.
    #[inline(always)]
    fn plain_word(&mut self) -> bool {
        if self.word.open || self.letters.count > 0 {
            return false;
        }
        let first = swar::eight(self.bytes, self.at);
        let mut count = swar::letters(first);
        let mut second = 0;
        if count == 8 {
            second = swar::eight(self.bytes, self.at + 8);
            count += swar::letters(second);
        }
        let after = self.bytes.get(self.at + count..).and_then(|rest| rest.first_chunk::<2>());
        let mark = match after {
            Some([b' ' | b'\n', _]) => 0,
            Some([b',' | b'.' | b':' | b';' | b'!' | b'?' | b')', b' ' | b'\n']) => 1,
            _ => return false,
        };
        let length = count + mark;
        if count < 2 || length >= LONG {
            return false;
        }
        if self.line_begins {
            self.line_begins = false;
            self.folded.lines.push(narrow(self.out.len()));
        }
        self.sync(self.at);
        // A copy of fixed length is cheaper than one of the right length, and the marks have what makes letters small.
        let mut word = [0; LONG];
        word[..8].copy_from_slice(&(first | swar::SMALL).to_le_bytes());
        word[8..].copy_from_slice(&(second | swar::SMALL).to_le_bytes());
        word[length] = b' ';
        let end = self.out.len() + length + 1;
        self.out.extend_from_slice(&word);
        self.out.truncate(end);
        self.at += length;
        self.count_even(self.at - length);
        self.at += 1;
        if self.bytes[self.at - 1] == b'\n' {
            self.line_begins = true;
            self.skip_marks();
        }
        true
    }

    /// Letters up to the end of the word or the next mark.
    #[inline]
    fn letters(&mut self) {
        loop {
            let bytes = swar::eight(self.bytes, self.at);
            let count = swar::letters(bytes);
            // A copy of fixed length is cheaper than one of the right length.
            let end = self.out.len() + count;
            self.out.extend_from_slice(&(bytes | swar::SMALL).to_le_bytes());
            self.out.truncate(end);
            self.at += count;
            if count < 8 {
                return;
            }
        }
    }

    /// Punctuation and digits.
    #[inline(always)]
    fn ascii(&mut self, byte: u8) {
        let follows = self.word.open;
        self.begin();
        self.word.marked = true;
        self.word.odd |= follows && byte.is_ascii_digit();
        self.push(byte);
    }

    fn push(&mut self, byte: u8) {
        self.sync(self.at);
        self.out.push(byte);
    }

    fn push_char(&mut self, c: char) {
        self.sync(self.at);
        self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    #[inline]
    fn sync(&mut self, source: usize) {
        let delta = Some(source.cast_signed() - self.out.len().cast_signed());
        if delta != self.delta {
            self.delta = delta;
            self.folded.marks.push((narrow(self.out.len()), narrow(source)));
        }
    }

    #[inline]
    fn begin(&mut self) {
        if !self.word.open {
            if self.line_begins {
                self.line_begins = false;
                self.folded.lines.push(narrow(self.out.len()));
            }
            self.word = Word { open: true, out: self.out.len(), source: self.at, ..Word::default() };
        }
    }

    /// Ends the word, and leaves one space.
    #[inline]
    fn gap(&mut self) {
        if self.word.open {
            self.word.open = false;
            let Word { out, source, odd, hidden, .. } = self.word;
            let length = self.at - source;
            self.count_even(source);
            let is_ordinary = !odd && !hidden && length < LONG && self.out.len() - out > 1;
            if !is_ordinary || self.letters.count > 0 {
                self.end_word();
            }
        }
        if self.out.last().is_some_and(|last| *last != b' ') {
            self.sync(self.at.min(self.bytes.len()));
            self.out.push(b' ');
        }
    }

    /// Counts a word that began at a place of the source and ends here, if it is as long as those before.
    #[inline]
    fn count_even(&mut self, source: usize) {
        let length = self.at - source;
        if length == self.even.length {
            self.even.count += 1;
            self.even.end = self.at;
        } else if self.even.count >= EVEN {
            self.end_even(source, length);
        } else {
            self.even = Even { length, count: 1, start: source, end: self.at };
        }
    }

    /// Marks of lists, quotes, headings and tables at the start of a line are not text.
    fn skip_marks(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'>' | b'#' | b'-' | b'+' | b'*' | b'|' => self.at += 1,
                b'0'..=b'9' => {
                    let digits = self.bytes[self.at..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
                    let marks = self.bytes.get(self.at + digits..self.at + digits + 2);
                    if !matches!(marks, Some(b". " | b") ")) {
                        return;
                    }
                    self.at += digits + 2;
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests;
