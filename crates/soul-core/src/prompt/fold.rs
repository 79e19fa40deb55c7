//! How text looks to a reader who is easily fooled. Only for finding what imitates a marker; nothing
//! that is read so is ever written.
//!
//! Every choice errs towards seeing a marker: an innocent line that is escaped costs a few bytes.

use unicode_normalization::char::decompose_compatible;

use crate::text::characters::{is_inkless, is_tag_letter};

/// The role of a character when text is searched for markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing: white space, what cannot be seen, Markdown's emphasis and escapes.
    Nothing,
    /// A bracket that opens to the right.
    Angle,
    /// Ends a list's label, as in `a)` or `[x]`.
    Closing,
    /// Any other mark, and digits.
    Mark,
    /// A letter, as its plain lower case.
    Letter(char),
    /// A letter of the marker in a word, a mark elsewhere: `0` for o, `1` and `|` for l, a colon.
    Either(char),
}

/// How to read tag characters, which are invisible and spell ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tags {
    /// As if they were not there.
    Dropped,
    /// As the letters that they spell.
    Spelt,
}

/// What ends a line to anyone: Unicode's line ends, all of them.
pub(super) const fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What one character is made of: compatibility forms are taken apart.
pub(super) fn parts(c: char, tags: Tags, mut each: impl FnMut(char)) {
    match c {
        c if c.is_ascii() => each(c),
        c if is_tag_letter(c) && tags == Tags::Spelt => each(char::from_u32(u32::from(c) - 0xe0000).unwrap_or(c)),
        c => decompose_compatible(c, each),
    }
}

/// What a character is, once compatibility forms are taken apart.
pub(super) fn sign(c: char) -> Sign {
    match c {
        '\\' | '*' | '_' | '~' | '`' => Sign::Nothing,
        '.' | ')' | ']' => Sign::Closing,
        c if ANGLES.contains(&c) => Sign::Angle,
        c if is_inkless(c) => Sign::Nothing,
        '0' => Sign::Either('o'),
        '1' | '|' => Sign::Either('l'),
        ':' => Sign::Either(':'),
        c if c.is_ascii_alphabetic() => Sign::Letter(c.to_ascii_lowercase()),
        c if c.is_ascii() => Sign::Mark,
        c => match LOOKALIKES.iter().find(|(_, alike)| alike.contains(&c)) {
            Some((':', _)) => Sign::Either(':'),
            Some((plain, _)) => Sign::Letter(*plain),
            None if c.is_alphabetic() => Sign::Letter(c),
            None => Sign::Mark,
        },
    }
}

/// Brackets that can be taken for `<`, once compatibility forms are taken apart.
const ANGLES: [char; 26] = [
    '<',
    '\u{ab}',
    '\u{2c2}',
    '\u{1438}',
    '\u{16b2}',
    '\u{2039}',
    '\u{226a}',
    '\u{227a}',
    '\u{22d6}',
    '\u{22d8}',
    '\u{276c}',
    '\u{276e}',
    '\u{2770}',
    '\u{27e8}',
    '\u{27ea}',
    '\u{2991}',
    '\u{29fc}',
    '\u{2a79}',
    '\u{2aa1}',
    '\u{2aaa}',
    '\u{2abb}',
    '\u{2af7}',
    '\u{3008}',
    '\u{300a}',
    '\u{1d236}',
    '\u{1f890}',
];

