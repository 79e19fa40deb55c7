use std::collections::HashSet;
use std::ops::Range;

use super::fold::is_dense;
use super::query::{Query, Role};
use super::tokens::{TermKind, joins, tokens};
use crate::text::characters::is_ignored_in_words;

/// Where a line has words of a query, in order, as byte ranges.
///
/// ```
/// use soul_core::search::{Query, highlights};
/// let line = "Deploys go through `fly.io`, 夜間の監視も。";
/// let found = highlights(&Query::new("deployment fly 監視"), line);
/// assert_eq!(found.into_iter().map(|range| &line[range]).collect::<Vec<_>>(), ["Deploys", "fly.io", "監視"]);
/// ```
#[must_use]
pub fn highlights(query: &Query, line: &str) -> Vec<Range<usize>> {
    let slots = query.slots().iter().filter(|slot| slot.role != Role::Helper);
    let wanted: HashSet<&str> = slots.flat_map(|slot| &slot.terms).map(|(term, _)| term.as_str()).collect();
    let has = |text: &str, kinds: &dyn Fn(TermKind) -> bool| {
        let mut found = false;
        tokens(text, &mut |term, kind| found |= kinds(kind) && wanted.contains(term));
        found
    };
    // A character of a script without spaces says something alone only if the query is no longer.
    let has_pairs = wanted.iter().any(|term| term.chars().all(is_dense) && term.chars().nth(1).is_some());
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut add = |range: Range<usize>| match found.last_mut() {
        Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
        _ => found.push(range),
    };
    let mut chars = line.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let mut end = start + c.len_utf8();
        if is_dense(c) {
            let next = chars.peek().filter(|(_, next)| is_dense(*next));
            let pair = next.map(|(at, next)| start..at + next.len_utf8());
            match pair.filter(|pair| has(&line[pair.clone()], &|kind| kind == TermKind::Pair)) {
                Some(pair) => add(pair),
                None if !has_pairs && has(&line[start..end], &|_| true) => add(start..end),
                None => {}
            }
        } else if c.is_alphanumeric() {
            while let Some((at, next)) = chars.peek().copied() {
                let after = line[at + next.len_utf8()..].chars().next();
                let is_joint = joins(next, after) && after.is_some_and(|after| after.is_alphanumeric());
                let is_word = next.is_alphanumeric() && !is_dense(next)
                    || is_ignored_in_words(next)
                    || unicode_normalization::char::is_combining_mark(next);
                if !is_word && !is_joint {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            // `C++` and `C#` are words of their own.
            let marks = line[end..].chars().take_while(|mark| matches!(mark, '+' | '#')).count();
            let with_marks = &line[start..end + marks];
            if has(with_marks, &|_| true) {
                add(start..end + marks);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(query: &str, line: &str) -> String {
        let mut out = line.to_owned();
        for range in highlights(&Query::new(query), line).into_iter().rev() {
            out.insert(range.end, ']');
            out.insert(range.start, '[');
        }
        out
    }

    #[test]
    fn words_are_marked_as_they_are_found() {
        for (query, line) in [
            ("staging port", "[Staging] now [listens] on [port] 8447."),
            ("releaseRollback", "`[release_rollback]` takes two minutes."),
            ("cafe", "Das [Café] ist zu"),
            ("the port", "the [port], the [harbour]"),
            ("夜間の監視", "本番環境[の監視]は[夜間]に行う。"),
            ("猫", "白い[猫]と黒い[猫]"),
            ("c++", "[C++] and [C]"),
            ("ＦＬＹ", "([fly.io])"),
            ("nothing", "a line"),
            ("", "a line"),
        ] {
            assert_eq!(marked(query, &line.replace(['[', ']'], "")), line, "{query}");
        }
    }

    #[test]
    fn no_text_breaks_it() {
        for line in ["", "-", "'", "a'", "猫", "\u{301}", "é\u{200d}x", "++", "C+", "a\u{0}b", "ﷺ"] {
            for range in highlights(&Query::new("a b c x 猫 é"), line) {
                assert!(line.is_char_boundary(range.start) && line.is_char_boundary(range.end), "{line:?}");
            }
        }
    }
}
