use super::super::concept::{self, CONCEPTS};
use super::super::keys::Head;
use super::super::lexicon::{FILE, LANGUAGES, Lexicon};
use super::super::marks::ends_sentence;
use super::{compile_lexicon, parse};

/// The text file of a language.
pub(in crate::scan::frames) fn source(language: &str) -> Result<String, String> {
    let path = format!("{}/src/scan/frames/lexicon/{language}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
}

#[test]
fn lexicon_bin_is_what_the_text_files_give() {
    let is_current = compile_lexicon(source).unwrap() == FILE;
    assert!(is_current, "the lexicons have changed since they were compiled; hint: cargo xtask lexicon");
    assert!(Lexicon::read(FILE).is_some());
}

#[test]
fn every_lexicon_can_be_read() {
    for language in LANGUAGES {
        let entries = parse(&source(language).unwrap()).unwrap_or_else(|why| panic!("{language}: {why:?}"));
        let mut seen = std::collections::BTreeSet::new();
        let twice: Vec<&str> =
            entries.iter().filter(|entry| !seen.insert((&entry.0, entry.1))).map(|entry| &*entry.0).collect();
        assert!(twice.is_empty(), "{language}: in one concept twice: {twice:?}");
    }
    assert!(parse("nonsense: word").is_err());
    assert!(parse("no colon").is_err());
    assert_eq!(parse("# comment\n\nsend: post* \"hand over\"").unwrap().len(), 2);
}

#[test]
fn an_entry_is_found_where_it_stands_the_longest_last() {
    let lines = "send: cancel* canc* don't go* never \"never mind\" \"never mind him*\" owner \"representative of\" 发送 отправ*";
    let bytes =
        compile_lexicon(|language| Ok(if language == "en" { lines.to_owned() } else { String::new() })).unwrap();
    let lexicon = Lexicon::read(bytes.leak()).unwrap();
    let found = |text: &'static str| -> Vec<&str> {
        let bytes = text.as_bytes();
        let entries = match bytes[0] {
            0x80.. => lexicon.wide_entries(bytes, 0, false),
            _ => lexicon.entries_of_word(bytes, 0, &Head::read(bytes, 0)),
        };
        entries.as_slice().iter().map(|found| &text[..found.end]).collect()
    };
    assert_eq!(found("never mind himself"), ["never", "never mind", "never mind him"]);
    assert_eq!(found("never minds"), ["never"]);
    assert_eq!(found("cancelling"), ["canc", "cancel"]);
    for text in ["don't", "representative of", "发送", "отправ"] {
        assert_eq!(found(text), [text]);
    }
    assert_eq!(found("отправить"), ["отправ"]);
    for text in ["nevermore", "owners", "owneré", "representatives of", "g", "house", "don", "送发", "отпра"] {
        assert!(found(text).is_empty(), "{text}");
    }
}

#[test]
fn every_concept_has_words() {
    let lines = LANGUAGES.iter().flat_map(|language| parse(&source(language).unwrap()).unwrap());
    let named = lines.fold(0, |all, (_, concept, _)| all | concept);
    for (name, _) in CONCEPTS {
        assert!(named & concept::bit(name).unwrap() != 0, "{name}");
    }
    assert!(CONCEPTS.len() <= 128);
}

/// The reader goes over an entry up to its first space. The sieve does not compare words of ASCII, so a sentence that ends
/// inside of one would end for the sieve alone.
#[test]
fn no_sentence_ends_inside_of_a_word_of_ascii() {
    for language in LANGUAGES {
        for (entry, ..) in parse(&source(language).unwrap()).unwrap() {
            let first = entry.split(' ').next().unwrap_or_default();
            let ends = |at: usize| ends_sentence(first.as_bytes(), at);
            let is_ascii = first.as_bytes()[0].is_ascii_alphanumeric();
            let has_end = (0..first.len()).any(ends) || first.contains(['。', '।', '؟']);
            assert!(!(is_ascii && has_end), "{language}: {entry}");
        }
    }
}
