//! The section of the system prompt that carries the files.

use super::budget::ContextFile;
use super::routing::Mode;
use super::{collate, curated};
use crate::runtimes::Traced;
use crate::runtimes::files::base_name;
use crate::runtimes::units::js_trim;

/// Where a file stands in the prompt, by its name in lower case; any other comes last.
const ORDER: &[(&str, u32)] = &[
    ("agents.md", 10),
    ("soul.md", 20),
    ("identity.md", 30),
    ("user.md", 40),
    ("tools.md", 50),
    ("bootstrap.md", 60),
    ("memory.md", 70),
];

const PERSONAL_HINT: &str = "The personal users/<profile-id>/USER.md belongs to this session's selected person (assigned human owner, otherwise human creator). It supplements shared USER.md and overrides conflicting shared preferences, not higher-priority rules. Other participants do not change this personal context.";

/// The lines of a rendered section before its files, and the files.
#[must_use]
pub fn render(files: Vec<ContextFile>, active_projects: &[String], mode: Mode, notice: Option<&str>) -> Traced {
    let has_bootstrap = files.iter().any(|file| is_bootstrap(&file.path));
    let files = sorted(curated::filter(files, active_projects));
    let mut lines: Vec<Traced> = Vec::new();
    let mut say = |text: &str| lines.push(Traced::from(text));
    match mode {
        Mode::None => {}
        Mode::Limited => {
            say("## Bootstrap Pending");
            say("Bootstrap pending; this run cannot safely finish full BOOTSTRAP.md.");
            say("Never claim complete; no generic first greeting.");
            say("Brief limitation; only safe possible steps; simplest next step.");
            say(
                "Next: primary interactive run with normal workspace access, or user deletes canonical BOOTSTRAP.md after completion.",
            );
        }
        Mode::Full => {
            say("## Bootstrap Pending");
            say(if has_bootstrap {
                "BOOTSTRAP.md below; follow before normal reply."
            } else {
                "Read workspace BOOTSTRAP.md; follow before normal reply."
            });
            say("Can finish BOOTSTRAP.md here: do it.");
            say("Cannot: brief blocker, safe possible steps, simplest next step.");
            say("Never claim completion early. No generic greeting/normal reply before BOOTSTRAP.md handling.");
            say("First visible reply must follow BOOTSTRAP.md; no generic greeting.");
        }
    }
    if let Some(notice) = notice.map(js_trim).filter(|notice| !notice.is_empty()) {
        say("## Bootstrap Context Notice");
        say(notice);
    }
    say("## Workspace Files (injected)");
    say("User-editable; OpenClaw loads below as Project Context.");
    if !files.is_empty() {
        say("# Project Context");
        say("Loaded project context:");
        let has = |name: &str| files.iter().any(|(basename, _)| basename == name);
        if has("soul.md") {
            say("SOUL.md: persona/tone. Follow it unless higher-priority instructions override.");
        }
        if has("memory.md") {
            say(
                "MEMORY.md: durable non-profile facts and decisions; use when relevant unless higher-priority instructions override.",
            );
        }
        if has("user.md") {
            say(
                "USER.md: durable user preferences and profile directives; follow unless higher-priority instructions override.",
            );
        }
        if files.iter().any(|(_, file)| file.personal) {
            say(PERSONAL_HINT);
        }
    }
    for (_, file) in &files {
        lines.push(Traced::from(format!("## {}", file.path).as_str()));
        lines.push(sanitised(&file.content));
    }
    Traced::joined(lines.iter().filter(|line| !line.is_empty()), "\n")
}

pub(super) fn is_bootstrap(path: &str) -> bool {
    let path = js_trim(path).replace('\\', "/");
    base_name(&path).eq_ignore_ascii_case("BOOTSTRAP.md")
}

fn sorted(files: Vec<ContextFile>) -> Vec<(String, ContextFile)> {
    let mut files: Vec<(u32, String, String, ContextFile)> = files
        .into_iter()
        .filter(|file| !js_trim(&file.path).is_empty())
        .map(|file| {
            let path = js_trim(&file.path).replace('\\', "/");
            let name = base_name(&path).to_lowercase();
            let order = ORDER.iter().find(|(known, _)| *known == name).map_or(u32::MAX, |(_, order)| *order);
            (order, name, path, file)
        })
        .collect();
    files.sort_by(|a, b| {
        a.0.cmp(&b.0)
            .then_with(|| collate::compare(&a.1, &b.1))
            .then_with(|| if a.1 == "user.md" { std::cmp::Ordering::Equal } else { collate::compare(&a.2, &b.2) })
    });
    files.into_iter().map(|(_, name, _, file)| (name, file)).collect()
}

const HEARTBEAT: &str = "Default heartbeat prompt:";
const HEARTBEAT_OPENINGS: &[&str] =
    &["`Read HEARTBEAT.md if it exists", "`Follow the heartbeat monitor scratch context when provided."];
const HEARTBEAT_END: &str = "HEARTBEAT_OK.`";

/// Without the heartbeat prompt of earlier versions, and with at most one blank line in a row.
fn sanitised(text: &Traced) -> Traced {
    let removed: Vec<_> = heartbeats(text.as_str()).into_iter().map(|range| (range, "")).collect();
    let text = if removed.is_empty() { text.clone() } else { text.replaced(removed) };
    let mut edits = Vec::new();
    let bytes = text.as_str().as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| **byte == b'\n').count();
        if run >= 3 {
            edits.push((at + 2..at + run, ""));
        }
        at += run.max(1);
    }
    if edits.is_empty() { text } else { text.replaced(edits) }
}

fn heartbeats(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(HEARTBEAT).map(|at| from + at) {
        from = at + HEARTBEAT.len();
        let rest = &text[from..];
        let Some(rest) = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) else { continue };
        let Some(opening) = HEARTBEAT_OPENINGS.iter().find(|opening| rest.starts_with(**opening)) else { continue };
        let body = &rest[opening.len()..];
        let line = &body[..body.find(['`', '\r', '\n']).map_or(body.len(), |end| (end + 1).min(body.len()))];
        if line.ends_with(HEARTBEAT_END) {
            let end = text.len() - body.len() + line.len();
            found.push(at..end);
            from = end;
        }
    }
    found
}
