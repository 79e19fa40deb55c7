//! What each character beyond ASCII is to a reader: nothing, a space, or a letter in other dress.

use std::sync::atomic::{AtomicU8, Ordering};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_security::confusable_detection::skeleton;

use crate::text::characters::{is_nothing_to_scanner, is_tag_letter};

/// What to do with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharacterKind {
    /// It shows nothing and says nothing.
    Nothing,
    /// It parts words.
    Space,
    /// It stays as it is.
    Plain,
    /// A part of a Korean syllable.
    Jamo,
    /// It has a plainer form.
    Fold,
}

pub(super) fn kind(c: char) -> CharacterKind {
    match c {
        '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => {
            CharacterKind::Plain
        }
        '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}'
        | '\u{2800}' => CharacterKind::Space,
        c if is_nothing_to_scanner(c) => CharacterKind::Nothing,
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}'
        | '\u{64b}'..='\u{65f}'
        | '\u{640}'
        | '\u{670}' => CharacterKind::Nothing,
        '\u{1100}'..='\u{11ff}' => CharacterKind::Jamo,
        _ => CharacterKind::Fold,
    }
}

/// Whether a character is a letter or a number.
#[inline]
pub(super) fn is_alphanumeric(c: char) -> bool {
    is_common_letter(c).unwrap_or_else(|| c.is_alphanumeric())
}

/// Whether a character is a letter.
#[inline]
pub(crate) fn is_alphabetic(c: char) -> bool {
    is_common_letter(c).unwrap_or_else(|| c.is_alphabetic())
}

/// A fast answer for the characters beyond ASCII that are most common, which the standard library searches for in tables:
/// `Some(false)` is neither a letter nor a number, `None` has to be searched for.
#[inline(always)]
const fn is_common_letter(c: char) -> Option<bool> {
    match c {
        '\u{c0}'..='\u{d6}'
        | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2c1}'
        | '\u{400}'..='\u{481}'
        | '\u{620}'..='\u{64a}'
        | '\u{904}'..='\u{939}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => Some(true),
        '\u{2010}'..='\u{206f}'
        | '\u{2190}'..='\u{245f}'
        | '\u{2500}'..='\u{2775}'
        | '\u{2794}'..='\u{2bff}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{fe00}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff0f}'
        | '\u{1f300}'..='\u{1faff}' => Some(false),
        _ => None,
    }
}

/// The ASCII character that a tag character stands for.
pub(crate) fn tag(c: char) -> Option<char> {
    is_tag_letter(c).then(|| char::from_u32(u32::from(c) - 0xe0000)).flatten()
}

/// The plainer form of a character, of up to four.
pub(super) fn folded(c: char, out: &mut [Option<char>; 4]) {
    let mut write = |chars: &str| out.iter_mut().zip(chars.chars()).for_each(|(slot, c)| *slot = Some(c));
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{2bc}' => return write("'"),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' | '«' | '»' => return write("\""),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => return write("-"),
        'ß' | 'ẞ' => return write("ss"),
        'æ' | 'Æ' => return write("ae"),
        'œ' | 'Œ' => return write("oe"),
        'ø' | 'Ø' => return write("o"),
        'ł' | 'Ł' => return write("l"),
        'đ' | 'Đ' | 'ð' | 'Ð' => return write("d"),
        'ı' => return write("i"),
        'أ' | 'إ' | 'آ' | 'ٱ' => return write("ا"),
        'ى' => return write("ي"),
        'ة' => return write("ه"),
        _ => {}
    }
    if let Some(letter) = tag(c).or_else(|| boxed(c)).or_else(|| small_capital(c)) {
        out[0] = Some(letter);
        return;
    }
    let composed = c.nfkc().flat_map(char::to_lowercase);
    for (slot, c) in out.iter_mut().zip(composed.filter(|c| !is_combining_mark(*c) || !is_european(*c))) {
        *slot = Some(bare(c));
    }
}