/// Letters of the marker, each with those of other scripts that look like it and that no
/// compatibility form leads to.
const LOOKALIKES: [(char, &[char]); 5] = [
    (
        's',
        &[
            '\u{1bd}',
            '\u{282}',
            '\u{405}',
            '\u{455}',
            '\u{54f}',
            '\u{10bd}',
            '\u{a731}',
            '\u{abaa}',
            '\u{10420}',
            '\u{10448}',
            '\u{118c1}',
        ],
    ),
    (
        'o',
        &[
            '\u{39f}',
            '\u{3bf}',
            '\u{3c3}',
            '\u{41e}',
            '\u{43e}',
            '\u{555}',
            '\u{585}',
            '\u{5e1}',
            '\u{647}',
            '\u{6d5}',
            '\u{10ff}',
            '\u{1d0f}',
            '\u{1d11}',
            '\u{2c9e}',
            '\u{2c9f}',
            '\u{3007}',
            '\u{a4f3}',
            '\u{ab3d}',
            '\u{10404}',
            '\u{1042c}',
            '\u{118c8}',
        ],
    ),
    (
        'u',
        &[
            '\u{28b}',
            '\u{3c5}',
            '\u{446}',
            '\u{54d}',
            '\u{57d}',
            '\u{1200}',
            '\u{144c}',
            '\u{1d1c}',
            '\u{222a}',
            '\u{22c3}',
            '\u{a4f4}',
            '\u{a79f}',
            '\u{ab4e}',
            '\u{ab52}',
            '\u{104ce}',
            '\u{104f6}',
            '\u{118d8}',
        ],
    ),
    (
        'l',
        &[
            '\u{131}',
            '\u{196}',
            '\u{1c0}',
            '\u{269}',
            '\u{29f}',
            '\u{399}',
            '\u{3b9}',
            '\u{406}',
            '\u{456}',
            '\u{4c0}',
            '\u{4cf}',
            '\u{5c0}',
            '\u{5d5}',
            '\u{5df}',
            '\u{627}',
            '\u{6d4}',
            '\u{7ca}',
            '\u{13de}',
            '\u{14aa}',
            '\u{16c1}',
            '\u{2223}',
            '\u{2c92}',
            '\u{2d4f}',
            '\u{a4e1}',
            '\u{a4f2}',
            '\u{abae}',
            '\u{1028a}',
            '\u{10320}',
        ],
    ),
    (
        ':',
        &[
            '\u{2d0}', '\u{2d1}', '\u{2d8}', '\u{2f8}', '\u{589}', '\u{5c3}', '\u{703}', '\u{704}', '\u{903}',
            '\u{a83}', '\u{16ec}', '\u{1803}', '\u{1809}', '\u{205a}', '\u{2236}', '\u{2982}', '\u{a4fd}', '\u{a789}',
        ],
    ),
];

/// The character that an HTML entity stands for, and how many bytes it takes, if the text begins
/// with one that matters here.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    let mut rest = text.strip_prefix('&')?;
    // An ampersand may itself be written as an entity, again and again.
    while let Some(inner) = rest.strip_prefix("amp;") {
        rest = inner;
    }
    let (c, rest) = match rest.strip_prefix('#') {
        Some(number) => {
            let (digits, radix) = match number.strip_prefix(['x', 'X']) {
                Some(hex) => (hex, 16),
                None => (number, 10),
            };
            let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
            let value = digits[..end].trim_start_matches('0');
            let value = u32::from_str_radix(if value.is_empty() { "0" } else { value }, radix).ok()?;
            (char::from_u32(value).filter(|_| end > 0)?, &digits[end..])
        }
        None => ENTITIES.iter().find_map(|(name, c)| Some((*c, rest.strip_prefix(name)?)))?,
    };
    let rest = rest.strip_prefix(';').unwrap_or(rest);
    // A line end that is only written as an entity ends no line.
    Some((if is_break(c) { ' ' } else { c }, text.len() - rest.len()))
}

const ENTITIES: [(&str, char); 17] = [
    ("lt", '<'),
    ("LT", '<'),
    ("Lt", '\u{226a}'),
    ("laquo", '\u{ab}'),
    ("lsaquo", '\u{2039}'),
    ("lang", '\u{27e8}'),
    ("Lang", '\u{27ea}'),
    ("gt", '>'),
    ("colon", ':'),
    ("nbsp", ' '),
    ("Tab", ' '),
    ("NewLine", ' '),
    ("shy", '\u{ad}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("ZeroWidthSpace", '\u{200b}'),
    ("NoBreak", '\u{2060}'),
];
