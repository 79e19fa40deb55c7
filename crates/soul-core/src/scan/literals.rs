//! Where literals are in a text: the automaton of Aho and Corasick as one table, one look-up for each byte.
//!
//! Rows are numbered so that those with a literal come last: the inner loop compares with one number. The search for
//! overlapping literals of the aho-corasick crate does twice the work, and building its automaton takes ten times as long.

/// Literals of ASCII, and the others: most texts have none of these, and a table without them has half the columns.
#[derive(Debug)]
pub(super) struct Literals {
    ascii: Part,
    wide: Part,
}

/// An automaton, and which of all literals its literals are. None if it has none.
#[derive(Debug)]
struct Part {
    automaton: Option<Automaton>,
    numbers: Vec<u32>,
}

impl Part {
    fn new<'a>(literals: &[(u32, &'a [u8])], any_case: bool) -> Option<Self> {
        let (numbers, own): (Vec<u32>, Vec<&'a [u8]>) = literals.iter().copied().unzip();
        let automaton = if own.is_empty() { None } else { Some(Automaton::new(&own, any_case)?) };
        Some(Self { automaton, numbers })
    }

    fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize, usize)) {
        if let Some(automaton) = &self.automaton {
            automaton.each(text, |literal, start, end| found(self.numbers[literal] as usize, start, end));
        }
    }
}

impl Literals {
    /// None if there are more states than there are numbers, or a literal is empty.
    pub(super) fn new<P: AsRef<[u8]>>(literals: &[P], any_case: bool) -> Option<Self> {
        let numbered = (0..).zip(literals.iter().map(AsRef::as_ref));
        let (ascii, wide): (Vec<_>, Vec<_>) = numbered.partition(|(_, literal)| literal.is_ascii());
        Some(Self { ascii: Part::new(&ascii, any_case)?, wide: Part::new(&wide, any_case)? })
    }

    /// Calls `found` with the number, start and end of every literal in a text, those inside of others too: in the order
    /// of their ends, the longest first.
    pub(super) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize, usize)) {
        if self.wide.automaton.is_none() || text.is_ascii() {
            return self.ascii.each(text, found);
        }
        let mut all: Vec<(usize, usize, usize)> = Vec::new();
        self.ascii.each(text, |literal, start, end| all.push((end, start, literal)));
        let reach = self.wide.automaton.as_ref().map_or(0, |automaton| automaton.longest);
        for (from, to) in wide_parts(text, reach) {
            self.wide.each(&text[from..to], |literal, start, end| all.push((from + end, from + start, literal)));
        }
        all.sort_unstable();
        all.into_iter().for_each(|(end, start, literal)| found(literal, start, end));
    }
}

/// The parts of a text that are within reach of a byte beyond ASCII, in order and apart from each other.
fn wide_parts(text: &[u8], reach: usize) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (number, chunk) in text.chunks(16).enumerate().filter(|(_, chunk)| !chunk.is_ascii()) {
        let at = number * 16;
        let (from, to) = (at.saturating_sub(reach), (at + chunk.len() + reach).min(text.len()));
        match parts.last_mut() {
            Some((_, last)) if from <= *last => *last = to,
            _ => parts.push((from, to)),
        }
    }
    parts
}

#[derive(Debug)]
struct Automaton {
    /// Bytes that no literal tells apart have the same column.
    columns: [u8; 256],
    /// The row that follows, by row and column. Small numbers: the table is read at random, and a smaller one stays in
    /// the caches.
    next: Vec<u16>,
    /// Rows from here on have literals.
    first: u16,
    /// A row has so many columns, as a power of two.
    width: u32,
    /// Which literals end in a row, from the first one that has any.
    ends: Vec<Vec<u32>>,
    lengths: Vec<usize>,
    /// The length of the longest literal.
    longest: usize,
}

/// A text is read in so many places at once: each look-up waits for the one before, and those of other places fill the
/// time.
const LANES: usize = 4;

/// A shorter text is read in one place.
const SHORTEST: usize = 1_024;

