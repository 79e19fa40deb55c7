//! AGENTS.md that is too long: its beginning, a digest of the lines that look like policy, and its end.

use super::budget::{head, tail, truncate};
use crate::runtimes::Traced;
use crate::runtimes::units::{is_js_space, utf16_head, utf16_len};

const HEAD_RATIO: f64 = 0.45;
const TAIL_RATIO: f64 = 0.15;
const DIGEST_RATIO: f64 = 0.35;
/// A digest line is cut after this many code units.
const MAX_LINE: usize = 240;

/// Words that make a line policy, in any case, between ASCII word boundaries. The first ones have priority.
const PRIORITY_WORDS: &[&str] = &[
    "agents.md",
    "scoped",
    "required",
    "must",
    "never",
    "do not",
    "before subtree",
    "read scoped",
    "security",
    "secret",
    "credential",
];
const OTHER_WORDS: &[&str] = &["owner", "test", "validation", "command", "commit", "push", "github", "pr"];
const PRIORITY_SIGNS: &[&str] = &["🔴", "禁止", "嚴禁", "不得", "絕不", "絕對不", "切勿"];
const OTHER_SIGNS: &[&str] = &["必須", "務必", "一律", "紅線"];

struct Candidate {
    text: Traced,
    length: usize,
    priority: bool,
}

struct Digest {
    text: Traced,
    omitted: usize,
}

/// What is injected of a text with more than `max` code units.
pub(super) fn shorten(text: &Traced, max: f64) -> Traced {
    let total = utf16_len(text.as_str());
    let mut kept_head = (max * HEAD_RATIO).floor();
    let mut kept_tail = (max * TAIL_RATIO).floor();
    let mut budget = (max * DIGEST_RATIO).floor();
    let candidates = if budget > 0.0 { candidates(text) } else { Vec::new() };
    let mut digest = build(&candidates, budget);
    loop {
        let rendered = render(text, &digest, kept_head, kept_tail, total);
        let length = utf16_len(rendered.as_str()) as f64;
        if length <= max || (kept_tail <= 0.0 && kept_head <= 1.0 && budget <= 0.0) {
            return truncate(rendered, max);
        }
        let overflow = length - max;
        if kept_tail > 0.0 {
            kept_tail = (kept_tail - overflow).max(0.0);
        } else if kept_head > 1.0 {
            kept_head = (kept_head - overflow).max(1.0);
        } else {
            budget = (budget - overflow).max(0.0);
            digest = build(&candidates, budget);
        }
    }
}

fn render(text: &Traced, digest: &Digest, kept_head: f64, kept_tail: f64, total: usize) -> Traced {
    let digest_length = utf16_len(digest.text.as_str());
    let line = |text: &str| Traced::from(text);
    let mut parts = vec![head(text, kept_head), line("[...truncated, read AGENTS.md for full content...]")];
    if !digest.text.is_empty() {
        parts.push(line("[Policy digest from AGENTS.md]"));
        parts.push(digest.text.clone());
    }
    if digest.omitted > 0 {
        parts.push(line(&format!("[...{} more policy lines omitted...]", digest.omitted)));
    }
    parts.push(line(&format!(
        "…(truncated AGENTS.md: kept {kept_head}+policy {digest_length}+{kept_tail} chars of {total})…"
    )));
    if kept_tail > 0.0 {
        parts.push(tail(text, kept_tail));
    }
    Traced::joined(parts.iter().filter(|part| !part.is_empty()), "\n")
}

/// Greedy: priority lines first, then the others, each if it still fits; in the order of the source.
fn build(candidates: &[Candidate], budget: f64) -> Digest {
    if budget <= 0.0 {
        return Digest { text: Traced::default(), omitted: 0 };
    }
    let mut selected = vec![false; candidates.len()];
    let mut used = 0;
    let mut any = false;
    for priority in [true, false] {
        for (index, candidate) in candidates.iter().enumerate() {
            if selected[index] || (priority && !candidate.priority) {
                continue;
            }
            let needed = usize::from(any) + candidate.length;
            if (used + needed) as f64 > budget {
                continue;
            }
            selected[index] = true;
            any = true;
            used += needed;
        }
    }
    let chosen =
        candidates.iter().zip(&selected).filter(|(_, selected)| **selected).map(|(candidate, _)| &candidate.text);
    let omitted = selected.iter().filter(|selected| !**selected).count();
    Digest { text: Traced::joined(chosen, "\n"), omitted }
}

/// The lines that look like policy, each with the line of prose before it.
fn candidates(text: &Traced) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut prose: Option<Traced> = None;
    let mut start = 0;
    for piece in text.as_str().split_inclusive('\n') {
        let end = start + piece.len();
        let line = normalised(text, start..end);
        start = end;
        if line.is_empty() || line.as_str().starts_with("```") || line.as_str().starts_with("~~~") {
            prose = None;
        } else if is_candidate(line.as_str()) {
            let priority = has_policy(line.as_str(), true);
            let text = match prose.take() {
                Some(before) => Traced::joined([&before, &line], "\n"),
                None => line,
            };
            found.push(Candidate { length: utf16_len(text.as_str()), text, priority });
        } else {
            prose = Some(line);
        }
    }
    found
}

/// A line without surrounding white space, with single blanks, at most 240 code units.
fn normalised(text: &Traced, range: std::ops::Range<usize>) -> Traced {
    let line = &text.as_str()[range.clone()];
    let mut result = Traced::default();
    let mut offset = range.start;
    let mut blank = false;
    for word in line.split_inclusive(is_js_space) {
        let bare = word.trim_end_matches(is_js_space);
        if !bare.is_empty() {
            if blank {
                result.push_str(" ");
            }
            result.push_slice(text, offset..offset + bare.len());
            blank = true;
        }
        offset += word.len();
    }
    if utf16_len(result.as_str()) > MAX_LINE {
        result = result.slice(0..utf16_head(result.as_str(), MAX_LINE - 1));
        result.push_str("…");
    }
    result
}

fn is_candidate(line: &str) -> bool {
    is_heading_or_item(line) || has_policy(line, false)
}

/// A heading or list item that says something.
fn is_heading_or_item(line: &str) -> bool {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let after = if (1..=6).contains(&hashes) {
        Some(&line[hashes..])
    } else if let Some(rest) = line.strip_prefix(['-', '*', '+']) {
        Some(rest)
    } else {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 { line[digits..].strip_prefix(['.', ')']) } else { None }
    };
    after.is_some_and(|rest| {
        let bare = rest.trim_start_matches(is_js_space);
        bare.len() < rest.len() && !bare.is_empty()
    })
}

fn has_policy(line: &str, priority_only: bool) -> bool {
    let signs: &[&[&str]] = if priority_only { &[PRIORITY_SIGNS] } else { &[PRIORITY_SIGNS, OTHER_SIGNS] };
    if signs.iter().flat_map(|signs| signs.iter()).any(|sign| line.contains(sign)) {
        return true;
    }
    let words: &[&[&str]] = if priority_only { &[PRIORITY_WORDS] } else { &[PRIORITY_WORDS, OTHER_WORDS] };
    let folded: String = line.chars().map(folded).collect();
    words.iter().flat_map(|words| words.iter()).any(|word| has_word(&folded, word))
}

/// Case as `/iu` folds it: U+017F and U+212A are an s and a k, and with them word characters.
fn folded(c: char) -> char {
    match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    text.match_indices(word).any(|(at, _)| {
        let bytes = text.as_bytes();
        !is_word(at.checked_sub(1).and_then(|before| bytes.get(before))) && !is_word(bytes.get(at + word.len()))
    })
}
