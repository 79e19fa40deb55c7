//! How long an output may be, as rules say it.

use super::prose::words;

/// How long an output may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Words(usize),
    Sentences(usize),
    SentenceWords(usize),
}

/// What comes before a number that may be reached, and before one that may not.
const AT_MOST: [&str; 21] = [
    "at most",
    "no more than",
    "not more than",
    "never more than",
    "up to",
    "max",
    "maximum",
    "a maximum of",
    "within",
    "höchstens",
    "maximal",
    "nicht mehr als",
    "au plus",
    "au maximum",
    "pas plus de",
    "como máximo",
    "máximo",
    "no más de",
    "never use more than",
    "never write more than",
    "bis zu",
];
const FEWER: [&str; 9] =
    ["under", "below", "fewer than", "less than", "unter", "weniger als", "moins de", "menos de", "never exceed"];

/// The most words or sentences that a rule allows. A rule on a single case says nothing of every output.
pub(super) fn length(plain: &str) -> Option<Length> {
    let words: Vec<String> = words(plain).into_iter().map(|word| word.text).collect();
    if ["if", "when", "unless", "wenn", "si", "cuando"].iter().any(|word| words.iter().any(|other| other == word)) {
        return None;
    }
    let names = |word: &str, list: &[&str]| list.contains(&word);
    let of_words = |word: &str| names(word, &["words", "word", "wörter", "wörtern", "worte", "mots", "palabras"]);
    let of_sentences = |word: &str| {
        names(word, &["sentences", "sentence", "sätze", "sätzen", "satz", "phrases", "phrase", "frases", "oraciones"])
    };
    for index in 1..words.len() {
        let Some(number) = number(&words[index - 1]) else { continue };
        let before = words[..index - 1].join(" ");
        let ends = |marks: &[&str]| {
            marks
                .iter()
                .any(|mark| before.strip_suffix(mark).is_some_and(|rest| rest.is_empty() || rest.ends_with(' ')))
        };
        let most = match (ends(&AT_MOST), ends(&FEWER) && !ends(&["no fewer than", "no less than"])) {
            (true, _) => number,
            (false, true) => number.saturating_sub(1),
            (false, false) => continue,
        };
        let in_sentence = words.get(index + 2).is_some_and(|word| of_sentences(word))
            || words[..index].iter().any(|word| of_sentences(word));
        match words[index].as_str() {
            unit if of_words(unit) && in_sentence => return Some(Length::SentenceWords(most)),
            unit if of_words(unit) => return Some(Length::Words(most)),
            unit if of_sentences(unit) => return Some(Length::Sentences(most)),
            _ => {}
        }
    }
    None
}

fn number(word: &str) -> Option<usize> {
    const NAMES: [&[&str]; 12] = [
        &["one", "ein", "einen", "eins", "un", "une", "uno", "una"],
        &["two", "zwei", "deux", "dos"],
        &["three", "drei", "trois", "tres"],
        &["four", "vier", "quatre", "cuatro"],
        &["five", "fünf", "cinq", "cinco"],
        &["six", "sechs", "seis"],
        &["seven", "sieben", "sept", "siete"],
        &["eight", "acht", "huit", "ocho"],
        &["nine", "neun", "neuf", "nueve"],
        &["ten", "zehn", "dix", "diez"],
        &["eleven", "elf", "onze", "once"],
        &["twelve", "zwölf", "douze", "doce"],
    ];
    let named = NAMES.iter().position(|names| names.contains(&word)).map(|at| at + 1);
    named.or_else(|| word.parse().ok().filter(|number| *number > 0))
}
