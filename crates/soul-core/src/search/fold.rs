use std::borrow::Cow;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// A text with compatibility forms made one (full width, half width, ligatures, composed and
/// decomposed letters), its case kept.
pub(super) fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Appends a letter in lower case and without the marks that people leave out when they type:
/// those of Latin, Greek and Cyrillic. Marks that make another letter, as in Japanese, stay.
pub(super) fn push_folded(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    for c in c.to_lowercase() {
        match c {
            '\u{300}'..='\u{36f}' => {}
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'ł' => out.push('l'),
            'ı' => out.push('i'),
            'þ' => out.push_str("th"),
            'ς' => out.push('σ'),
            '\u{c0}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}' => decompose_canonical(c, |c| {
                if !is_combining_mark(c) {
                    out.push(c);
                }
            }),
            c => out.push(c),
        }
    }
}

/// Whether the script writes words without spaces, or, as Korean, glues endings to them: its runs
/// are cut into pairs.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{aa60}'..='\u{aa7f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{3105}'..='\u{312f}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        normalised(text).chars().for_each(|c| push_folded(&mut out, c));
        out
    }

    #[test]
    fn what_people_type_alike_is_alike() {
        assert_eq!(folded("Gdańsk ŁÓDŹ Straße Ærø"), "gdansk lodz strasse aero");
        assert_eq!(folded("Lê Thị Hoa"), "le thi hoa");
        assert_eq!(folded("ＡＢＣ１２"), "abc12");
        assert_eq!(folded("ｷｬｯｼｭｻｰﾊﾞｰ"), "キャッシュサーバー");
        assert_eq!(folded("\u{1112}\u{1161}\u{11ab}"), "한");
        assert_eq!(folded("Ёлка й"), "елка и");
        assert_eq!(folded("が"), "が");
        assert_eq!(folded("か\u{3099}"), "が");
    }
}
