//! Names of other scripts in Latin letters, for ids. Short tables of our own: readable, not scholarly.

use unicode_normalization::UnicodeNormalization;

/// A text as words of `a`–`z` and digits, joined by hyphens. What no table knows separates words.
pub(super) fn id(text: &str) -> String {
    let mut out = String::new();
    let mut small_tsu = false;
    // Half-width kana and letters of other widths become usual ones.
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    for c in text.chars() {
        let before = out.len();
        push(c, &mut out);
        if small_tsu && out.len() > before {
            let first = out[before..].chars().next().unwrap_or_default();
            if first != '-' {
                out.insert(before, first);
            }
        }
        small_tsu = matches!(c, 'っ' | 'ッ');
    }
    let words: Vec<&str> = out.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-")
}

fn push(c: char, out: &mut String) {
    match c {
        'a'..='z' | '0'..='9' => out.push(c),
        '\'' | '’' | 'ʼ' | 'ь' | 'ъ' | 'っ' | 'ッ' | 'ー' | '\u{300}'..='\u{36f}' => {}
        '\u{ac00}'..='\u{d7a3}' => hangul(c, out),
        // The small vowels replace the one before them: き + ゃ is kya.
        'ゃ' | 'ゅ' | 'ょ' | 'ャ' | 'ュ' | 'ョ' => {
            let vowel = match c {
                'ゃ' | 'ャ' => 'a',
                'ゅ' | 'ュ' => 'u',
                _ => 'o',
            };
            if out.ends_with('i') {
                out.pop();
            }
            if !out.ends_with(['h', 'j']) {
                out.push('y');
            }
            out.push(vowel);
        }
        _ => match table(c) {
            Some(letters) => out.push_str(letters),
            None => {
                let mut base = None;
                unicode_normalization::char::decompose_canonical(c, |piece| {
                    base = base.or(Some(piece));
                });
                match base.filter(|base| *base != c) {
                    Some(base) if base.is_ascii_alphanumeric() => out.push(base),
                    Some(base) => out.push_str(table(base).unwrap_or("-")),
                    None => out.push('-'),
                }
            }
        },
    }
}

/// A syllable by its parts, as the revised romanisation writes them.
fn hangul(c: char, out: &mut String) {
    const FIRST: [&str; 19] =
        ["g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"];
    const VOWEL: [&str; 21] = [
        "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu",
        "eu", "ui", "i",
    ];
    const LAST: [&str; 28] = [
        "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "p", "t", "t", "p", "t", "m", "p", "p", "t", "t", "ng",
        "t", "t", "k", "t", "p", "t",
    ];
    let index = c as usize - 0xac00;
    out.push_str(FIRST[index / 588]);
    out.push_str(VOWEL[index % 588 / 28]);
    out.push_str(LAST[index % 28]);
}

/// Letters of Cyrillic, Greek and kana, and the Latin ones that are no letter with a mark.
fn table(c: char) -> Option<&'static str> {
    if let '\u{30a1}'..='\u{30f6}' = c {
        // Katakana lie in the order of hiragana.
        return char::from_u32(c as u32 - 0x60).and_then(kana);
    }
    kana(c).or_else(|| letter(c))
}

#[rustfmt::skip]
fn letter(c: char) -> Option<&'static str> {
    const LETTERS: &[(&str, &str)] = &[
        ("а α", "a"), ("б", "b"), ("в β", "v"), ("г γ ґ", "g"), ("д δ", "d"), ("е э ε", "e"), ("ё", "yo"), ("ж", "zh"),
        ("з ζ", "z"), ("и і ι η υ", "i"), ("ї", "yi"), ("й", "y"), ("к κ", "k"), ("л λ", "l"), ("м μ", "m"), ("н ν", "n"),
        ("о ο ω", "o"), ("п π", "p"), ("р ρ", "r"), ("с σ ς", "s"), ("т τ", "t"), ("у ў", "u"), ("ф φ", "f"), ("х χ", "kh"),
        ("ц", "ts"), ("ч", "ch"), ("ш", "sh"), ("щ", "shch"), ("ы", "y"), ("ю", "yu"), ("я", "ya"), ("є", "ye"),
        ("θ", "th"), ("ξ", "x"), ("ψ", "ps"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("ł", "l"), ("đ ð", "d"), ("þ", "th"), ("ı", "i"),
    ];
    LETTERS.iter().find(|(letters, _)| letters.chars().any(|letter| letter == c && c != ' ')).map(|(_, latin)| *latin)
}

#[rustfmt::skip]
fn kana(c: char) -> Option<&'static str> {
    const KANA: &[(&str, [&str; 5])] = &[
        ("あいうえお", ["a", "i", "u", "e", "o"]), ("ぁぃぅぇぉ", ["a", "i", "u", "e", "o"]),
        ("かきくけこ", ["ka", "ki", "ku", "ke", "ko"]), ("がぎぐげご", ["ga", "gi", "gu", "ge", "go"]),
        ("さしすせそ", ["sa", "shi", "su", "se", "so"]), ("ざじずぜぞ", ["za", "ji", "zu", "ze", "zo"]),
        ("たちつてと", ["ta", "chi", "tsu", "te", "to"]), ("だぢづでど", ["da", "ji", "zu", "de", "do"]),
        ("なにぬねの", ["na", "ni", "nu", "ne", "no"]), ("はひふへほ", ["ha", "hi", "fu", "he", "ho"]),
        ("ばびぶべぼ", ["ba", "bi", "bu", "be", "bo"]), ("ぱぴぷぺぽ", ["pa", "pi", "pu", "pe", "po"]),
        ("まみむめも", ["ma", "mi", "mu", "me", "mo"]), ("らりるれろ", ["ra", "ri", "ru", "re", "ro"]),
        ("やゆよわを", ["ya", "yu", "yo", "wa", "o"]), ("んゔゐゑゎ", ["n", "vu", "i", "e", "wa"]),
    ];
    KANA.iter().find_map(|(row, latin)| row.chars().position(|kana| kana == c).map(|at| latin[at]))
}
