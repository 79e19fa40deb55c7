//! What is legal and probably not meant.

use super::persona::DEFAULT_NAME;
use super::{Document, Plain};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::markup::markdown;
use crate::persona::Moods;
use crate::text::{Span, Spanned, shown};

pub(super) fn check(document: &Document, is_json: bool, diagnostics: &mut Collector) {
    // A persona as JSON must have a name and an id, and what is required is checked there.
    if !is_json {
        identity(&document.plain, diagnostics);
    }
    moods(&document.plain, diagnostics);
    procedures(document, diagnostics);
}

fn identity(plain: &Plain, diagnostics: &mut Collector) {
    let Some(name) = &plain.name else {
        let message = format!("the soul has no name, so the agent is called {DEFAULT_NAME}");
        let help = "add `name: …` to the frontmatter";
        return diagnostics.push(Diagnostic::new(Code::DefaultIdentity, message).field("name").help(help));
    };
    if name.text.trim().is_empty() {
        let diagnostic = Diagnostic::new(Code::DefaultIdentity, "the soul's name is empty").field("name").at(name.span);
        return diagnostics.push(diagnostic.help("give it a name"));
    }
    let id = Plain::text(plain.id.as_ref()).is_some_and(|id| !id.is_empty());
    if !id && !name.text.to_lowercase().contains(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) {
        let message = format!("{} results in an empty id, which other agents may have too", shown(&name.text));
        let diagnostic = Diagnostic::new(Code::EmptyId, message).field("agentId").at(name.span);
        diagnostics.push(diagnostic.help("add `agentId: …` to the frontmatter"));
    }
}

fn moods(plain: &Plain, diagnostics: &mut Collector) {
    let listed = plain.moods.iter().flat_map(|moods| &moods.items);
    for mood in plain.default_mood.iter().chain(listed).filter(|mood| is_no_name(mood)) {
        let field = if plain.default_mood.as_ref() == Some(mood) { "defaultMood" } else { "allowedMoods" };
        let message = format!("the mood {} is too long for a prompt, which uses only its beginning", shown(&mood.text));
        let help = format!("a mood is a name on one line, with at most {} characters", Moods::LONGEST);
        diagnostics.push(Diagnostic::new(Code::LongMood, message).field(field).at(mood.span).help(help));
    }
    let Some(moods) = &plain.moods else { return };
    let Some(default) = plain.default_mood.as_ref().filter(|mood| !mood.text.is_empty()) else {
        if !moods.items.is_empty() {
            let span = moods.key_span;
            let diagnostic = Diagnostic::new(
                Code::MoodNotAllowed,
                "there are allowed moods but no default, so the agent has no mood until one is set",
            );
            diagnostics.push(diagnostic.field("allowedMoods").at(span).help("add `defaultMood: …` with one of them"));
        }
        return;
    };
    if !moods.items.is_empty() && !moods.items.iter().any(|mood| mood.text == default.text) {
        let message = format!("the default mood {} is not an allowed mood", shown(&default.text));
        let allowed: Vec<_> = moods.items.iter().map(|mood| mood.text.as_str()).collect();
        let diagnostic = Diagnostic::new(Code::MoodNotAllowed, message).field("defaultMood").at(default.span);
        diagnostics.push(
            diagnostic.help(format!("choose an allowed mood ({}), or add it to `allowedMoods`", allowed.join(", "))),
        );
    }
}

/// Whether a mood has more than one line, or is too long for a name.
fn is_no_name(mood: &Spanned) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    mood.text.trim().contains(breaks) || mood.text.trim().chars().count() > Moods::LONGEST
}

/// Headings under which people write what an agent does, not who it is.
const PROCEDURE_HEADINGS: [&str; 12] = [
    "workflow",
    "workflows",
    "procedure",
    "procedures",
    "steps",
    "step by step",
    "session start",
    "on startup",
    "startup",
    "checklist",
    "standard operating procedure",
    "runbook",
];

/// How a line begins that says what to do when.
const PROCEDURE_LINES: [&str; 6] = [
    "every session:",
    "every session,",
    "at session start",
    "on startup",
    "at the start of each session",
    "before every session",
];

fn procedures(document: &Document, diagnostics: &mut Collector) {
    let (span, body) = (document.plain.body_span, document.plain.body.as_str());
    // In JSON the prompt is written with escapes, so only the whole of it has a place.
    let exact = document.source.text().and_then(|text| text.get(span.start..span.end)) == Some(body);
    let mut at = 0;
    let mut places = Vec::new();
    for line in body.split('\n') {
        if is_procedure(line) {
            places.push(Span::new(at, at + line.trim_end().len()));
        }
        at += line.len() + 1;
    }
    if places.is_empty() {
        return;
    }
    let code = markdown::fenced_code(body);
    for place in places.into_iter().filter(|place| !code.iter().any(|range| range.contains(&place.start))) {
        diagnostics.push_with(|| {
            Diagnostic::new(Code::ProcedureInSoul, "this describes a procedure, not who the agent is")
                .at(if exact { Span::new(span.start + place.start, span.start + place.end) } else { span })
                .help("move it to AGENTS.md: models follow a short soul more closely")
        });
    }
}

fn is_procedure(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with('#') {
        let title = line.trim_matches(['#', ' ', ':', '*']).to_lowercase();
        return PROCEDURE_HEADINGS.contains(&title.as_str());
    }
    let text = line.trim_start_matches(['-', '*', '>', ' ']);
    let begins = |start: &str| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    let step = begins("step ") && text[5..].starts_with(|c: char| c.is_ascii_digit());
    step || PROCEDURE_LINES.into_iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn procedures_are_told_from_character() {
        for line in [
            "## Workflow",
            "# **Steps:**",
            "Step 1: read the ticket",
            "- Every session: read MEMORY.md",
            "On startup, run git status",
        ] {
            assert!(is_procedure(line), "{line}");
        }
        for line in [
            "## Tone",
            "You take one step at a time.",
            "Every session with you feels calm.",
            "## Who You Are",
            "1. Safety first",
        ] {
            assert!(!is_procedure(line), "{line}");
        }
    }
}
