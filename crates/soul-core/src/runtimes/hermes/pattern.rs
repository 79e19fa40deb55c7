//! A small matcher for the runtime's threat patterns.
//!
//! They are regular expressions with bounded gaps of up to 2,048 characters and up to eight filler words, which a
//! general engine compiles slowly; this one needs no compilation. Each pattern is a sequence of steps, tried with
//! backtracking; what has failed at a position is remembered, so that no text makes it slow.

use std::collections::HashSet;

/// One step of a pattern. Letters are in lower case.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// These characters.
    Is(&'static str),
    /// One of these.
    Any(&'static [&'static str]),
    /// One of these sequences.
    Either(&'static [&'static [Step]]),
    /// This sequence, or nothing.
    Maybe(&'static [Step]),
    /// White space, at least one.
    Space,
    /// White space, exactly one.
    OneSpace,
    /// White space or nothing.
    Blank,
    /// Up to this many words, each with white space after it.
    Filler(usize),
    /// Up to this many characters other than this one.
    Gap(char, usize),
    /// Word characters, at least this many.
    Word(usize),
    /// A border between a word character and another one.
    Border,
    /// At least this many letters, digits or `+/=_-`.
    Token(usize),
}

/// Where in a pattern and in the text: the steps that are left, those after them, and the position. Sequences are
/// nested no deeper than that.
type Place = (usize, usize, usize, usize, usize);

/// A text to be searched: lower case, one `char` each.
pub(super) struct Text<'a>(pub(super) &'a [char]);

/// Python's `\s`.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Python's `\w`.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl Text<'_> {
    /// Whether the pattern occurs anywhere.
    pub(super) fn has(&self, steps: &'static [Step]) -> bool {
        let mut failed = HashSet::new();
        (0..self.0.len()).any(|at| self.may_begin(steps, at) && self.follows(&[steps], at, &mut failed))
    }

    /// A quick look at the first character.
    fn may_begin(&self, steps: &[Step], at: usize) -> bool {
        let here = self.0[at];
        match steps.first() {
            Some(Step::Is(text)) => text.starts_with(here),
            Some(Step::Any(texts)) => texts.iter().any(|text| text.starts_with(here)),
            Some(Step::Border) => match steps.get(1) {
                Some(Step::Any(texts)) => texts.iter().any(|text| text.starts_with(here)),
                Some(Step::Is(text)) => text.starts_with(here),
                _ => true,
            },
            _ => true,
        }
    }

    fn literal(&self, text: &str, at: usize) -> Option<usize> {
        let mut end = at;
        for c in text.chars() {
            if self.0.get(end) != Some(&c) {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    fn run(&self, at: usize, test: impl Fn(char) -> bool) -> usize {
        self.0[at..].iter().take_while(|c| test(**c)).count()
    }

    /// Whether the steps of a stack of sequences follow at a position; the last sequence comes first.
    fn follows(&self, stack: &[&'static [Step]], at: usize, failed: &mut HashSet<Place>) -> bool {
        let Some((sequence, rest)) = stack.split_last() else { return true };
        let Some((step, after)) = sequence.split_first() else { return self.follows(rest, at, failed) };
        let outer = rest.last().copied().unwrap_or_default();
        let key = (sequence.as_ptr() as usize, sequence.len(), outer.as_ptr() as usize, outer.len(), at);
        if failed.contains(&key) {
            return false;
        }
        let mut next: Vec<&'static [Step]> = rest.to_vec();
        next.push(after);
        let found = match *step {
            Step::Is(text) => self.literal(text, at).is_some_and(|end| self.follows(&next, end, failed)),
            Step::Any(texts) => {
                texts.iter().filter_map(|text| self.literal(text, at)).any(|end| self.follows(&next, end, failed))
            }
            Step::Either(choices) => choices.iter().any(|choice| {
                let mut inner = next.clone();
                inner.push(choice);
                self.follows(&inner, at, failed)
            }),
            Step::Maybe(inner) => {
                let mut taken = next.clone();
                taken.push(inner);
                self.follows(&taken, at, failed) || self.follows(&next, at, failed)
            }
            Step::Space => {
                let most = self.run(at, is_space);
                (1..=most).rev().any(|count| self.follows(&next, at + count, failed))
            }
            Step::OneSpace => self.run(at, is_space) > 0 && self.follows(&next, at + 1, failed),
            Step::Blank => {
                let most = self.run(at, is_space);
                (0..=most).rev().any(|count| self.follows(&next, at + count, failed))
            }
            Step::Filler(most) => {
                let mut end = at;
                let mut found = self.follows(&next, end, failed);
                for _ in 0..most {
                    let word = self.run(end, is_word);
                    let space = self.run(end + word, is_space);
                    if found || word == 0 || space == 0 {
                        break;
                    }
                    end += word + space;
                    found = self.follows(&next, end, failed);
                }
                found
            }
            Step::Gap(except, most) => {
                let most = self.0[at..].iter().take(most).take_while(|c| **c != except).count();
                (0..=most).any(|count| self.follows(&next, at + count, failed))
            }
            Step::Word(least) => {
                let most = self.run(at, is_word);
                (least..=most).rev().any(|count| self.follows(&next, at + count, failed))
            }
            Step::Token(least) => {
                let most = self.run(at, |c| c.is_ascii_alphanumeric() || "+/=_-".contains(c));
                most >= least && self.follows(&next, at + least, failed)
            }
            Step::Border => {
                let before = at.checked_sub(1).is_some_and(|before| is_word(self.0[before]));
                let here = self.0.get(at).is_some_and(|c| is_word(*c));
                before != here && self.follows(&next, at, failed)
            }
        };
        if !found {
            failed.insert(key);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, steps: &'static [Step]) -> bool {
        let text: Vec<char> = text.chars().collect();
        Text(&text).has(steps)
    }

    #[test]
    fn steps_do_what_they_say() {
        const FILLED: &[Step] = &[Step::Is("a"), Step::Space, Step::Filler(2), Step::Is("b")];
        assert!(has("x a b", FILLED) && has("a one two b", FILLED) && !has("a one two three b", FILLED));
        const GAP: &[Step] = &[Step::Is("c"), Step::Gap('\n', 3), Step::Is("d")];
        assert!(has("c123d", GAP) && !has("c1234d", GAP) && !has("c1\nd", GAP));
        const NESTED: &[Step] = &[Step::Either(&[&[Step::Is("ab")], &[Step::Is("a")]]), Step::Is("b")];
        assert!(has("ab", NESTED) && has("abb", NESTED));
        const BORDER: &[Step] = &[Step::Border, Step::Is("go"), Step::Border];
        assert!(has("let go.", BORDER) && !has("ago", BORDER));
    }

    #[test]
    fn repetition_is_not_slow() {
        const GAPS: &[Step] =
            &[Step::Is("t"), Step::Space, Step::Gap('\n', 512), Step::Is("q"), Step::Gap('\n', 512), Step::Is("z")];
        assert!(!has(&"t ".repeat(30_000), GAPS));
    }
}
