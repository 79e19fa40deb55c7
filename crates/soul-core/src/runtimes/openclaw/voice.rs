//! Voice sessions: three files, equal shares, a prompt of their own.

use super::budget::{self, BootstrapFile, Budgeted, Limits, truncate};
use super::collate;
use crate::runtimes::Traced;
use crate::runtimes::files::base_name;
use crate::runtimes::units::{js_trim, js_trim_end, utf16_len};

const NAMES: &[&str] = &["IDENTITY.md", "USER.md", "SOUL.md"];
const TOTAL: f64 = 12_000.0;
const PREAMBLE: &str = "OpenClaw realtime voice profile context:\nUse these profile files for identity, persona, and user grounding; do not mention them unless asked.";

/// The files that a voice session takes, in its order.
pub(super) fn select(files: Vec<BootstrapFile>) -> (Vec<BootstrapFile>, Vec<BootstrapFile>) {
    let order = |file: &BootstrapFile| NAMES.iter().position(|name| *name == file.name);
    let (mut chosen, left): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.content.is_some() && order(file).is_some());
    chosen.sort_by(|a, b| {
        order(a).cmp(&order(b)).then_with(|| {
            collate::compare(a.path.as_deref().unwrap_or_default(), b.path.as_deref().unwrap_or_default())
        })
    });
    (chosen, left)
}

/// What a voice session is given; `None` if there is nothing for it.
pub(super) fn instructions(files: &[BootstrapFile], user_max_chars: Option<f64>) -> Option<(Budgeted, Traced)> {
    if files.is_empty() {
        return None;
    }
    let heading = |path: &str| format!("### {}\n", base_name(&js_trim(path).replace('\\', "/")));
    let headings: usize = files.iter().map(|file| utf16_len(&heading(file.path.as_deref().unwrap_or_default()))).sum();
    let budget = TOTAL - utf16_len(PREAMBLE) as f64 - (2 * files.len()) as f64 - headings as f64;
    if budget <= 0.0 {
        return None;
    }
    let limits = Limits {
        max_chars: (budget / files.len() as f64).floor().max(1.0),
        total_max_chars: budget.floor().max(1.0),
        user_max_chars,
    };
    let budgeted = budget::apply(files, &limits);
    if budgeted.files.is_empty() {
        return None;
    }
    let mut parts = vec![Traced::from(PREAMBLE)];
    for file in &budgeted.files {
        let mut part = Traced::from(heading(&file.path).as_str());
        part.push(&file.content.trimmed(js_trim_end));
        parts.push(part);
    }
    let text = truncate(Traced::joined(&parts, "\n\n"), TOTAL);
    Some((budgeted, text))
}