/// Letters in circles, squares and flags that have no plain form in Unicode's own tables.
fn boxed(c: char) -> Option<char> {
    let base = match c {
        '\u{1f130}'..='\u{1f149}' => 0x1f130,
        '\u{1f150}'..='\u{1f169}' => 0x1f150,
        '\u{1f170}'..='\u{1f189}' => 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => 0x1f1e6,
        _ => return None,
    };
    char::from_u32(u32::from('a') + u32::from(c) - base)
}

fn small_capital(c: char) -> Option<char> {
    const SMALL: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ";
    SMALL.chars().zip('a'..='z').find(|(small, _)| *small == c).map(|(_, letter)| letter)
}

fn is_european(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// A Latin, Greek or Cyrillic letter without its accents.
fn bare(c: char) -> char {
    if !matches!(c, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}') {
        return c;
    }
    let mut base = None;
    decompose_canonical(c, |part| base = base.or(Some(part)));
    base.unwrap_or(c)
}

/// The Latin letter that a letter of another script looks like. Unicode's list is long, and a text has the same few
/// letters over and over: what was looked up for the scripts that have most of them is remembered.
pub(super) fn look_alike(c: char) -> Option<char> {
    const UNKNOWN: u8 = 0;
    const NONE: u8 = 1;
    static KNOWN: [AtomicU8; 0x590] = [const { AtomicU8::new(UNKNOWN) }; 0x590];
    let Some(known) = KNOWN.get(u32::from(c) as usize) else { return look_up_alike(c) };
    match known.load(Ordering::Relaxed) {
        UNKNOWN => {
            let letter = look_up_alike(c);
            let remembered =
                letter.map_or(Some(NONE), |letter| u8::try_from(letter).ok().filter(|letter| *letter > NONE));
            known.store(remembered.unwrap_or(UNKNOWN), Ordering::Relaxed);
            letter
        }
        NONE => None,
        letter => Some(char::from(letter)),
    }
}

fn look_up_alike(c: char) -> Option<char> {
    if matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}') {
        return None;
    }
    // Small letters that Unicode's list sees as something else, or only in capitals.
    let known = match c {
        'к' | 'κ' => 'k',
        'т' | 'τ' => 't',
        'в' | 'β' => 'b',
        'м' => 'm',
        'н' | 'η' => 'n',
        'п' => 'n',
        'и' => 'u',
        'г' => 'r',
        'з' => 'e',
        'ε' | 'є' => 'e',
        'α' => 'a',
        'ω' | 'ш' => 'w',
        'д' => 'd',
        'ԁ' => 'd',
        'ց' | 'ԍ' => 'g',
        'ո' => 'n',
        'ս' | 'υ' | 'μ' => 'u',
        'ν' => 'v',
        'ρ' => 'p',
        'χ' => 'x',
        'γ' => 'y',
        'ι' | 'ӏ' => 'i',
        _ => '\0',
    };
    if known != '\0' {
        return Some(known);
    }
    let mut buffer = [0; 4];
    let mut looks = skeleton(c.encode_utf8(&mut buffer));
    match (looks.next(), looks.next()) {
        (Some('r'), Some('n')) => Some('m'),
        (Some(letter), None) if letter.is_ascii_alphanumeric() => Some(letter.to_ascii_lowercase()),
        _ => None,
    }
}

/// The character that an entity of HTML stands for, given what is between `&` and `;`.
pub(super) fn entity(name: &[u8]) -> Option<char> {
    let name = std::str::from_utf8(name).ok()?;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" | "ensp" | "emsp" | "thinsp" | "Tab" | "NewLine" => ' ',
        "shy" => '\u{ad}',
        "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak" | "lrm" | "rlm" => '\u{200b}',
        "colon" => ':',
        "period" => '.',
        "comma" => ',',
        "lpar" => '(',
        "rpar" => ')',
        "lbrack" => '[',
        "rbrack" => ']',
        "sol" => '/',
        "excl" => '!',
        "num" => '#',
        "dollar" => '$',
        "vert" => '|',
        "hyphen" | "dash" => '-',
        _ => return None,
    })
}

/// Whether a letter of another script looks like a Latin one, or is one in other dress.
pub(crate) fn looks_latin(c: char) -> bool {
    look_alike(c.to_lowercase().next().unwrap_or(c)).is_some() || look_alike(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
        }
    }
}
