//! What is shown of a section that matches a query, and whether two sections say nearly the same.

use std::collections::{HashMap, HashSet};

use soul_core::search::{Query, TermKind, tokens};

/// The line that has most of the query, cut to what can be read at a glance.
pub(crate) fn snippet(query: &Query, text: &str) -> Option<String> {
    const WIDTH: usize = 160;
    let wanted: HashMap<&str, u32> =
        query.slots().iter().flat_map(|slot| &slot.terms).map(|(term, weight)| (term.as_str(), *weight)).collect();
    let fits = |line: &str| {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut sum = 0;
        tokens(line, &mut |term, _| {
            if let Some((term, weight)) = wanted.get_key_value(term)
                && seen.insert(term)
            {
                sum += weight;
            }
        });
        sum
    };
    let (heading, body) = text.split_once('\n').unwrap_or(("", text));
    let filled = body.lines().chain([heading]).map(str::trim).filter(|line| !line.is_empty());
    // The first of the best.
    let best = filled.rev().max_by_key(|line| fits(line))?;
    let cut: String = best.chars().take(WIDTH).collect();
    Some(if cut.len() < best.len() { format!("{cut}…") } else { cut })
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