impl Automaton {
    fn new<P: AsRef<[u8]>>(literals: &[P], any_case: bool) -> Option<Self> {
        let (columns, width) = columns(literals, any_case)?;
        // The tree of all literals; the root follows nothing, so that 0 means that there is no such state yet.
        let mut next = vec![0_u32; width];
        let mut ends: Vec<Vec<u32>> = vec![Vec::new()];
        for (number, literal) in literals.iter().enumerate() {
            let mut state = 0;
            for byte in literal.as_ref() {
                let column = usize::from(columns[usize::from(*byte)]);
                if next[state * width + column] == 0 {
                    next[state * width + column] = u32::try_from(ends.len()).ok()?;
                    next.resize(next.len() + width, 0);
                    ends.push(Vec::new());
                }
                state = next[state * width + column] as usize;
            }
            ends.get_mut(state).filter(|_| state > 0)?.push(u32::try_from(number).ok()?);
        }
        // What follows where the tree ends: the state of the longest suffix that the tree has. States near the root first.
        let mut suffix = vec![0_usize; ends.len()];
        let mut order = vec![0_usize];
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            at += 1;
            for column in 0..width {
                let after = if state == 0 { 0 } else { next[suffix[state] * width + column] };
                match next[state * width + column] as usize {
                    0 => next[state * width + column] = after,
                    child => {
                        suffix[child] = after as usize;
                        let inside = ends[after as usize].clone();
                        ends[child].extend(inside);
                        order.push(child);
                    }
                }
            }
        }
        // The root stays the first.
        order.sort_by_key(|state| !ends[*state].is_empty());
        let mut rows = vec![0; order.len()];
        for (row, state) in order.iter().enumerate() {
            rows[*state] = u16::try_from(row).ok()?;
        }
        let plain = order.iter().take_while(|state| ends[**state].is_empty()).count();
        let padded = width.next_power_of_two();
        let mut table = vec![0; order.len() * padded];
        for (row, state) in table.chunks_exact_mut(padded).zip(&order) {
            let follows = next[state * width..].iter().map(|state| rows[*state as usize]);
            row[..width].iter_mut().zip(follows).for_each(|(to, from)| *to = from);
        }
        Some(Self {
            columns,
            next: table,
            first: u16::try_from(plain).ok()?,
            width: padded.trailing_zeros(),
            ends: order[plain..].iter().map(|state| std::mem::take(&mut ends[*state])).collect(),
            lengths: literals.iter().map(|literal| literal.as_ref().len()).collect(),
            longest: literals.iter().map(|literal| literal.as_ref().len()).max()?,
        })
    }

    fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize, usize)) {
        let mut ended = |at: usize, row: u16| {
            for literal in self.ends[usize::from(row - self.first)].iter().map(|literal| *literal as usize) {
                found(literal, at - self.lengths[literal], at);
            }
        };
        let (mut at, mut row) = (0, 0);
        if text.len() >= SHORTEST.max(LANES * self.longest) {
            let (ends, last) = self.lanes(text);
            ends.iter().flatten().for_each(|(at, row)| ended(*at, *row));
            (at, row) = (text.len() / LANES * LANES, last);
        }
        while at < text.len() {
            (at, row) = self.advance(text, at, row);
            if row >= self.first {
                ended(at, row);
            }
        }
    }

    /// Where literals end in each part of a text, with their rows, and the row after the last part. A part that is not
    /// the first is read from so far before its start that no literal in it is missed.
    fn lanes(&self, text: &[u8]) -> ([Vec<(usize, u16)>; LANES], u16) {
        let Self { columns, next, first, width, .. } = self;
        let (next, first, width) = (&next[..], *first, *width);
        let follow = |row: u16, byte: u8| next[usize::from(row) << width | usize::from(columns[usize::from(byte)])];
        let size = text.len() / LANES;
        let parts: [&[u8]; LANES] = std::array::from_fn(|lane| &text[lane * size..][..size]);
        let mut rows: [u16; LANES] = std::array::from_fn(|lane| {
            let start = lane * size;
            text[start - (self.longest - 1).min(start)..start].iter().fold(0, |row, byte| follow(row, *byte))
        });
        let mut ends = [const { Vec::new() }; LANES];
        for at in 0..size {
            for (row, part) in rows.iter_mut().zip(parts) {
                *row = follow(*row, part[at]);
            }
            if rows.iter().any(|row| *row >= first) {
                for (lane, row) in rows.iter().enumerate().filter(|(_, row)| **row >= first) {
                    ends[lane].push((lane * size + at + 1, *row));
                }
            }
        }
        (ends, rows[LANES - 1])
    }

    /// Reads on until a literal ends, or the text does. Apart from what is done with a literal, so that all of it stays in
    /// registers.
    #[inline(never)]
    fn advance(&self, text: &[u8], from: usize, mut row: u16) -> (usize, u16) {
        let Self { columns, next, first, width, .. } = self;
        let (next, first, width) = (&next[..], *first, *width);
        for (at, byte) in text[from..].iter().enumerate() {
            row = next[usize::from(row) << width | usize::from(columns[usize::from(*byte)])];
            if row >= first {
                return (from + at + 1, row);
            }
        }
        (text.len(), row)
    }
}

