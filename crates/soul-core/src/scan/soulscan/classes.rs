//! Sets of characters, with case as JavaScript folds it without the `u` flag.

/// Ranges of characters, both ends included.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Set {
    ranges: Vec<(char, char)>,
    /// The one character it was written as, if it was.
    written: Option<char>,
}

impl Set {
    pub(super) fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    pub(super) fn contains(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
    }

    /// The character that it was written as.
    pub(super) fn single(&self) -> Option<char> {
        self.written
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.ranges.extend_from_slice(&other.ranges);
        self.written = None;
    }

    /// With every character that folds to the same as one of it.
    pub(super) fn any_case(mut self) -> Self {
        /// Larger ranges are whole scripts, which have both cases in them.
        const LARGEST: u32 = 4_096;
        let mut more = Vec::new();
        for (first, last) in &self.ranges {
            if u32::from(*last) - u32::from(*first) <= LARGEST {
                more.extend((*first..=*last).flat_map(cases));
            }
        }
        self.ranges.extend(more.into_iter().map(|c| (c, c)));
        self.merged()
    }

    pub(super) fn negated(self) -> Self {
        let merged = self.merged();
        let mut ranges = Vec::new();
        let mut next = Some('\0');
        for (first, last) in &merged.ranges {
            if let Some(from) = next
                && from < *first
                && let Some(to) = before(*first)
            {
                ranges.push((from, to));
            }
            next = after(*last);
        }
        ranges.extend(next.map(|from| (from, char::MAX)));
        Self { ranges, written: None }
    }

    fn merged(mut self) -> Self {
        self.ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::new();
        for (first, last) in self.ranges {
            match merged.last_mut() {
                Some((_, end)) if first <= *end || after(*end) == Some(first) => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        Self { ranges: merged, written: self.written }
    }
}

fn after(c: char) -> Option<char> {
    (c..).nth(1)
}

fn before(c: char) -> Option<char> {
    ('\0'..c).next_back()
}

/// What a character is compared as: its capital, unless that is several, or would make ASCII of
/// what is not.
fn folded(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) if c.is_ascii() || !upper.is_ascii() => upper,
        _ => c,
    }
}

/// Every character that is compared as this one is.
fn cases(c: char) -> Vec<char> {
    let upper = folded(c);
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let mut all = vec![c, upper, lower(c), lower(upper)];
    all.sort_unstable();
    all.dedup();
    all.retain(|other| folded(*other) == upper);
    all
}

/// A character in any case.
pub(super) fn letter(c: char) -> Set {
    Set { ranges: cases(c).into_iter().map(|c| (c, c)).collect(), written: Some(c) }
}

/// A character as it is, for classes, which fold their case when they are whole.
pub(super) fn exact(c: char) -> Set {
    Set { ranges: vec![(c, c)], written: Some(c) }
}

pub(super) fn range(first: char, last: char) -> Set {
    Set { ranges: vec![(first, last)], written: None }
}

const SPACES: [(char, char); 9] = [
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
];

/// `\d`, `\w`, `\s` and their opposites.
pub(super) fn named(name: char) -> Set {
    let ranges = match name.to_ascii_lowercase() {
        'd' => vec![('0', '9')],
        'w' => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => SPACES.into_iter().chain([('\u{feff}', '\u{feff}')]).collect(),
    };
    let set = Set { ranges, written: None };
    if name.is_ascii_uppercase() { set.negated() } else { set }
}

/// Everything but the ends of lines.
pub(super) fn dot() -> Set {
    let ranges = vec![('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];
    Set { ranges, written: None }.negated()
}

/// Whether a character is part of a word, for `\b`.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
