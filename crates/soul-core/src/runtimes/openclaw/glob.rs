//! Patterns of extra files: `*`, `?`, `**` and `{a,b}`.

use crate::runtimes::files::{Files, Node, join};

/// How deep and how far a pattern is followed.
const MAX_DEPTH: usize = 16;
const MAX_FOUND: usize = 1000;

pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['?', '*', '{', '}'])
}

/// The files in a folder that match, relative to it.
pub(super) fn matches(files: &dyn Files, root: &str, pattern: &str) -> Vec<String> {
    let mut found = Vec::new();
    for pattern in expanded(pattern.trim_start_matches("./")) {
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        if !parts.contains(&"..") {
            walk(files, root, "", &parts, MAX_DEPTH, &mut found);
        }
    }
    found
}

fn walk(files: &dyn Files, root: &str, at: &str, parts: &[&str], depth: usize, found: &mut Vec<String>) {
    let Some((part, rest)) = parts.split_first() else { return };
    if depth == 0 || found.len() >= MAX_FOUND {
        return;
    }
    if *part == "**" {
        walk(files, root, at, rest, depth, found);
    }
    for name in files.names(&join(root, at)) {
        let path = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
        let folder = files.node(&join(root, &path)) == Node::Folder;
        if *part == "**" {
            if folder {
                walk(files, root, &path, parts, depth - 1, found);
            }
        } else if segment_matches(part, &name) {
            if rest.is_empty() {
                if !folder && !found.contains(&path) {
                    found.push(path);
                }
            } else {
                walk(files, root, &path, rest, depth - 1, found);
            }
        }
    }
}

fn segment_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    if name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    // The classic two-pointer match: on a mismatch, the last `*` takes one more character.
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            p = at + 1;
            n = taken + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// The pattern for each choice of its braces.
fn expanded(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let Some(close) = pattern[open..].find('}').map(|at| open + at) else { return vec![pattern.to_owned()] };
    let choices = pattern[open + 1..close].split(',');
    let mut all = Vec::new();
    for choice in choices.take(16) {
        all.extend(expanded(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..])));
    }
    all.truncate(64);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_segments() {
        assert!(segment_matches("*.md", "a.md") && !segment_matches("*.md", ".a.md"));
        assert!(segment_matches("S?UL*", "SOUL.md") && !segment_matches("a", "ab"));
        assert_eq!(expanded("{a,b}/{c,d}").len(), 4);
    }
}
