//! Headings that declare what other files or the runtime own.

use std::ops::Range;

use unicode_general_category::{GeneralCategory, get_general_category};

use super::owner;
use crate::markup::markdown;

/// The lines of a body that declare what others own, with their slugs.
pub(super) fn reserved_headings(body: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in body.split('\n') {
        let range = at..at + line.len();
        at = range.end + 1;
        found.extend(heading_slug(line).filter(|slug| owner(slug).is_some()).map(|slug| (range, slug)));
    }
    if !found.is_empty() {
        // Only now is it worth asking where the code is.
        let fences = markdown::fenced_code(body);
        found.retain(|(line, _)| {
            let opened = fences.partition_point(|fence| fence.start <= line.start);
            !fences[..opened].last().is_some_and(|fence| fence.contains(&line.start))
        });
    }
    found
}

/// The slug of a line that is a heading by the line rules: any number of `#`, then a blank byte,
/// then a title; lower case, each run of other characters one `_`.
fn heading_slug(line: &str) -> Option<String> {
    let line = line.trim();
    let rest = line.trim_start_matches('#');
    if rest.len() == line.len() || !rest.starts_with([' ', '\t', '\u{b}', '\u{c}']) {
        return None;
    }
    let title = rest.trim().trim_matches(['#', ' ']);
    let mut slug = String::with_capacity(title.len());
    // Go lowers letter by letter: `İ` becomes a bare `i`, so `CAPABİLİTİES` hides nothing.
    for c in title.chars().filter_map(|c| c.to_lowercase().next()) {
        if is_letter_or_digit(c) {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    (!slug.is_empty()).then_some(slug)
}

/// A letter or a decimal digit. Rust's `is_alphanumeric` also takes `²`, `①` and `Ⅳ`, behind which
/// a reserved heading could hide.
fn is_letter_or_digit(c: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter,
    };
    c.is_ascii_alphanumeric()
        || (!c.is_ascii()
            && matches!(
                get_general_category(c),
                UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter | DecimalNumber
            ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_follow_the_peer() {
        let slug = |line| heading_slug(line).unwrap_or_default();
        assert_eq!(slug("## Task-Runs!"), "task_runs");
        assert_eq!(slug("####### Tools ##"), "tools");
        assert_eq!(slug("#Tools"), "");
        assert_eq!(slug("#\u{a0}Tools"), "");
        assert_eq!(slug("## CAPABİLİTİES"), "capabilities");
        assert_eq!(slug("> ## Tools"), "");
        for hidden in ["## Tools²", "## ① Tools", "## Ⅳ Tools", "## Tools ½", "## Ⓐ Tools", "## Toolsा"] {
            assert_eq!(slug(hidden), "tools", "{hidden}");
        }
        assert_eq!(slug("## Tools٣"), "tools٣");
    }
}
