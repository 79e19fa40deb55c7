//! Small words, which tell languages apart that are written in Latin letters.

use super::lexicon::Languages;
use crate::scan::letters::is_alphanumeric;
use crate::scan::swar;

/// The languages whose small words a text has; English, and those with an alphabet of their own, need none.
pub(super) fn written(text: &str) -> Languages {
    let mut counts = [0_usize; SMALL.len()];
    each_short_word(text, |word| {
        let mut languages = small_word_languages(word);
        while languages != 0 {
            counts[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    });
    let english = counts[0];
    let foreign = SMALL.iter().zip(counts).skip(1);
    foreign.fold(Languages::MAX, |all, ((language, _), count)| {
        // Turkish and Polish say with endings what others say with small words.
        let bare = count == 0 && !matches!(language, 11 | 13);
        if bare || count < english { all & !(1 << language) } else { all }
    })
}

/// Passes on the words of less than eight letters and digits, all of ASCII: their bytes, zeros after them.
fn each_short_word(text: &str, mut word: impl FnMut(u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let eight = swar::eight(bytes, at);
        let count = swar::alphanumerics(eight);
        at += count;
        let next = if bytes.get(at).is_some_and(|byte| !byte.is_ascii()) { text[at..].chars().next() } else { None };
        if count == 8 || next.is_some_and(is_alphanumeric) {
            at += text[at..].find(|c: char| !is_alphanumeric(c)).unwrap_or(text.len() - at);
            continue;
        }
        if count > 0 {
            word(swar::first(eight, count));
        }
        at += next.map_or(1, char::len_utf8);
    }
}

/// A bit for each row of [`SMALL`] that has a word.
fn small_word_languages(key: u64) -> u8 {
    let mut slot = small_word_slot(key);
    while SMALL_WORDS[slot].0 != 0 {
        if SMALL_WORDS[slot].0 == key {
            return SMALL_WORDS[slot].1;
        }
        slot = (slot + 1) % SMALL_WORDS.len();
    }
    0
}

const fn small_word_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize
}

/// The words of [`SMALL`] as a hash table with open addressing: the bytes of each, zeros after them, and its rows. Every
/// word of a sentence is looked up, and most are in none of the lists.
static SMALL_WORDS: [(u64, u8); 512] = {
    let mut table = [(0, 0); 512];
    let mut row = 0;
    while row < SMALL.len() {
        let mut at = 0;
        while at < SMALL[row].1.len() {
            let word = SMALL[row].1[at].as_bytes();
            assert!(!word.is_empty() && word.len() < 8);
            let (mut key, mut byte) = (0, word.len());
            while byte > 0 {
                byte -= 1;
                key = key << 8 | word[byte] as u64;
            }
            let mut slot = small_word_slot(key);
            while table[slot].0 != 0 && table[slot].0 != key {
                slot = (slot + 1) % table.len();
            }
            table[slot] = (key, table[slot].1 | 1 << row);
            at += 1;
        }
        row += 1;
    }
    table
};

/// Small words of the languages that are written in Latin letters, with the place of the language.
const SMALL: [(usize, &[&str]); 7] = [
    (
        1,
        &[
            "the", "and", "of", "to", "for", "with", "is", "are", "this", "that", "you", "your", "it", "on", "by",
            "be", "if", "or", "as", "from", "when", "not", "will", "all", "has", "have",
        ],
    ),
    (
        5,
        &[
            "el", "la", "los", "las", "de", "que", "y", "en", "un", "una", "por", "con", "para", "se", "no", "al",
            "del", "lo", "su", "sin", "si", "es", "cada", "este", "esta", "todo", "todos", "te",
        ],
    ),
    (
        6,
        &[
            "o", "os", "as", "de", "que", "e", "em", "um", "uma", "por", "com", "para", "nao", "do", "da", "dos",
            "das", "no", "na", "se", "ao", "cada", "este", "esta", "sem", "todos",
        ],
    ),
    (
        7,
        &[
            "le", "la", "les", "de", "des", "et", "en", "un", "une", "pour", "avec", "que", "qui", "ne", "pas", "au",
            "du", "a", "l", "d", "est", "sans", "ce", "cette", "chaque", "si", "tu",
        ],
    ),
    (
        8,
        &[
            "der", "die", "das", "und", "zu", "den", "dem", "des", "ein", "eine", "mit", "fur", "nicht", "ist", "auf",
            "von", "im", "in", "du", "er", "sie", "an", "ohne", "wird", "werden", "als", "jede", "alle",
        ],
    ),
    (11, &["ve", "bir", "bu", "icin", "ile", "de", "da", "her", "olarak", "daha", "sonra", "ya", "en", "mi"]),
    (
        13,
        &[
            "i", "w", "z", "na", "do", "nie", "sie", "to", "jest", "o", "ze", "po", "od", "jako", "za", "te", "ten",
            "ta",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_word_is_known_in_each_of_its_languages() {
        let languages = |text: &str| {
            let mut languages = 0;
            each_short_word(text, |word| languages |= small_word_languages(word));
            languages
        };
        for (row, (_, words)) in SMALL.iter().enumerate() {
            for word in *words {
                assert!(languages(word) >> row & 1 == 1, "{word}");
            }
        }
        assert_eq!(languages("as"), 0b101, "English and Portuguese");
        for word in ["", "th", "thes", "marmalade", "é", "thé", "marmaladéthe", "éthe"] {
            assert_eq!(languages(word), 0, "{word}");
        }
    }

    #[test]
    fn a_language_is_written_if_its_small_words_are_not_fewer_than_the_english_ones() {
        let has = |text: &str, language: usize| written(text) >> language & 1 == 1;
        assert!(has("envía la clave de la cuenta", 5) && !has("send the key of the account", 5));
        assert!(has("l’ordre “de” la maison", 7), "marks beyond ASCII part words");
        assert!(!has("della ladet", 5), "a word is no part of another");
    }
}
