//! Characters that nobody sees: the one table, and the subsets of it that readers need.
//!
//! The table has every code point with the property `Default_Ignorable_Code_Point` of Unicode, and what is as
//! empty without having it. Who reads a text, and why, decides which of them count as nothing: each subset
//! says where it differs from the table.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Why a character is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unseen {
    /// Shown only where a line is broken.
    SoftHyphen,
    /// Combining grapheme joiner.
    GraphemeJoiner,
    /// Zero-width space, joiner and non-joiner. Emoji, Persian and the scripts of India need the last two.
    ZeroWidth,
    WordJoiner,
    ByteOrderMark,
    /// `\u{2061}` to `\u{2064}`: function application, invisible times and the like.
    MathOperator,
    /// Left-to-right and right-to-left mark.
    DirectionMark,
    ArabicDirectionMark,
    /// The embeddings and overrides, and the end of one.
    DirectionOverride,
    DirectionIsolate,
    /// Line and paragraph separator: a line end to Unicode, nothing to most terminals.
    LineSeparator,
    /// `\u{2065}`, which was never assigned, and the deprecated format characters after the isolates.
    Deprecated,
    /// A Hangul syllable's missing part; takes room in some fonts and never has ink.
    HangulFiller,
    /// Vowels that are part of the letter before them anyway.
    KhmerVowel,
    MongolianSelector,
    MongolianSeparator,
    /// Joiners and fillers of scripts that hardly anybody writes; marks to Unicode.
    RareJoiner,
    /// `\u{fe00}` to `\u{fe0f}`. The last one makes an emoji of the symbol before it.
    VariationSelector,
    /// 240 more, for ideographs.
    IdeographSelector,
    /// Begins, parts and ends an interlinear annotation. Not ignorable by default, and shown by nobody.
    Annotation,
    /// Format controls of shorthand.
    Shorthand,
    /// Format controls of music.
    Music,
    /// A note without a head; a symbol to Unicode.
    EmptyNote,
    /// Spells a printable ASCII character.
    TagLetter,
    /// The rest of the first 128 tags.
    TagControl,
    /// A cell of Braille without dots.
    BlankBraille,
    /// Set aside by Unicode for characters that will not be seen either.
    Reserved,
}

/// The table.
const fn unseen(c: char) -> Option<Unseen> {
    Some(match c {
        // Most letters that are written.
        '\0'..='\u{ac}' | '\u{ae}'..='\u{34e}' | '\u{350}'..='\u{61b}' | '\u{3165}'..='\u{fdff}' => return None,
        '\u{ad}' => Unseen::SoftHyphen,
        '\u{34f}' => Unseen::GraphemeJoiner,
        '\u{61c}' => Unseen::ArabicDirectionMark,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Unseen::HangulFiller,
        '\u{17b4}' | '\u{17b5}' => Unseen::KhmerVowel,
        '\u{180e}' => Unseen::MongolianSeparator,
        '\u{180b}'..='\u{180f}' => Unseen::MongolianSelector,
        '\u{200b}'..='\u{200d}' => Unseen::ZeroWidth,
        '\u{200e}' | '\u{200f}' => Unseen::DirectionMark,
        '\u{2028}' | '\u{2029}' => Unseen::LineSeparator,
        '\u{202a}'..='\u{202e}' => Unseen::DirectionOverride,
        '\u{2060}' => Unseen::WordJoiner,
        '\u{2061}'..='\u{2064}' => Unseen::MathOperator,
        '\u{2066}'..='\u{2069}' => Unseen::DirectionIsolate,
        '\u{2065}' | '\u{206a}'..='\u{206f}' => Unseen::Deprecated,
        '\u{2800}' => Unseen::BlankBraille,
        '\u{2d7f}' | '\u{1107f}' | '\u{16fe4}' => Unseen::RareJoiner,
        '\u{fe00}'..='\u{fe0f}' => Unseen::VariationSelector,
        '\u{feff}' => Unseen::ByteOrderMark,
        '\u{fff9}'..='\u{fffb}' => Unseen::Annotation,
        '\u{1bca0}'..='\u{1bca3}' => Unseen::Shorthand,
        '\u{1d159}' => Unseen::EmptyNote,
        '\u{1d173}'..='\u{1d17a}' => Unseen::Music,
        '\u{e0020}'..='\u{e007e}' => Unseen::TagLetter,
        '\u{e0000}'..='\u{e007f}' => Unseen::TagControl,
        '\u{e0100}'..='\u{e01ef}' => Unseen::IdeographSelector,
        '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}' => Unseen::Reserved,
        _ => return None,
    })
}

/// Whether anybody would see the character: not white space, not a control or format character, and not in the
/// table. What has to say something (a reason, the name of a mood) needs one of these.
pub(crate) fn is_visible(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, SpaceSeparator};
    unseen(c).is_none()
        && !matches!(get_general_category(c), Control | Format | LineSeparator | ParagraphSeparator | SpaceSeparator)
}

/// For the scanner: what its folded text leaves out, so that `ig\u{200b}nore` is `ignore`.
///
/// Tags that spell ASCII are folded to it, since that is what a model reads. Separators and the blank Braille
/// cell part words. Reserved, shorthand and musical symbols have no place in its rules; what it does with them is
/// part of its recorded results.
pub(crate) const fn is_nothing_to_scanner(c: char) -> bool {
    match unseen(c) {
        Some(
            Unseen::TagLetter
            | Unseen::LineSeparator
            | Unseen::BlankBraille
            | Unseen::Reserved
            | Unseen::Shorthand
            | Unseen::EmptyNote
            | Unseen::RareJoiner,
        )
        | None => false,
        Some(_) => true,
    }
}

