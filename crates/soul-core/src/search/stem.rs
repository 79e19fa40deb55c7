//! Stems: English words by Porter's rules of 1980, Russian ones without their commonest endings.
//! Every other word is its own stem.

use std::borrow::Cow;

/// The stem of a folded word.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        Cow::Owned(english(word))
    } else if word.len() > 6 && word.chars().all(|c| ('а'..='я').contains(&c)) {
        Cow::Borrowed(russian(word))
    } else {
        Cow::Borrowed(word)
    }
}

/// Endings, the longest first; at least three letters stay.
const RUSSIAN: [&str; 34] = [
    "иями", "ями", "ами", "иях", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ить", "еть", "ешь", "ете", "ция",
    "ии", "ие", "ия", "ию", "ов", "ев", "ей", "ах", "ях", "ом", "ем", "ам", "ям", "ыи", "ии", "ая", "ое", "ые",
];

fn russian(word: &str) -> &str {
    let cut = RUSSIAN.iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 6));
    let single = || word.strip_suffix(['а', 'е', 'и', 'о', 'у', 'ы', 'ь', 'ю', 'я']).filter(|rest| rest.len() >= 6);
    cut.or_else(single).unwrap_or(word)
}

/// Endings and what stands for them once the rest has a syllable; then once more; then those that go
/// altogether where two syllables stay.
#[rustfmt::skip]
const DERIVED: [(&str, &str); 30] = [
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"), ("cli", "c"), ("dli", "d"), ("gli", "g"), ("hli", "h"),
    ("kli", "k"), ("mli", "m"), ("nli", "n"), ("rli", "r"), ("tli", "t"),
];
#[rustfmt::skip]
const SHORTENED: [(&str, &str); 7] = [
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
];
#[rustfmt::skip]
const DROPPED: [(&str, &str); 20] = [
    ("al", ""), ("ance", ""), ("ence", ""), ("er", ""), ("ic", ""), ("able", ""), ("ible", ""), ("ant", ""),
    ("ement", ""), ("ment", ""), ("ent", ""), ("sion", "s"), ("tion", "t"), ("ou", ""), ("ism", ""), ("ate", ""),
    ("iti", ""), ("ous", ""), ("ive", ""), ("ize", ""),
];

fn english(word: &str) -> String {
    let mut word = Word(word.as_bytes().to_vec());
    word.plural();
    word.past_and_gerund();
    word.swap_y();
    word.replace(&DERIVED, 0);
    word.replace(&SHORTENED, 0);
    word.replace(&DROPPED, 1);
    word.tidy();
    String::from_utf8(word.0).unwrap_or_default()
}

/// A word that loses its endings.
struct Word(Vec<u8>);

impl Word {
    /// Whether the letter is a consonant: `y` is one after a vowel and at the beginning.
    fn is_consonant(&self, at: usize) -> bool {
        match self.0[at] {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => at == 0 || !self.is_consonant(at - 1),
            _ => true,
        }
    }

    /// How often a vowel is followed by a consonant in the first letters.
    fn measure(&self, length: usize) -> usize {
        (1..length).filter(|at| self.is_consonant(*at) && !self.is_consonant(at - 1)).count()
    }

    fn has_vowel(&self, length: usize) -> bool {
        (0..length).any(|at| !self.is_consonant(at))
    }

    /// The length without an ending, if it has it.
    fn before(&self, ending: &str) -> Option<usize> {
        self.0.ends_with(ending.as_bytes()).then(|| self.0.len() - ending.len())
    }

    fn ends_double(&self) -> bool {
        let length = self.0.len();
        length > 1 && self.0[length - 1] == self.0[length - 2] && self.is_consonant(length - 1)
    }

    /// Consonant, vowel, consonant at the end, the last not `w`, `x` or `y`: a short syllable.
    fn ends_short(&self, length: usize) -> bool {
        length > 2
            && self.is_consonant(length - 3)
            && !self.is_consonant(length - 2)
            && self.is_consonant(length - 1)
            && !matches!(self.0[length - 1], b'w' | b'x' | b'y')
    }

    fn plural(&mut self) {
        if self.before("sses").is_some() || self.before("ies").is_some() {
            self.0.truncate(self.0.len() - 2);
        } else if self.before("s").is_some() && self.before("ss").is_none() && self.before("us").is_none() {
            self.0.pop();
        }
    }

    fn past_and_gerund(&mut self) {
        if let Some(length) = self.before("eed") {
            if self.measure(length) > 0 {
                self.0.pop();
            }
            return;
        }
        let Some(length) = ["ed", "ing"].iter().find_map(|ending| self.before(ending)) else { return };
        if !self.has_vowel(length) {
            return;
        }
        self.0.truncate(length);
        if ["at", "bl", "iz"].iter().any(|ending| self.before(ending).is_some()) {
            self.0.push(b'e');
        } else if self.ends_double() && !matches!(self.0.last(), Some(b'l' | b's' | b'z')) {
            self.0.pop();
        } else if self.measure(length) == 1 && self.ends_short(length) {
            self.0.push(b'e');
        }
    }

    fn swap_y(&mut self) {
        if let Some(length) = self.before("y")
            && length > 1
            && self.is_consonant(length - 1)
        {
            self.0[length] = b'i';
        }
    }

    /// Replaces the longest ending of the list that the word has, if enough of it is left.
    fn replace(&mut self, endings: &[(&str, &str)], least: usize) {
        let has = endings.iter().filter(|(ending, _)| self.before(ending).is_some());
        if let Some((ending, other)) = has.max_by_key(|(ending, _)| ending.len()) {
            let length = self.0.len() - ending.len();
            if self.measure(length) > least {
                self.0.truncate(length);
                self.0.extend_from_slice(other.as_bytes());
            }
        }
    }

    fn tidy(&mut self) {
        if let Some(length) = self.before("e") {
            let measure = self.measure(length);
            if measure > 1 || (measure == 1 && !self.ends_short(length)) {
                self.0.pop();
            }
        }
        if self.before("ll").is_some() && self.measure(self.0.len() - 1) > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["rotate", "rotates", "rotated", "rotating", "rotation"][..],
            &["lapse", "lapsed", "lapsing", "lapses"],
            &["leak", "leaks", "leaked", "leaking"],
            &["renewal", "renewals"],
            &["policy", "policies"],
            &["plan", "planned", "planning", "plans"],
            &["deploy", "deploys", "deployed", "deployment"],
            &["agree", "agreed", "agrees"],
            &["сервер", "сервера", "серверами", "серверов"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|one| *one == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn what_is_no_ending_stays() {
        for word in ["bus", "is", "sing", "red", "need", "class", "status", "rust", "c++", "a100", "straße"] {
            assert_eq!(stem(word), word);
        }
    }
}
