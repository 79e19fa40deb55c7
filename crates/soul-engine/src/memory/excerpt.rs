//! What is shown of a section that matches a query, and whether two sections say nearly the same.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::search::{Query, TermKind, highlights, tokens};

/// How many characters of a line are shown.
const WIDTH: usize = 160;

/// How many lines of a section are shown.
const LINES: usize = 3;

/// A line of a section that matches a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryMatch")]
pub struct MatchingLine {
    /// The line in the file.
    pub line: u64,
    /// Its text, shortened if it is long.
    pub text: String,
    /// Where the text matches, as byte ranges: start and end.
    pub highlights: Vec<(usize, usize)>,
}

/// How much of a query a line has.
struct Wanted<'a>(HashMap<&'a str, u32>);

impl<'a> Wanted<'a> {
    fn new(query: &'a Query) -> Self {
        let terms = query.slots().iter().flat_map(|slot| &slot.terms);
        Self(terms.map(|(term, weight)| (term.as_str(), *weight)).collect())
    }

    fn weight_of(&self, line: &str) -> u32 {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut sum = 0;
        tokens(line, &mut |term, _| {
            if let Some((term, weight)) = self.0.get_key_value(term)
                && seen.insert(term)
            {
                sum += weight;
            }
        });
        sum
    }
}

/// The line that has most of the query, cut to what can be read at a glance.
pub(crate) fn snippet(query: &Query, text: &str) -> Option<String> {
    let wanted = Wanted::new(query);
    let (heading, body) = text.split_once('\n').unwrap_or(("", text));
    let filled = body.lines().chain([heading]).map(str::trim).filter(|line| !line.is_empty());
    // The first of the best.
    let best = filled.rev().max_by_key(|line| wanted.weight_of(line))?;
    let cut: String = best.chars().take(WIDTH).collect();
    Some(if cut.len() < best.len() { format!("{cut}…") } else { cut })
}

/// The lines of a section that have most of the query, in their order. Where only the heading matches, the first line
/// below it says what the section is about.
pub(crate) fn matching_lines(query: &Query, text: &str, first_line: u64) -> Vec<MatchingLine> {
    let wanted = Wanted::new(query);
    let numbered = (first_line..).zip(text.lines());
    let mut filled: Vec<(u64, &str)> =
        numbered.map(|(number, line)| (number, line.trim())).filter(|(_, line)| !line.is_empty()).collect();
    // The heading is shown as the name of the section.
    if filled.len() > 1 && filled[0].0 == first_line && filled[0].1.starts_with('#') {
        filled.remove(0);
    }
    let weights: Vec<u32> = filled.iter().map(|(_, line)| wanted.weight_of(line)).collect();
    let best = weights.iter().copied().max().unwrap_or_default();
    if best == 0 {
        return filled.first().map(|(number, line)| shown(query, *number, line)).into_iter().collect();
    }
    let mut order: Vec<usize> = (0..filled.len()).filter(|index| weights[*index] * 2 >= best).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(weights[*index]), *index));
    order.truncate(LINES);
    order.sort_unstable();
    order.into_iter().map(|index| shown(query, filled[index].0, filled[index].1)).collect()
}

/// A line cut around its first match, if it is long.
fn shown(query: &Query, number: u64, line: &str) -> MatchingLine {
    const BEFORE: usize = 40;
    let first = highlights(query, line).first().map_or(0, |first| line[..first.start].chars().count());
    let skipped = if first < WIDTH - BEFORE { 0 } else { first - BEFORE };
    let start = line.char_indices().nth(skipped).map_or(0, |(at, _)| at);
    let end = line[start..].char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| start + at);
    let mut text = line[start..end].to_owned();
    if start > 0 {
        text.insert(0, '…');
    }
    if end < line.len() {
        text.push('…');
    }
    let highlights = highlights(query, &text).into_iter().map(|range| (range.start, range.end)).collect();
    MatchingLine { line: number, text, highlights }
}

/// Neighbouring terms of a text, by which two texts are compared.
pub(crate) fn pairs_of_terms(text: &str) -> HashSet<String> {
    let mut terms = Vec::new();
    tokens(text, &mut |term, kind| {
        if !matches!(kind, TermKind::Single | TermKind::Whole) {
            terms.push(term.to_owned());
        }
    });
    terms.windows(2).map(|pair| pair.join(" ")).chain(terms.first().cloned()).collect()
}

/// Whether two texts have four of five pairs in common.
pub(crate) fn alike(a: &HashSet<String>, b: &HashSet<String>) -> bool {
    let both = a.intersection(b).count();
    both * 5 >= (a.len() + b.len() - both) * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    type Line = (u64, String, Vec<(usize, usize)>);

    fn lines(query: &str, text: &str) -> Vec<Line> {
        let found = matching_lines(&Query::new(query), text, 7);
        found.into_iter().map(|found| (found.line, found.text, found.highlights)).collect()
    }

    #[test]
    fn the_lines_that_match_are_shown_in_their_order() {
        let text = "## Port\n\nNothing here.\nStaging: port 8447.\nA port.\n\nThe staging port moved.\n";
        let found = lines("staging port", text);
        let places: Vec<_> = found.iter().map(|(line, ..)| *line).collect();
        assert_eq!(places, [10, 11, 13]);
        assert_eq!(found[0].2, [(0, 7), (9, 13)]);
    }

    #[test]
    fn where_only_the_heading_matches_the_first_line_is_shown() {
        assert_eq!(lines("port", "## Port\n\nIt moved.\nAgain.\n"), [(9, "It moved.".to_owned(), vec![])]);
        assert_eq!(lines("port", "## Port\n"), [(7, "## Port".to_owned(), vec![(3, 7)])]);
        assert_eq!(lines("port", ""), []);
    }

    #[test]
    fn a_long_line_is_cut_around_its_first_match() {
        let (before, after) = ("bla ".repeat(100), " blub".repeat(100));
        let found = lines("port", &format!("{before}port{after}"));
        let (_, text, highlights) = &found[0];
        assert_eq!(&text[highlights[0].0..highlights[0].1], "port");
        assert!(text.starts_with('…') && text.ends_with('…') && text.chars().count() <= WIDTH + 2, "{text}");
    }
}
