//! What changed between two texts, line by line, with work that is bounded: Myers' algorithm in linear space, which
//! gives up on what is too different and shows it as replaced.

mod hunks;

use std::collections::HashMap;
use std::ops::Range;

use hunks::hunks;

/// How many steps the comparison of two texts may take. Two texts of some thousand lines that share nothing but
/// their lines' words need fewer.
const ONE_DIFF: u64 = 16_000_000;

/// How much work may still be done, in comparisons of lines. Several diffs may share a budget; what is spent does not
/// depend on the machine.
///
/// ```
/// use soul_core::text::{DiffBudget, unified_diff};
///
/// let mut budget = DiffBudget::new(1000);
/// assert_eq!(unified_diff("a\nb\n", "a\nc\n", &mut budget), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
/// assert!(!budget.is_spent());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffBudget(u64);

impl DiffBudget {
    /// A budget for one diff.
    pub const ONE: Self = Self(ONE_DIFF);

    /// A budget of so many steps.
    #[must_use]
    pub const fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// Takes steps; false if there are not so many.
    fn take(&mut self, steps: usize) -> bool {
        let steps = steps as u64;
        let enough = self.0 >= steps;
        self.0 = self.0.saturating_sub(steps);
        enough
    }
}

/// The unified diff of two texts, with three lines of context; empty if they are the same. Where the budget ends, or
/// the texts are too different, lines that could have been kept are shown as removed and added again.
#[must_use]
pub fn unified_diff(before: &str, after: &str, budget: &mut DiffBudget) -> String {
    if before == after {
        return String::new();
    }
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let mut own = DiffBudget(budget.0.min(ONE_DIFF));
    let given = own.0;
    let changes = Comparison::new(&before, &after).changes(&mut own);
    budget.0 -= given - own.0;
    hunks(&before, &after, &changes)
}

/// Lines that were replaced by others; either may be none.
struct Change {
    before: Range<usize>,
    after: Range<usize>,
}

/// One of the two texts.
struct Side {
    /// Each line as a number, the same for equal lines of both texts.
    lines: Vec<u32>,
    /// Whether a line is only in this text.
    changed: Vec<bool>,
}

struct Comparison {
    before: Side,
    after: Side,
}

impl Comparison {
    fn new(before: &[&str], after: &[&str]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let side = |lines: Vec<u32>| Side { changed: vec![false; lines.len()], lines };
        Self { before: side(numbered(&mut numbers, before)), after: side(numbered(&mut numbers, after)) }
    }

    fn changes(mut self, budget: &mut DiffBudget) -> Vec<Change> {
        budget.take(self.before.lines.len() + self.after.lines.len());
        // A line that the other text does not have has changed, and need not be looked for.
        let (mut before, mut after) = (Vec::new(), Vec::new());
        mark_alone(&mut self.before, &self.after.lines, &mut before);
        mark_alone(&mut self.after, &self.before.lines, &mut after);
        let lines = |side: &Side, kept: &[usize]| kept.iter().map(|index| side.lines[*index]).collect::<Vec<_>>();
        let (a, b) = (lines(&self.before, &before), lines(&self.after, &after));
        let mut search = Search { a: &a, b: &b, furthest: [Vec::new(), Vec::new()], budget };
        search.compare(0..a.len(), 0..b.len(), &mut |gone, arrived| {
            before[gone].iter().for_each(|index| self.before.changed[*index] = true);
            after[arrived].iter().for_each(|index| self.after.changed[*index] = true);
        });
        self.before.slide_down();
        self.after.slide_down();
        self.collect()
    }

    /// The changes in order. Lines that have not changed belong together one by one.
    fn collect(&self) -> Vec<Change> {
        let run = |changed: &[bool], from: usize| from + changed[from..].iter().take_while(|changed| **changed).count();
        let (mut at, mut changes) = ((0, 0), Vec::new());
        while at.0 < self.before.lines.len() || at.1 < self.after.lines.len() {
            let end = (run(&self.before.changed, at.0), run(&self.after.changed, at.1));
            if end == at {
                at = (at.0 + 1, at.1 + 1);
            } else {
                changes.push(Change { before: at.0..end.0, after: at.1..end.1 });
                at = end;
            }
        }
        changes
    }
}

/// Lines as numbers.
fn numbered<'a>(numbers: &mut HashMap<&'a str, u32>, lines: &[&'a str]) -> Vec<u32> {
    lines
        .iter()
        .map(|line| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(line).or_insert(next)
        })
        .collect()
}

