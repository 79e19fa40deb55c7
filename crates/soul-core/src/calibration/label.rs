//! Labels by which people say who speaks: `User:`, `**Aria:**`, `[user]`, `<user>`, `| User |`, `### User`.

use std::ops::Range;

/// Whose words follow a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Agent,
    Other,
}

pub(super) const ASKING: [&str; 9] =
    ["user", "human", "customer", "prompt", "question", "q", "input", "request", "context"];
const REMARKS: [&str; 8] = ["why", "note", "notes", "reason", "comment", "rationale", "explanation", "because"];
pub(super) const ANSWERING: [&str; 8] = ["agent", "assistant", "answer", "a", "output", "response", "reply", "ai"];

/// Whether a text begins with a remark on an output.
pub(super) fn is_remark(rest: &str) -> bool {
    label(rest).is_some_and(|(name, _)| {
        let first = name.split_whitespace().next().unwrap_or_default();
        REMARKS.contains(&first)
    })
}

/// The lines that begin with a label: who speaks, where the line begins, and where the words do.
pub(super) fn labels(text: &str, range: Range<usize>) -> Vec<(Speaker, usize, usize)> {
    let mut found = Vec::new();
    let mut at = range.start;
    for line in text[range].split_inclusive('\n') {
        if let Some((name, length)) = label(line) {
            let first = name.split_whitespace().next().unwrap_or_default();
            let other = ASKING.contains(&first) || REMARKS.contains(&first);
            // A name that is neither is the agent's own, if it is set off as a label.
            let marked = line.trim_start_matches(['>', ' ', '-']).starts_with(['*', '_', '[']);
            if other {
                found.push((Speaker::Other, at, at + length));
            } else if ANSWERING.contains(&first) || (marked && name.split_whitespace().count() == 1) {
                found.push((Speaker::Agent, at, at + length));
            }
        }
        at += line.len();
    }
    found
}

/// The label that a line begins with, in lower case, and where the words behind it begin.
fn label(line: &str) -> Option<(String, usize)> {
    if let Some(label) = framed_label(line) {
        return Some(label);
    }
    let bare = line.trim_start_matches(['>', ' ', '-', '*', '_']);
    let colon = bare.find(':').filter(|colon| *colon <= 40)?;
    let name = bare[..colon].trim_matches(['*', '_', ' ']);
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '\'' | '’' | '-'));
    let behind = bare[colon + 1..].trim_start_matches(['*', '_', ' ']);
    let separated = behind.len() < bare[colon + 1..].len() || behind.is_empty() || behind.starts_with('\n');
    (plain && separated && name.split_whitespace().count() <= 4)
        .then(|| (name.to_lowercase(), line.len() - behind.len()))
}

/// A label in a frame of its own: `[user]`, `<user>`, `| User |`, `### User`.
fn framed_label(line: &str) -> Option<(String, usize)> {
    const FRAMES: [(&str, char); 3] = [("[", ']'), ("<", '>'), ("|", '|')];
    let bare = line.trim_start();
    let hashes = bare.trim_start_matches('#');
    let (name, behind) = if hashes.len() < bare.len() && hashes.starts_with(' ') {
        (hashes, "")
    } else {
        let framed = |(open, close): &(&str, char)| bare.strip_prefix(open)?.split_once(*close);
        let (name, behind) = FRAMES.iter().find_map(framed)?;
        (name, behind.strip_prefix(':').unwrap_or(behind))
    };
    let name = name.trim().trim_end_matches(':').trim_matches(['*', '_']).to_lowercase();
    let one = !name.is_empty() && name.chars().all(char::is_alphanumeric);
    let known = ASKING.contains(&name.as_str()) || ANSWERING.contains(&name.as_str()) || bare.starts_with('[');
    // `[port](url)` is a link.
    (one && known && !behind.starts_with('(')).then(|| (name, line.len() - behind.trim_start().len()))
}
