//! A small matcher for the runtime's threat patterns.
//!
//! They are regular expressions with bounded gaps of up to 2,048 characters and up to eight filler words, which a
//! general engine compiles slowly; this one needs no compilation. Each pattern is a sequence of steps, tried with
//! backtracking; what has failed after a gap is remembered, so that no text makes it slow. A gap is never part of a
//! choice, so the steps after it and the position say everything.

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

/// A text to be searched, in lower case, with the places of each ASCII character.
pub(super) struct Text {
    text: Vec<char>,
    places: Vec<Vec<usize>>,
}

/// The steps after those that are being tried.
struct Outer<'a> {
    steps: &'static [Step],
    outer: Option<&'a Outer<'a>>,
}

/// Places after a gap that have failed: the steps that were tried, by their address, and the position.
type Failed = HashSet<(usize, usize)>;

/// Python's `\s`.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Python's `\w`.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The characters that a sequence can begin with.
fn openings(steps: &[Step], found: &mut Vec<char>) {
    match steps.first() {
        Some(Step::Is(text)) => found.extend(text.chars().next()),
        Some(Step::Any(texts)) => found.extend(texts.iter().filter_map(|text| text.chars().next())),
        Some(Step::Either(choices)) => choices.iter().for_each(|choice| openings(choice, found)),
        Some(Step::Border) => openings(&steps[1..], found),
        _ => {}
    }
}

impl Text {
    pub(super) fn new(text: Vec<char>) -> Self {
        let mut places = vec![Vec::new(); 128];
        for (at, c) in text.iter().enumerate() {
            if let Some(places) = places.get_mut(*c as usize) {
                places.push(at);
            }
        }
        Self { text, places }
    }

    /// Whether the pattern occurs anywhere. It begins with characters of ASCII.
    pub(super) fn has(&self, steps: &'static [Step]) -> bool {
        let mut first = Vec::new();
        openings(steps, &mut first);
        first.sort_unstable();
        first.dedup();
        let mut failed = Failed::new();
        let mut places = first.iter().filter_map(|c| self.places.get(*c as usize)).flatten();
        places.any(|at| self.follows(steps, None, *at, &mut failed))
    }

    /// A quick look at the next character.
    fn may_follow(&self, steps: &[Step], at: usize) -> bool {
        let Some(here) = self.text.get(at) else { return false };
        match steps.first() {
            Some(Step::Is(text)) => text.starts_with(*here),
            Some(Step::Any(texts)) => texts.iter().any(|text| text.starts_with(*here)),
            Some(Step::Space) => is_space(*here),
            _ => true,
        }
    }

    fn literal(&self, text: &str, at: usize) -> Option<usize> {
        let mut end = at;
        for c in text.chars() {
            if self.text.get(end) != Some(&c) {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    fn run(&self, at: usize, test: impl Fn(char) -> bool) -> usize {
        self.text[at..].iter().take_while(|c| test(**c)).count()
    }

    /// Whether the steps, and those outside of them, follow at a position.
    fn follows(&self, steps: &'static [Step], outer: Option<&Outer<'_>>, at: usize, failed: &mut Failed) -> bool {
        let Some((step, after)) = steps.split_first() else {
            return outer.is_none_or(|outer| self.follows(outer.steps, outer.outer, at, failed));
        };
        let mut next = |at: usize| self.follows(after, outer, at, failed);
        match *step {
            Step::Is(text) => self.literal(text, at).is_some_and(next),
            Step::Any(texts) => texts.iter().filter_map(|text| self.literal(text, at)).any(next),
            Step::Either(choices) => {
                let rest = Outer { steps: after, outer };
                choices.iter().any(|choice| self.follows(choice, Some(&rest), at, failed))
            }
            Step::Maybe(inner) => {
                let rest = Outer { steps: after, outer };
                self.follows(inner, Some(&rest), at, failed) || self.follows(after, outer, at, failed)
            }
            Step::Space => (1..=self.run(at, is_space)).rev().any(|count| next(at + count)),
            Step::OneSpace => self.run(at, is_space) > 0 && next(at + 1),
            Step::Blank => (0..=self.run(at, is_space)).rev().any(|count| next(at + count)),
            Step::Filler(most) => {
                let mut end = at;
                for _ in 0..most {
                    if next(end) {
                        return true;
                    }
                    let word = self.run(end, is_word);
                    let space = self.run(end + word, is_space);
                    if word == 0 || space == 0 {
                        return false;
                    }
                    end += word + space;
                }
                next(end)
            }
            Step::Gap(except, most) => {
                let most = self.text[at..].iter().take(most).take_while(|c| **c != except).count();
                (at..=at + most).filter(|at| self.may_follow(after, *at)).any(|at| {
                    let place = (after.as_ptr() as usize, at);
                    let found = !failed.contains(&place) && self.follows(after, outer, at, failed);
                    if !found {
                        failed.insert(place);
                    }
                    found
                })
            }
            Step::Word(least) => (least..=self.run(at, is_word)).rev().any(|count| next(at + count)),
            Step::Token(least) => {
                let most = self.run(at, |c| c.is_ascii_alphanumeric() || "+/=_-".contains(c));
                most >= least && next(at + least)
            }
            Step::Border => {
                let before = at.checked_sub(1).is_some_and(|before| is_word(self.text[before]));
                let here = self.text.get(at).is_some_and(|c| is_word(*c));
                before != here && next(at)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, steps: &'static [Step]) -> bool {
        Text::new(text.chars().collect()).has(steps)
    }

    #[test]
    fn steps_do_what_they_say() {
        const FILLED: &[Step] = &[Step::Is("a"), Step::Space, Step::Filler(2), Step::Is("b")];
        assert!(has("x a b", FILLED) && has("a one two b", FILLED) && !has("a one two three b", FILLED));
        const GAP: &[Step] = &[Step::Is("c"), Step::Gap('\n', 3), Step::Is("d")];
        assert!(has("c123d", GAP) && !has("c1234d", GAP) && !has("c1\nd", GAP));
        const NESTED: &[Step] = &[Step::Either(&[&[Step::Is("ab")], &[Step::Is("a")]]), Step::Is("b")];
        assert!(has("ab", NESTED) && has("abb", NESTED));
        const MAYBE: &[Step] = &[Step::Is("a"), Step::Maybe(&[Step::Is("b")]), Step::Is("bc")];
        assert!(has("abc", MAYBE) && has("abbc", MAYBE) && !has("abbbc", MAYBE));
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