/// Marks the lines that the other text does not have, and collects the others.
fn mark_alone(side: &mut Side, other: &[u32], kept: &mut Vec<usize>) {
    let most = side.lines.iter().chain(other).max().map_or(0, |most| *most as usize + 1);
    let mut has = vec![false; most];
    other.iter().for_each(|line| has[*line as usize] = true);
    for (index, line) in side.lines.iter().enumerate() {
        if has[*line as usize] {
            kept.push(index);
        } else {
            side.changed[index] = true;
        }
    }
}

impl Side {
    /// Moves each run of changed lines down as far as the text allows: what was added after a line like its own last
    /// one is shown there, as people write.
    fn slide_down(&mut self) {
        let mut start = 0;
        while start < self.lines.len() {
            if !self.changed[start] {
                start += 1;
                continue;
            }
            let mut end = start + self.changed[start..].iter().take_while(|changed| **changed).count();
            while end < self.lines.len() && !self.changed[end] && self.lines[start] == self.lines[end] {
                (self.changed[start], self.changed[end]) = (false, true);
                (start, end) = (start + 1, end + 1);
            }
            start = end;
        }
    }
}

/// Myers' search for the middle of a shortest edit, from both ends.
struct Search<'a> {
    a: &'a [u32],
    b: &'a [u32],
    /// How far each diagonal has come, from the front and from the back.
    furthest: [Vec<usize>; 2],
    budget: &'a mut DiffBudget,
}

impl Search<'_> {
    /// Tells every part of the two that has no counterpart.
    fn compare(
        &mut self,
        mut a: Range<usize>,
        mut b: Range<usize>,
        changed: &mut dyn FnMut(Range<usize>, Range<usize>),
    ) {
        while !a.is_empty() && !b.is_empty() && self.a[a.start] == self.b[b.start] {
            (a.start, b.start) = (a.start + 1, b.start + 1);
        }
        while !a.is_empty() && !b.is_empty() && self.a[a.end - 1] == self.b[b.end - 1] {
            (a.end, b.end) = (a.end - 1, b.end - 1);
        }
        if a.is_empty() && b.is_empty() {
            return;
        }
        match self.middle(&a, &b) {
            Some((x, y)) => {
                self.compare(a.start..x, b.start..y, changed);
                self.compare(x..a.end, y..b.end, changed);
            }
            None => changed(a, b),
        }
    }

    /// A point that a shortest edit passes; none if one of the two is empty, or the search would take too long.
    fn middle(&mut self, a: &Range<usize>, b: &Range<usize>) -> Option<(usize, usize)> {
        let (n, m) = (a.len(), b.len());
        if n == 0 || m == 0 {
            return None;
        }
        let most = (n + m).div_ceil(2);
        // Diagonals -d..=d, and one more to each side, with room for negative ones.
        let zero = most + 1;
        for furthest in &mut self.furthest {
            furthest.clear();
            furthest.resize(2 * zero + 1, 0);
        }
        let delta = n.cast_signed() - m.cast_signed();
        let at = |diagonal: isize| zero.wrapping_add_signed(diagonal);
        for d in 0..=most.cast_signed() {
            for (direction, opposite) in [(0, 1), (1, 0)] {
                for k in (-d..=d).step_by(2) {
                    let furthest = &self.furthest[direction];
                    let (below, above) = (furthest[at(k - 1)], furthest[at(k + 1)]);
                    let start = if k == -d || (k != d && below < above) { above } else { below + 1 };
                    let mut x = start;
                    let mut y = x.wrapping_add_signed(-k);
                    while x < n && y < m && self.are_equal(direction, a, b, x, y) {
                        (x, y) = (x + 1, y + 1);
                    }
                    self.furthest[direction][at(k)] = x;
                    if !self.budget.take(1 + x - start) {
                        return None;
                    }
                    // The two searches meet where one has come as far as the other, seen from the other end. The
                    // search from the front is one step ahead.
                    let other = delta - k;
                    let reach = d - isize::from(direction == 0);
                    let ends_here = (delta % 2 != 0) == (direction == 0);
                    if ends_here && other.abs() <= reach && x + self.furthest[opposite][at(other)] >= n {
                        return Some(if direction == 0 {
                            (a.start + start, b.start + start.wrapping_add_signed(-k))
                        } else {
                            (a.end - x, b.end - y)
                        });
                    }
                }
            }
        }
        None
    }

    fn are_equal(&self, direction: usize, a: &Range<usize>, b: &Range<usize>, x: usize, y: usize) -> bool {
        match direction {
            0 => self.a[a.start + x] == self.b[b.start + y],
            _ => self.a[a.end - 1 - x] == self.b[b.end - 1 - y],
        }
    }
}

#[cfg(test)]
mod tests;
