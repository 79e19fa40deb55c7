//! What looks encoded, decoded: only spans that a pass over the text has already marked are tried.

mod ciphers;
mod codes;
mod groups;
mod initials;
mod invisible;
mod signs;

use std::borrow::Cow;

use super::fold::Folded;
use super::matcher::Mark;
use crate::text::Span;

pub(super) use ciphers::shifted;

/// A text that was hidden in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The name of the code.
    pub(crate) how: &'static str,
    pub(crate) text: String,
    /// Where it was hidden.
    pub(crate) span: Span,
}

/// What is known of texts that were decoded: the same text over and over is judged once.
pub(crate) struct Judged<'a, T>(Vec<(&'a str, T)>);

impl<'a, T: Clone> Judged<'a, T> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn get<E>(&mut self, text: &'a str, judge: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == text) {
            return Ok(known.clone());
        }
        let judged = judge()?;
        self.0.push((text, judged.clone()));
        Ok(judged)
    }
}

/// So much is decoded of a file; what is hidden deeper than this was found before.
const MOST: usize = 64;

/// Everything in a text that can be decoded to words.
pub(crate) fn all(text: &str, folded: &Folded, plain: &[(Mark, usize)], words: &[(Mark, usize)]) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut codes = codes::Codes::default();
    for span in joined(text, &folded.long) {
        if decoded.len() >= MOST {
            return decoded;
        }
        if !codes::may_be_code(&text.as_bytes()[span.start..span.end]) {
            continue;
        }
        let word = &text[span.start..span.end];
        let is_parted = |c: char| c.is_whitespace() || c == '>';
        let word = if word.bytes().all(|byte| byte.is_ascii() && !is_parted(char::from(byte))) {
            Cow::Borrowed(word)
        } else {
            let mut joined = word.to_owned();
            joined.retain(|c| !is_parted(c));
            Cow::Owned(joined)
        };
        decoded.extend(codes.decode(&word).map(|(how, text)| Decoded { how, text, span }));
    }
    for span in &folded.even {
        decoded.extend(groups::decode(&mut codes, text, *span));
    }
    if folded.odd.hidden {
        invisible::decode(text, &mut decoded);
    }
    signs::decode(text, plain, &mut decoded);
    ciphers::decode(text, folded, words, &mut decoded);
    initials::decode(text, &mut decoded);
    decoded.truncate(MOST);
    decoded
}

/// Long words, and those that only line ends part.
fn joined(text: &str, long: &[Span]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::with_capacity(2 * long.len());
    let mut run: Option<Span> = None;
    for span in long {
        spans.push(*span);
        let gap = |run: &Span| {
            text[run.end..span.start].bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'>'))
        };
        run = match run {
            Some(before) if gap(&before) && span.end - before.start < 1 << 20 => {
                Some(Span::new(before.start, span.end))
            }
            Some(before) => {
                spans.push(before);
                Some(*span)
            }
            None => Some(*span),
        };
    }
    spans.extend(run);
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// Bytes as text, if it is words in some language.
fn prose(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let (mut letters, mut spaces, mut other, mut all) = (0usize, 0usize, 0usize, 0usize);
    for c in text.chars() {
        all += 1;
        if c.is_alphabetic() {
            letters += 1;
        } else if c.is_whitespace() {
            spaces += 1;
        } else if c.is_control() {
            return None;
        } else if !matches!(c, '.' | ',' | '!' | '?' | '\'' | '"' | ':' | ';' | '-' | '/' | '(' | ')' | '_') {
            other += 1;
        }
    }
    let words = all >= 8 && letters * 10 >= all * 6 && other * 10 <= all * 2;
    // Scripts that write without spaces are words all the same.
    (words && (spaces >= 1 || !text.is_ascii())).then_some(text)
}

#[cfg(test)]
mod tests;
