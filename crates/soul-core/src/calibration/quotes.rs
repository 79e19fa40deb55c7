//! What stands in quotes, in the ways that people and languages write them.

use super::prose::words;

/// The quotes: what opens, what closes, and whether the mark may also be an apostrophe.
const PAIRS: [(char, &[char], bool); 11] = [
    ('"', &['"'], false),
    ('“', &['”'], false),
    ('„', &['“', '”'], false),
    ('«', &['»'], false),
    ('»', &['«'], false),
    ('‹', &['›'], false),
    ('`', &['`'], false),
    ('「', &['」'], false),
    ('\'', &['\''], true),
    ('‘', &['’'], true),
    ('‚', &['‘', '’'], true),
];

/// A text in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote<'a> {
    /// What is quoted, without the marks.
    pub(super) quoted: &'a str,
    /// Where the opening mark stands.
    pub(super) start: usize,
    /// What follows the closing mark.
    end: usize,
}

/// Everything that stands in quotes or as code.
pub(super) fn quotes(text: &str) -> Vec<Quote<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, (open, closes, apostrophe))) = text[at..]
        .char_indices()
        .find_map(|(found, c)| Some((at + found, *PAIRS.iter().find(|(open, ..)| *open == c)?)))
    {
        let inside = start + open.len_utf8();
        at = inside;
        let before = text[..start].chars().next_back();
        if apostrophe && before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let closing = text[inside..].char_indices().find(|(found, c)| {
            let next = text[inside + found + c.len_utf8()..].chars().next();
            closes.contains(c) && !(apostrophe && next.is_some_and(char::is_alphanumeric))
        });
        let Some((length, close)) = closing else { continue };
        let end = inside + length + close.len_utf8();
        let quoted = text[inside..inside + length].trim().trim_end_matches(['…', '.', ',']).trim();
        if !quoted.is_empty() {
            found.push(Quote { quoted, start, end });
        }
        at = end;
    }
    found
}

/// What a text that forbids quotes as forbidden: the first quote, and those that are only listed behind it.
/// What comes after any other word is what to say instead, or when.
pub(super) fn forbidden(text: &str) -> Vec<&str> {
    const LISTING: [&str; 20] = [
        "or", "and", "nor", "even", "the", "word", "words", "phrase", "phrases", "term", "terms", "oder", "und",
        "noch", "ou", "et", "ni", "o", "y", "u",
    ];
    let mut found: Vec<&str> = Vec::new();
    let mut end = None;
    for quote in quotes(text) {
        if found.is_empty() && text[..quote.start].contains(['(', ';', '→', '—']) {
            break;
        }
        let between = end.map_or("", |end| &text[end..quote.start]);
        let listed = words(between).iter().all(|word| LISTING.contains(&word.text.as_str()));
        if !listed || between.contains(['(', '→', '>', '—', '–', '=', ':', '.']) {
            break;
        }
        found.push(quote.quoted);
        end = Some(quote.end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_found() {
        let quoted = |text| quotes(text).into_iter().map(|quote| quote.quoted).collect::<Vec<_>>();
        assert_eq!(quoted("never say \"as an AI…\" or `sorry` or “hm”"), ["as an AI", "sorry", "hm"]);
        assert_eq!(quoted("don't \"leave it open"), [""; 0]);
        assert_eq!(
            quoted("don't say 'it isn't' or ‘can’t’, «a», »b«, „c“, ‚d‘"),
            ["it isn't", "can’t", "a", "b", "c", "d"]
        );
        assert_eq!(quoted("the users' files and the agents' files"), [""; 0]);
        assert_eq!(quoted("'"), [""; 0]);
    }

    #[test]
    fn what_to_say_instead_is_not_forbidden() {
        assert_eq!(forbidden("never “a”, “b” or “c”; say “d”"), ["a", "b", "c"]);
        assert_eq!(forbidden("\"a\" → \"b\""), ["a"]);
        assert_eq!(forbidden("never say a (say \"b\")"), [""; 0]);
    }
}
