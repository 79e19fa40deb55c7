//! A folded text and the way back to the source.

use crate::text::Span;

/// A text made plain, and where each part of it came from.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    pub(crate) text: String,
    /// Where the distance between the two texts changes: `(folded, source)`.
    pub(super) marks: Vec<(u32, u32)>,
    /// Where the lines of the source begin in the folded text; blank lines are none.
    pub(crate) lines: Vec<u32>,
    /// Long words of the source, which may be something encoded.
    pub(crate) long: Vec<Span>,
    /// Rows of equally long words of the source, which may be something encoded in groups.
    pub(crate) even: Vec<Span>,
    /// Which kinds of odd characters the source has, so that rules for them need not look.
    pub(crate) odd: Odd,
    /// Where words begin that were in disguise.
    pub(crate) disguised: Vec<u32>,
}

impl Folded {
    /// Nothing yet, with room for what most texts of this size have.
    pub(super) fn for_text(text: &str) -> Self {
        let (marks, lines) = (Vec::with_capacity(text.len() / 16 + 4), Vec::with_capacity(text.len() / 32 + 4));
        Self { marks, lines, long: Vec::with_capacity(text.len() / 128 + 4), ..Self::default() }
    }

    /// The bytes of the source that a range of the folded text came from.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.source(start);
        Span::new(first, (self.source(end.saturating_sub(1).max(start)) + 1).max(first))
    }

    fn source(&self, folded: usize) -> usize {
        self.source_after(self.marks.partition_point(|(from, _)| *from as usize <= folded), folded)
    }

    /// The place in the source, given how many marks stand at or before that in the folded text.
    fn source_after(&self, at: usize, folded: usize) -> usize {
        let Some((from, to)) = at.checked_sub(1).and_then(|at| self.marks.get(at)) else { return folded };
        let reached = *to as usize + (folded - *from as usize);
        // A word that was put right may be longer than the one it stands for.
        self.marks
            .get(at)
            .map_or(reached, |(_, next)| reached.min((*next as usize).saturating_sub(1).max(*to as usize)))
    }

    /// Where each line begins, in the folded text and in the source.
    pub(crate) fn line_starts(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut marks = 0;
        self.lines.iter().map(move |line| {
            let line = *line as usize;
            while self.marks.get(marks).is_some_and(|(from, _)| *from as usize <= line) {
                marks += 1;
            }
            (line, self.source_after(marks, line))
        })
    }

    /// Where in the folded text the words stand that a byte of the source belongs to.
    pub(crate) fn place(&self, source: usize) -> usize {
        let at = self.marks.partition_point(|(_, to)| *to as usize <= source);
        let reached = match at.checked_sub(1).and_then(|at| self.marks.get(at)) {
            Some((from, to)) => *from as usize + (source - *to as usize),
            None => source,
        };
        let next = self.marks.get(at).map_or(self.text.len(), |(from, _)| *from as usize);
        reached.min(next)
    }

    /// Whether a word in the range was not written plainly.
    pub(crate) fn is_disguised(&self, start: usize, end: usize) -> bool {
        let at = self.disguised.partition_point(|at| (*at as usize) < start);
        self.disguised.get(at).is_some_and(|at| (*at as usize) < end)
    }
}

/// Kinds of characters that ordinary texts lack.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Odd {
    /// Of no width, or choosing a direction or a variant; tags.
    pub(crate) hidden: bool,
    /// Letters of scripts in which some look like Latin ones.
    pub(crate) look_alike: bool,
    /// For private use.
    pub(crate) private: bool,
    /// Accents that stand by themselves.
    pub(crate) marks: bool,
    /// Controls that no text needs.
    pub(crate) controls: bool,
}

/// Offsets fit: no file that is scanned has 4 GiB.
pub(super) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::fold;

    #[test]
    fn a_place_leads_there_and_back() {
        let source = "# A\n\n**Bold**  and i g n o r e it\u{200b}self, &amp; more";
        let folded = fold(source);
        for (at, _) in folded.text.match_indices(' ').skip(1) {
            let there = folded.span(at - 1, at).start;
            assert!(folded.place(there) <= at && at <= folded.place(there) + 8, "{at} {there}");
        }
        assert!(folded.text.len() - folded.place(source.len()) <= 1);
    }
}
