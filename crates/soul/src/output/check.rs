//! What a check found, for people: problems with their lines, what was fixed, and one line that says how it went.

use soul_core::diagnostics::Severity;
use soul_engine::checks::{FailOn, Fixed};
use soul_engine::ops::check::{Response, Summary};
use soul_engine::workspace::AgentName;

use super::findings::{how_to_allow, quoted};
use super::note::{self, Note};
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint};
use super::{terminal, view};

/// The problems that are shown: those that count, without mere notes unless they are asked for.
pub(super) fn shown(response: &Response, fail_on: FailOn) -> impl Iterator<Item = Note<'_>> {
    let with_notes = view::is_verbose() || matches!(fail_on, FailOn::Info | FailOn::Any);
    let is_shown = move |note: &Note<'_>| with_notes || note.weight() != Severity::Info;
    note::of_check(response).filter(|note| note.suppressed.is_none()).filter(is_shown)
}

pub(crate) fn report(response: &Response, fail_on: FailOn, baseline: Option<&str>) -> String {
    let mut out: String = shown(response, fail_on).map(|note| quoted(note) + "\n\n").collect();
    out.push_str(&summary(response, baseline));
    let fixable = response.summary.fixable;
    if fixable > 0 && response.fixes.is_empty() {
        out.push_str(&hint(&format!("`soul check --fix` can fix {fixable} of them, `--diff` shows how")));
    }
    let failing = note::of_check(response).filter(|note| note.suppressed.is_none());
    let failing = failing.filter(|note| note.confidence.is_some() && fail_on.fails(note.severity, note.confidence));
    out.push_str(&how_to_allow(failing));
    out
}

/// What to do with an agent that passes.
pub(crate) fn next(agent: &AgentName) -> String {
    hint(&format!("`soul serve` serves it; `soul prompt {agent}` shows what reaches the model"))
}

/// How it went, and what could not be checked.
pub(super) fn summary(response: &Response, baseline: Option<&str>) -> String {
    let Summary { souls, files, errors, warnings, notes, suppressed, .. } = response.summary;
    let mut out = fixes(&response.fixes);
    if souls + files == 0 && response.unchecked.is_empty() {
        return out + "no souls found, nothing to check\n";
    }
    if souls + files == 0 {
        return out + &terminal::unchecked(&response.unchecked);
    }
    let (style, word) = if response.passed { (GOOD, "passed") } else { (ERROR, "failed") };
    let found = |number: usize, what: &str| (number > 0).then(|| count(number, what));
    let parts: Vec<String> = [
        found(errors, "error").map(|text| format!("{ERROR}{text}{ERROR:#}")),
        found(warnings, "warning").map(|text| format!("{WARNING}{text}{WARNING:#}")),
        found(notes, "note"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let parts = if parts.is_empty() { "no problems found".to_owned() } else { parts.join(", ") };
    let known = match baseline {
        Some(file) => format!(" {FAINT}({suppressed} suppressed, baseline {file}){FAINT:#}"),
        None if suppressed > 0 => format!(" {FAINT}({suppressed} suppressed){FAINT:#}"),
        None => String::new(),
    };
    let checked = format!("{}, {} checked", count(souls, "soul"), count(files, "file"));
    out.push_str(&format!("{style}{word}{style:#}  {checked}: {parts}{known}\n"));
    out + &terminal::unchecked(&response.unchecked)
}

/// What was fixed, a line each.
fn fixes(fixes: &[Fixed]) -> String {
    let line = |fixed: &Fixed| {
        let mut codes = fixed.codes.clone();
        codes.dedup();
        let codes = format!("{}: {}", count(fixed.codes.len(), "problem"), codes.join(", "));
        match &fixed.error {
            Some(error) => format!("{ERROR}not fixed{ERROR:#}  {STRONG}{}{STRONG:#}  {codes} ({error})\n", fixed.path),
            None => format!("{GOOD}fixed{GOOD:#}   {STRONG}{}{STRONG:#}  {codes}\n", fixed.path),
        }
    };
    fixes.iter().filter(|fixed| fixed.written || fixed.error.is_some()).map(line).collect()
}

/// The fixes as one patch.
pub(crate) fn patch(response: &Response) -> String {
    response.fixes.iter().map(|fixed| format!("--- {0}\n+++ {0}\n{1}", fixed.path, fixed.diff)).collect()
}

/// What a patch would do, in a line.
pub(crate) fn patched(response: &Response) -> String {
    let problems: usize = response.fixes.iter().map(|fixed| fixed.codes.len()).sum();
    let out = match response.fixes.len() {
        0 => "nothing to fix\n".to_owned(),
        files => format!("would fix {} in {}\n", count(problems, "problem"), count(files, "file")),
    };
    out + &terminal::unchecked(&response.unchecked)
}
