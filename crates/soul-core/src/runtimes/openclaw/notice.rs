//! What the runtime says about files that it cut: lines for its reports, and a notice in the prompt.

use std::collections::BTreeMap;

use super::budget::{BootstrapFile, ContextFile, Limits};
use crate::runtimes::units::{js_trim, js_trim_end, utf16_len};

/// How many files its report names.
const MAX_FILES: usize = 3;
/// What the prompt says, whichever files were cut.
pub const NOTICE: &str = "[Bootstrap truncation warning]\nSome workspace bootstrap files were truncated before Project Context injection.\nTreat Project Context as partial and read the relevant files directly if details seem missing.";

struct Truncated<'a> {
    name: &'a str,
    path: &'a str,
    raw: usize,
    injected: usize,
    limit: f64,
    causes: Vec<&'static str>,
}

/// The lines of the report; empty if nothing was cut.
#[must_use]
pub fn lines(files: &[BootstrapFile], injected: &[ContextFile], limits: &Limits) -> Vec<String> {
    let truncated = truncated(files, injected, limits);
    if truncated.is_empty() {
        return Vec::new();
    }
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &truncated {
        *names.entry(file.name).or_default() += 1;
    }
    let mut lines = Vec::new();
    for file in truncated.iter().take(MAX_FILES) {
        let share = if file.raw > 0 { (file.raw - file.injected) as f64 / file.raw as f64 * 100.0 } else { 0.0 };
        let percent = (share + 0.5).floor();
        let causes = file.causes.join(", ");
        let causes = if causes.is_empty() { causes } else { format!("; {causes}") };
        let several = names.get(file.name).is_some_and(|count| *count > 1);
        let label = if several { format!("{} ({})", file.name, file.path) } else { file.name.to_owned() };
        lines.push(format!("{label}: {} raw -> {} injected (~{percent}% removed{causes}).", file.raw, file.injected));
    }
    if truncated.len() > MAX_FILES {
        lines.push(format!("+{} more truncated file(s).", truncated.len() - MAX_FILES));
    }
    if truncated.iter().any(|file| file.name.eq_ignore_ascii_case("AGENTS.md")) {
        lines.push("AGENTS.md was truncated; read the full AGENTS.md before relying on scoped policy.".to_owned());
    }
    let is_user = |file: &Truncated<'_>| file.name.eq_ignore_ascii_case("USER.md");
    if let Some(cap) = limits.user_max_chars
        && truncated.iter().any(|file| is_user(file) && file.limit == cap && file.causes.contains(&"max/file"))
    {
        lines.push(format!("USER.md has a fixed {cap}-character bootstrap cap; keep it compact."));
    }
    let raisable = |file: &Truncated<'_>| {
        !is_user(file) || limits.user_max_chars.is_none_or(|cap| file.limit < cap) || file.causes.contains(&"max/total")
    };
    if truncated.iter().any(raisable) {
        lines.push(
            "If unintentional, raise agents.defaults.bootstrapMaxChars and/or agents.defaults.bootstrapTotalMaxChars."
                .to_owned(),
        );
    }
    lines
}

fn truncated<'a>(files: &'a [BootstrapFile], injected: &[ContextFile], limits: &Limits) -> Vec<Truncated<'a>> {
    let mut found = Vec::new();
    let mut remaining = limits.total_max_chars;
    for file in files {
        let path = file.path.as_deref().map(js_trim).unwrap_or_default();
        let count = injected.iter().find(|other| !path.is_empty() && other.path == path);
        let count = count.map_or(0, |other| utf16_len(other.content.as_str()));
        let available = remaining;
        remaining = (remaining - count as f64).max(0.0);
        let Some(content) = &file.content else { continue };
        let raw = utf16_len(js_trim_end(content.as_str()));
        if count >= raw {
            continue;
        }
        let limit = limits.of(&file.name);
        let mut causes = Vec::new();
        if raw as f64 > limit {
            causes.push("max/file");
        }
        if available < limit && raw as f64 > available {
            causes.push("max/total");
        }
        let path = if path.is_empty() { file.name.as_str() } else { path };
        found.push(Truncated { name: &file.name, path, raw, injected: count, limit, causes });
    }
    found
}
