//! Entries of MEMORY.md and USER.md that belong to a project: `<!-- project: key; key -->`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::budget::ContextFile;
use crate::runtimes::Traced;
use crate::runtimes::files::base_name;
use crate::runtimes::units::{is_js_space, js_trim};

/// Drops the entries of other projects; the second value is what was dropped, as ranges of each content.
pub(super) fn filter(files: Vec<ContextFile>, active: &[String]) -> Vec<ContextFile> {
    let active: BTreeSet<String> = active.iter().filter_map(|key| normalised(key)).collect();
    files.into_iter().map(|file| filtered(file, &active)).collect()
}

fn filtered(file: ContextFile, active: &BTreeSet<String>) -> ContextFile {
    let path = file.path.replace('\\', "/");
    let name = base_name(&path).to_uppercase();
    if file.path.trim().is_empty() || (name != "MEMORY.MD" && name != "USER.MD") {
        return file;
    }
    let text = file.content.as_str();
    let kept: Vec<Traced> = entries(text)
        .into_iter()
        .filter(|range| applies(&text[range.clone()], active))
        .map(|range| file.content.slice(range))
        .collect();
    let content = Traced::joined(&kept, "\n");
    if content.as_str() == text {
        return file;
    }
    // The runtime builds a new value here and forgets whose file it was.
    ContextFile { content, personal: false, ..file }
}

/// The entries: each from a `- ` line or a heading to the next one, without the newline between them.
fn entries(text: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && opens(line.strip_suffix('\n').unwrap_or(line)) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|next| next - 1).chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn opens(line: &str) -> bool {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    line.starts_with("- ") || ((1..=6).contains(&hashes) && line[hashes..].chars().next().is_none_or(is_js_space))
}

/// Whether an entry has no project, or only active ones.
fn applies(entry: &str, active: &BTreeSet<String>) -> bool {
    let markers = markers(entry);
    let mut closed = 0;
    let mut from = 0;
    for (_, value) in &markers {
        if *value < from {
            continue;
        }
        let Some(end) = entry[*value..].find("-->").map(|at| value + at) else { break };
        closed += 1;
        for key in js_trim(&entry[*value..end]).split(';') {
            match normalised(key) {
                Some(key) if active.contains(&key) => {}
                _ => return false,
            }
        }
        from = end + 3;
    }
    closed == markers.len()
}

/// Where each `<!-- project:` begins and ends.
fn markers(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.match_indices("<!--") {
        if found.last().is_some_and(|(_, end)| at < *end) {
            continue;
        }
        let rest = text[at + 4..].trim_start_matches(is_js_space);
        let Some(word) = rest.get(..7).filter(|word| word.eq_ignore_ascii_case("project")) else { continue };
        let rest = rest[word.len()..].trim_start_matches(is_js_space);
        if let Some(value) = rest.strip_prefix(':') {
            found.push((at, text.len() - value.len()));
        }
    }
    found
}

/// A key with its host in lower case.
fn normalised(key: &str) -> Option<String> {
    let key = js_trim(key);
    if key.is_empty() || key.contains(['\r', '\n', '<', '>']) {
        return None;
    }
    match key.split_once('/') {
        Some((host, path)) if !key.starts_with("path:") && !host.is_empty() => {
            Some(format!("{}/{path}", host.to_lowercase()))
        }
        _ => Some(key.to_owned()),
    }
}
