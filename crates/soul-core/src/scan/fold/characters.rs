//! What is no letter of ASCII: tags, entities, escapes, and characters beyond ASCII in their plainer form.

use super::Folder;
use crate::scan::letters::{self, CharacterKind};
use crate::scan::steps;

/// The plainer form of a character that has one.
pub(super) type Plainer = [Option<char>; 4];

/// How many characters are remembered.
const KNOWN: usize = 256;

impl Folder<'_> {
    /// Comment marks and bare tags are not text.
    pub(super) fn angle(&mut self) {
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

    pub(super) fn entity(&mut self) {
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
    pub(super) fn escape(&mut self) {
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

    pub(super) fn beyond_ascii(&mut self) {
        if self.plain_characters() {
            return;
        }
        let Some(c) = self.text[self.at..].chars().next() else { return };
        self.fold_char(c);
        self.at += c.len_utf8();
    }

    /// Copies characters that stay as they are: most of what is written in Chinese, Japanese or Korean, three bytes each.
    fn plain_characters(&mut self) -> bool {
        let (bytes, from) = (self.bytes, self.at);
        let is_plain = |bytes: &&[u8; 3]| {
            let [first, second, third] = bytes.map(u32::from);
            let c = char::from_u32((first & 0xf) << 12 | (second & 0x3f) << 6 | third & 0x3f);
            first & 0xf0 == 0xe0 && c.is_some_and(|c| letters::kind(c) == CharacterKind::Plain)
        };
        let count = bytes[from..].as_chunks::<3>().0.iter().take_while(is_plain).count();
        if count > 0 {
            self.begin();
            self.sync(from);
            self.at += 3 * count;
            self.out.extend_from_slice(&bytes[from..self.at]);
        }
        count > 0
    }

    fn fold_char(&mut self, c: char) {
        let odd = &mut self.folded.odd;
        match c {
            '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' => odd.look_alike = true,
            '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => odd.private = true,
            '\u{e0000}'..='\u{e01ef}' => odd.hidden = true,
            _ => {}
        }
        let (kind, plainer) = self.read_char(c);
        match kind {
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
                for c in plainer.into_iter().flatten() {
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

    /// What a character is, and its plainer form.
    fn read_char(&mut self, c: char) -> (CharacterKind, Plainer) {
        if self.known.is_empty() {
            let none = '\0';
            self.known.resize(KNOWN, (none, letters::kind(none), [Some(none), None, None, None]));
        }
        let (known, kind, plainer) = &mut self.known[u32::from(c) as usize % KNOWN];
        if *known != c {
            *plainer = [None; 4];
            (*known, *kind) = (c, letters::kind(c));
            if *kind == CharacterKind::Fold {
                letters::folded(c, plainer);
            }
        }
        (*kind, *plainer)
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