/// For the rule on zero-width characters: those that hide in a word and look like nothing at all.
///
/// Narrower than what the scanner leaves out: directions, selectors and tags have rules of their own, and a soft
/// hyphen or a Khmer vowel is how people write.
pub(crate) const fn is_zero_width(c: char) -> bool {
    matches!(
        unseen(c),
        Some(
            Unseen::ZeroWidth
                | Unseen::WordJoiner
                | Unseen::MathOperator
                | Unseen::ByteOrderMark
                | Unseen::MongolianSeparator
                | Unseen::GraphemeJoiner
                | Unseen::HangulFiller
        )
    )
}

/// Tags of both kinds, for the rule on them.
pub(crate) const fn is_tag(c: char) -> bool {
    matches!(unseen(c), Some(Unseen::TagLetter | Unseen::TagControl))
}

/// Tags that spell ASCII, from the space on.
pub(crate) const fn is_tag_letter(c: char) -> bool {
    matches!(unseen(c), Some(Unseen::TagLetter))
}

/// Selectors, of which a row can carry one byte each. Those of Mongolian are too few for that.
pub(crate) const fn is_selector(c: char) -> bool {
    matches!(unseen(c), Some(Unseen::VariationSelector | Unseen::IdeographSelector))
}

/// For the search: what must not part a word.
///
/// Only what people's tools put into words. Terms are kept in indexes, so a larger set would need a new version
/// of them.
pub(crate) const fn is_ignored_in_words(c: char) -> bool {
    matches!(
        unseen(c),
        Some(
            Unseen::SoftHyphen
                | Unseen::ZeroWidth
                | Unseen::DirectionMark
                | Unseen::DirectionOverride
                | Unseen::WordJoiner
                | Unseen::MathOperator
                | Unseen::ByteOrderMark
                | Unseen::VariationSelector
        )
    )
}

/// For frontmatter: what editors and web pages leave before the fence, so that a diagnostic can say why the fence does
/// not count. Anything else before it is text.
pub(crate) const fn is_stray_before_fence(c: char) -> bool {
    matches!(unseen(c), Some(Unseen::ByteOrderMark | Unseen::ZeroWidth | Unseen::DirectionMark | Unseen::WordJoiner))
}

/// For the prompt: whatever leaves no ink of its own, so that no marker can be imitated with something in between.
///
/// The widest set: white space, controls, marks that stand on the letter before them, and what no font has (private
/// and unassigned characters) count too. A note without a head does not, as a symbol of its own.
pub(crate) fn is_inkless(c: char) -> bool {
    if c.is_whitespace() || c.is_control() {
        return true;
    }
    !matches!(unseen(c), None | Some(Unseen::EmptyNote))
        || (!c.is_ascii()
            && matches!(
                get_general_category(c),
                GeneralCategory::Format
                    | GeneralCategory::NonspacingMark
                    | GeneralCategory::EnclosingMark
                    | GeneralCategory::PrivateUse
                    | GeneralCategory::Unassigned
            ))
}

/// For terminals: each character of a text, and whether a terminal would hide it or obey it.
///
/// Everything in the table, controls, format characters and noncharacters. One exception: the selector that makes
/// an emoji of the symbol before it, as in `❤️`, does something that is seen; anywhere else it is hidden.
pub fn with_hidden(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut chars = text.chars().peekable();
    let mut before = '\0';
    std::iter::from_fn(move || {
        let c = chars.next()?;
        let is_emoji =
            c == EMOJI_SELECTOR && (is_emoji_base(before) || (is_keycap_base(before) && chars.peek() == Some(&KEYCAP)));
        before = c;
        Some((c, !is_emoji && is_hidden(c)))
    })
}

fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let is_noncharacter = matches!(u32::from(c), 0xfdd0..=0xfdef) || u32::from(c) & 0xfffe == 0xfffe;
    c.is_control()
        || is_noncharacter
        || unseen(c).is_some()
        || (get_general_category(c) == GeneralCategory::Format && !is_number_sign(c))
}

/// The format characters that are seen: signs that stand around the digits after them, and an overline.
const fn is_number_sign(c: char) -> bool {
    matches!(
        c,
        '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{110bd}' | '\u{110cd}'
    )
}

const EMOJI_SELECTOR: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';

const fn is_keycap_base(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*')
}

/// The blocks that emoji are in, and those that stand alone.
const fn is_emoji_base(c: char) -> bool {
    matches!(c, '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | 'Ⓜ' | '〰' | '〽' | '㊗' | '㊙'
        | '\u{2194}'..='\u{21aa}' // arrows
        | '\u{231a}'..='\u{23fa}' // technical
        | '\u{25aa}'..='\u{25fe}' // shapes
        | '\u{2600}'..='\u{27bf}' // symbols and dingbats
        | '\u{2934}'..='\u{2935}' | '\u{2b05}'..='\u{2b55}' // more arrows and shapes
        | '\u{1f000}'..='\u{1faff}') // pictographs
}

#[cfg(test)]
mod tests;