/// The column of each byte, and how many there are. The first is for bytes that no literal has; letters follow, so that
/// ordinary text reads one line of the cache in each row.
fn columns<P: AsRef<[u8]>>(literals: &[P], any_case: bool) -> Option<([u8; 256], usize)> {
    let cased = |byte: u8| if any_case { byte.to_ascii_lowercase() } else { byte };
    let mut used: Vec<u8> = literals.iter().flat_map(|literal| literal.as_ref()).map(|byte| cased(*byte)).collect();
    used.sort_unstable_by_key(|byte| (!byte.is_ascii_lowercase() && *byte != b' ', *byte));
    used.dedup();
    let mut columns = [0; 256];
    for (at, byte) in used.iter().enumerate() {
        columns[usize::from(*byte)] = u8::try_from(at + 1).ok()?;
    }
    for byte in 0..=255_u8 {
        columns[usize::from(byte)] = columns[usize::from(cased(byte))];
    }
    Some((columns, used.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_literal_is_found_inside_of_others_too() {
        let literals = Literals::new(&["he", "she", "hers", "é"], true).unwrap();
        let mut found = Vec::new();
        literals.each("uSHErs é".as_bytes(), |literal, start, end| found.push((literal, start, end)));
        assert_eq!(found, [(1, 1, 4), (0, 2, 4), (2, 2, 6), (3, 7, 9)]);
    }

    #[test]
    fn literals_beyond_ascii_are_found_wherever_they_stand() {
        let literals = Literals::new(&["über all", "all", "ü", "l"], false).unwrap();
        for before in 0..70 {
            let text = format!("{}über all{}all", "x".repeat(before), "y".repeat(70 - before));
            let mut found = Vec::new();
            literals.each(text.as_bytes(), |literal, start, end| found.push((literal, start - before, end - before)));
            let last = 9 + 70 - before;
            let at_end = [(3, last + 1, last + 2), (1, last, last + 3), (3, last + 2, last + 3)];
            let first = [(2, 0, 2), (3, 7, 8), (0, 0, 9), (1, 6, 9), (3, 8, 9)];
            assert_eq!(found, [&first[..], &at_end[..]].concat());
        }
    }

    #[test]
    fn a_long_text_read_in_parts_has_the_same_literals_in_the_same_order() {
        let words = ["he", "she", "hers", "é", "shears", "a longer literal than the others are"];
        let literals = Literals::new(&words, true).unwrap();
        for size in [SHORTEST, SHORTEST + 1, 2 * SHORTEST + 3, 5 * SHORTEST + 2] {
            let mut text = String::new();
            let mut at = size;
            while text.len() < size {
                at = at * 7 % 11 + text.len() % 5;
                text.push_str(words.get(at % 8).copied().unwrap_or("s"));
            }
            let mut wanted = Vec::new();
            for end in 1..=text.len() {
                for (number, word) in words.iter().enumerate() {
                    if text.as_bytes()[..end].ends_with(word.as_bytes()) {
                        wanted.push((end, number));
                    }
                }
            }
            let mut found = Vec::new();
            literals.each(text.as_bytes(), |literal, start, end| {
                assert_eq!(&text[start..end], words[literal]);
                found.push((end, literal));
            });
            assert!(found.is_sorted_by_key(|(end, _)| *end));
            found.sort_unstable();
            assert_eq!(found, wanted);
        }
    }
}
