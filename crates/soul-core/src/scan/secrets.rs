//! Secrets in a text that is shown to people.

use std::borrow::Cow;

use memchr::memchr3_iter;

use super::matcher::selected;
use super::patterns::matches_in;
use crate::rules::{Family, Matcher, RULES, is_random_string};
use crate::text::Span;

/// How much of a secret is shown, in bytes: enough to know which one it is.
const SHOWN: usize = 4;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The text with every secret masked by asterisks, as many as it has bytes, so that places in it stay what they are.
///
/// ```
/// use soul_core::scan::mask_secrets;
///
/// let text = "key sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2, keep it";
/// assert_eq!(mask_secrets(text), "key sk-p****************************, keep it");
/// assert_eq!(mask_secrets("nothing to hide"), "nothing to hide");
/// ```
#[must_use]
pub fn mask_secrets(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut hidden = vec![false; text.len()];
    for span in secrets {
        hidden[span.start..span.end].fill(true);
    }
    let mut masked = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c.is_whitespace() || !hidden[at] {
            masked.push(c);
        } else {
            masked.extend(std::iter::repeat_n('*', c.len_utf8()));
        }
    }
    Cow::Owned(masked)
}

/// What is to be hidden.
fn secrets(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    // A pattern runs only if one of its literals is there: most texts have none.
    let lower = text.as_bytes().to_ascii_lowercase();
    for at in selected(&lower).into_iter().filter(|at| RULES[*at].family == Family::Secrets) {
        let Matcher::Raw { keep, .. } = &RULES[at].matcher else { continue };
        // Whether the match before is a secret: the same words are judged once.
        let mut judged = ("", false);
        for (start, end) in matches_in(at, text.as_bytes(), &lower, usize::MAX).unwrap_or_default() {
            let (start, end) = (text.floor_char_boundary(start), text.ceil_char_boundary(end));
            if judged.0 != &text[start..end] {
                judged = (&text[start..end], keep(&text[start..end]));
            }
            if judged.1 {
                found.push(value(text, start, end));
            }
        }
    }
    let [a, b, c] = QUOTES.map(|quote| quote as u8);
    let mut at = 0;
    for end in memchr3_iter(a, b, c, text.as_bytes()).chain([text.len()]) {
        if end - at > SHOWN && is_random_string(&text[at..end]) {
            found.push(Span::new(at + SHOWN, end));
        }
        at = end + 1;
    }
    found
}

/// The secret part of a match: of `name = "value"` the value, of a key in armour everything up to the end of it.
fn value(text: &str, start: usize, end: usize) -> Span {
    if text[start..].starts_with("-----BEGIN") {
        let first = text[start..end].find("KEY").map_or(start, |at| start + at);
        let from = text[first..].find(|c: char| c != '-' && !c.is_ascii_uppercase()).map_or(end, |at| first + at);
        return Span::new(from, from + armour(&text[from..]));
    }
    let quoted = text[start..end].trim_end_matches(QUOTES);
    let from = quoted.rfind(QUOTES).map_or(start, |at| start + at + 1);
    let last = start + quoted.len();
    Span::new(text.ceil_char_boundary(from + SHOWN).min(last), last)
}

/// How long the lines are that are part of a key.
fn armour(text: &str) -> usize {
    let is_part = |line: &&str| {
        line.trim()
            .trim_start_matches("\\n")
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=:\\".contains(&byte))
    };
    text.split_inclusive('\n').take_while(is_part).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_that_a_rule_finds_is_masked() {
        for rule in RULES.iter().filter(|rule| rule.family == Family::Secrets) {
            for hit in rule.hits {
                let text = format!("Before.\n{hit}\nafter");
                let masked = mask_secrets(&text);
                assert!(masked.contains("****") && masked.len() == text.len(), "{}: {masked}", rule.id);
                assert!(masked.starts_with("Before.\n"), "{masked}");
            }
        }
    }

    #[test]
    fn a_key_in_armour_is_masked_to_its_end() {
        let text = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END PRIVATE KEY-----\nYou are calm.";
        let masked = mask_secrets(text);
        assert_eq!(masked.matches('*').count(), 24, "{masked}");
        assert!(masked.ends_with("-----END PRIVATE KEY-----\nYou are calm."), "{masked}");
        let cut_off = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\nYou are calm.\n";
        assert!(mask_secrets(cut_off).ends_with("\n************\nYou are calm.\n"));
    }

    #[test]
    fn the_name_of_a_credential_stays_readable() {
        assert_eq!(mask_secrets("password: 'Tr0ub4dor&3xyz'"), "password: 'Tr0u**********'");
    }
}
