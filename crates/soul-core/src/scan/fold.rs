//! The folded view: the words as a model takes them in, with the way back to the source.
//!
//! Lower case, single spaces, line ends and list marks gone, accents and look-alikes taken off,
//! nothing invisible. A word in disguise (hyphenated, spelt with digits, in letters of another
//! script) is put right only if it is one that rules look for, so that ordinary words stay what
//! they are. One pass, linear.

mod endings;
mod view;

use super::letters::{self, CharacterKind};
use super::{steps, swar};
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
    /// Plainer forms that were computed before, by a hash of the character; empty until one is needed. The same few
    /// characters make up most of what is not ASCII in a text.
    forms: Vec<(char, Plainer)>,
}

/// The plainer form of a character.
type Plainer = [Option<char>; 4];

/// How many plainer forms are remembered.
const FORMS: usize = 256;

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
        out: Vec::with_capacity(text.len() + 16),
        folded: Folded::default(),
        delta: Some(0),
        word: Word::default(),
        letters: Letters::default(),
        even: Even::default(),
        line_begins: true,
        forms: Vec::new(),
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
    #[inline]
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
            if length == self.even.length {
                self.even.count += 1;
                self.even.end = self.at;
            } else {
                self.end_even(source, length);
            }
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

    /// Comment marks and bare tags are not text.
    fn angle(&mut self) {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"<!--") {
            self.gap();
            self.at += 3;
            return;
        }
        let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
        let letters = name.iter().take(8).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let close = name[letters..].iter().take(3).position(|byte| *byte == b'>');
        if letters > 0 && close.is_some_and(|close| name[letters..letters + close].iter().all(|b| b" /".contains(b))) {
            self.word.hidden |= self.word.open;
            self.at += rest.len() - name.len() + letters + close.unwrap_or(0);
        } else {
            self.ascii(b'<');
        }
    }

    fn entity(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let length = rest.iter().take(24).position(|byte| *byte == b';');
        let Some((length, c)) = length.and_then(|length| Some((length, letters::entity(&rest[..length])?))) else {
            return self.ascii(b'&');
        };
        self.begin();
        self.word.hidden = true;
        self.fold_char(c);
        self.at += length + 1;
    }

    /// A backslash hides a character, or spells one.
    fn escape(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let digits = match rest.first() {
            Some(b'x') => rest.get(1..3),
            Some(b'u') => rest.get(1..5),
            Some(b'n' | b't' | b'r') if !rest.get(1).is_some_and(u8::is_ascii_lowercase) => {
                self.gap();
                self.at += 1;
                return;
            }
            _ => None,
        };
        let code = digits.and_then(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        if let Some((c, digits)) = code.and_then(char::from_u32).zip(digits) {
            self.begin();
            self.word.hidden = true;
            self.fold_char(c);
            self.at += 1 + digits.len();
        }
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        self.fold_char(c);
        self.at += c.len_utf8();
    }

    fn fold_char(&mut self, c: char) {
        let odd = &mut self.folded.odd;
        match c {
            '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' => odd.look_alike = true,
            '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => odd.private = true,
            '\u{e0000}'..='\u{e01ef}' => odd.hidden = true,
            _ => {}
        }
        match letters::kind(c) {
            CharacterKind::Space => self.gap(),
            // The one selector that emoji need.
            CharacterKind::Nothing if c == '\u{fe0f}' => {}
            CharacterKind::Nothing => {
                self.folded.odd.hidden = true;
                self.folded.odd.marks = true;
                self.word.hidden |= self.word.open && c != '\u{200d}' && c != '\u{200c}';
            }
            CharacterKind::Plain => {
                self.begin();
                self.push_char(c);
            }
            CharacterKind::Jamo => self.jamo(c),
            CharacterKind::Fold => {
                self.word.hidden |= letters::tag(c).is_some();
                for c in self.plainer(c).into_iter().flatten() {
                    if c.is_ascii_alphabetic() {
                        self.begin();
                        self.push(c.to_ascii_lowercase() as u8);
                    } else if c == ' ' {
                        self.gap();
                    } else if c.is_ascii() {
                        self.ascii(c as u8);
                    } else {
                        self.begin();
                        self.word.odd = true;
                        self.push_char(c);
                    }
                }
            }
        }
    }

    fn plainer(&mut self, c: char) -> Plainer {
        if self.forms.is_empty() {
            self.forms.resize(FORMS, ('\0', [Some('\0'), None, None, None]));
        }
        let (known, form) = &mut self.forms[u32::from(c) as usize % FORMS];
        if *known != c {
            *form = [None; 4];
            letters::folded(c, form);
            *known = c;
        }
        *form
    }

    /// Korean that was taken apart is put together again.
    fn jamo(&mut self, c: char) {
        self.begin();
        if let Some(last) = last_char(&self.out[self.word.out.min(self.out.len())..])
            && let Some(joined) = unicode_normalization::char::compose(last, c)
        {
            self.out.truncate(self.out.len() - last.len_utf8());
            self.out.extend_from_slice(joined.encode_utf8(&mut [0; 4]).as_bytes());
            // Where the next one stands is not where this one would have ended.
            self.delta = None;
        } else {
            self.push_char(c);
        }
    }
}

/// The last character of bytes that are UTF-8, without a look at those before it.
fn last_char(bytes: &[u8]) -> Option<char> {
    let start = bytes.iter().rposition(|byte| byte & 0xc0 != 0x80)?;
    steps::add(bytes.len() - start);
    std::str::from_utf8(&bytes[start..]).ok()?.chars().next()
}

#[cfg(test)]
mod tests;
