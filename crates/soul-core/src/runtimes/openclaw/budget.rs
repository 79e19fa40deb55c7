//! How much of each file is injected: a limit for each file and one for all, in UTF-16 code units.
//!
//! Numbers are floating point because the runtime's are: a configured limit of 250.9 is not rounded.

use super::agents;
use crate::runtimes::Traced;
use crate::runtimes::units::{js_trim, js_trim_end, utf16_head, utf16_len, utf16_tail};

/// The share of a cut file that is its beginning; the rest is its end.
const HEAD_RATIO: f64 = 0.75;
const TAIL_RATIO: f64 = 0.25;
/// With less room than this, a file is not begun.
const MIN_FILE_BUDGET: usize = 64;
/// With less room than this beside the long marker, the short marker is used.
const MIN_TRIMMED_CONTENT: f64 = 16.0;

/// The limits in effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// For each file.
    pub max_chars: f64,
    /// For all files together.
    pub total_max_chars: f64,
    /// For USER.md, whatever the others are; absent in versions without one.
    pub user_max_chars: Option<f64>,
}

impl Limits {
    /// The limits of a version, with what the caller sets.
    #[must_use]
    pub fn new(defaults: (f64, f64), max_chars: Option<f64>, total: Option<f64>, user: Option<f64>) -> Self {
        let max_chars = max_chars.unwrap_or(defaults.0);
        let total_max_chars = total.unwrap_or_else(|| max_chars.max(defaults.1)).floor().max(1.0);
        Self { max_chars, total_max_chars, user_max_chars: user }
    }

    /// The limit of a file by its name.
    #[must_use]
    pub fn of(&self, name: &str) -> f64 {
        match self.user_max_chars {
            Some(user) if name.eq_ignore_ascii_case("USER.md") => self.max_chars.min(user),
            _ => self.max_chars,
        }
    }
}

/// A file before the budget.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BootstrapFile {
    /// The name that rules go by, which a hook may have changed.
    pub name: String,
    /// The absolute path; absent if a hook left it out.
    pub path: Option<String>,
    /// The content; `None` if the file is missing.
    pub content: Option<Traced>,
    /// Whether it is the session owner's own USER.md.
    pub personal: bool,
    /// The number of the source file.
    pub source: Option<usize>,
}

/// A file after the budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFile {
    /// The absolute path, which is also its heading in the prompt.
    pub path: String,
    /// What is injected.
    pub content: Traced,
    /// Whether it is the session owner's own USER.md.
    pub personal: bool,
    /// The number of the source file.
    pub source: Option<usize>,
}

/// What the budget made of one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Cut at the limit for each file, or at what was left of the total.
    Cut,
    /// Not begun, because too little of the total was left.
    NoRoom,
    /// A personal file that did not fit whole.
    TooLong,
    /// A file without a path.
    NoPath,
}

/// The result of the budget.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Budgeted {
    /// The files that are injected, in the order of the budget.
    pub files: Vec<ContextFile>,
    /// The runtime's own warnings.
    pub warnings: Vec<String>,
    /// What was cut or left out, by the index of the input.
    pub outcomes: Vec<(usize, Outcome)>,
}

/// Applies the limits to files, in their order.
#[must_use]
pub fn apply(files: &[BootstrapFile], limits: &Limits) -> Budgeted {
    let mut result = Budgeted::default();
    let mut remaining = limits.total_max_chars;
    for (index, file) in files.iter().enumerate() {
        if remaining <= 0.0 {
            result.outcomes.extend((index..files.len()).map(|index| (index, Outcome::NoRoom)));
            break;
        }
        let Some(path) = file.path.as_deref().map(js_trim).filter(|path| !path.is_empty()) else {
            result.warnings.push(format!(
                "skipping bootstrap file \"{}\" — missing or invalid \"path\" field (hook may have used \"filePath\" instead)",
                file.name
            ));
            result.outcomes.push((index, Outcome::NoPath));
            continue;
        };
        let Some(content) = &file.content else {
            let text = clamp(Traced::from(format!("[MISSING] Expected at: {path}").as_str()), remaining);
            remaining = (remaining - len(&text)).max(0.0);
            result.files.push(ContextFile { path: path.to_owned(), content: text, personal: false, source: None });
            continue;
        };
        if remaining < MIN_FILE_BUDGET as f64 {
            result.warnings.push(format!(
                "remaining bootstrap budget is {remaining} chars (<{MIN_FILE_BUDGET}); skipping additional bootstrap files"
            ));
            result.outcomes.extend((index..files.len()).map(|index| (index, Outcome::NoRoom)));
            break;
        }
        let max = limits.of(&file.name).min(remaining).max(1.0);
        let trimmed = content.trimmed(js_trim_end);
        let length = utf16_len(trimmed.as_str());
        if file.personal && length as f64 > max {
            result.warnings.push("Personal USER.md exceeds the bootstrap budget; using shared defaults.".to_owned());
            result.outcomes.push((index, Outcome::TooLong));
            continue;
        }
        let truncated = length as f64 > max;
        let shortened = if !truncated {
            trimmed
        } else if file.name.eq_ignore_ascii_case("AGENTS.md") {
            agents::shorten(&trimmed, max)
        } else {
            shorten(&trimmed, &file.name, max)
        };
        let before = len(&shortened);
        let injected = clamp(shortened, remaining);
        if injected.is_empty() {
            continue;
        }
        if truncated || len(&injected) < before {
            result.warnings.push(format!(
                "workspace bootstrap file {} is {length} chars (limit {max}); truncating in injected context",
                file.name
            ));
            result.outcomes.push((index, Outcome::Cut));
        }
        remaining = (remaining - len(&injected)).max(0.0);
        result.files.push(ContextFile {
            path: path.to_owned(),
            content: injected,
            personal: file.personal,
            source: file.source,
        });
    }
    result
}

fn len(text: &Traced) -> f64 {
    utf16_len(text.as_str()) as f64
}

/// The first `units` code units; a fraction is dropped, as `String.prototype.slice` does.
pub(super) fn head(text: &Traced, units: f64) -> Traced {
    text.slice(0..utf16_head(text.as_str(), units as usize))
}

/// The last code units. The start is what a fraction is dropped from, so one more is taken.
pub(super) fn tail(text: &Traced, units: f64) -> Traced {
    text.slice(utf16_tail(text.as_str(), units.ceil() as usize)..text.as_str().len())
}

/// The first `max` code units of a text that is longer.
pub(super) fn truncate(text: Traced, max: f64) -> Traced {
    if len(&text) <= max { text } else { head(&text, max.max(0.0)) }
}

fn clamp(text: Traced, budget: f64) -> Traced {
    if len(&text) <= budget {
        return text;
    }
    if budget <= 3.0 {
        return truncate(text, budget);
    }
    let mut text = truncate(text, budget - 1.0);
    text.push_str("…");
    text
}

/// Which of the two markers stands for what was left out.
#[derive(Clone, Copy, PartialEq)]
enum Marker {
    Full,
    Compact,
}

impl Marker {
    fn text(self, name: &str, head: f64, tail: f64, total: usize) -> String {
        match self {
            Self::Full => format!(
                "\n[...truncated, read {name} for full content...]\n…(truncated {name}: kept {head}+{tail} chars of {total})…\n"
            ),
            Self::Compact => format!("[…truncated {head}+{tail}/{total}]"),
        }
    }

    /// The newlines that join the parts.
    fn separators(self, head: f64, tail: f64) -> f64 {
        match self {
            Self::Full => f64::from(u8::from(head > 0.0)) + f64::from(u8::from(tail > 0.0)),
            Self::Compact => 0.0,
        }
    }
}

/// Beginning, marker and end of a text that is too long. The marker names both lengths, so its own length depends on
/// them: they are found by approximation, in three rounds at most.
fn shorten(text: &Traced, name: &str, max: f64) -> Traced {
    let total = utf16_len(text.as_str());
    let full = Marker::Full.text(name, 0.0, 0.0, total);
    let room = max - utf16_len(&full) as f64 - Marker::Full.separators(1.0, 1.0);
    let marker = if room >= MIN_TRIMMED_CONTENT { Marker::Full } else { Marker::Compact };
    let length = |head: f64, tail: f64| utf16_len(&marker.text(name, head, tail, total)) as f64;

    let (mut kept_head, mut kept_tail) = (0.0_f64, 0.0_f64);
    let mut marker_length = length(0.0, 0.0);
    for _ in 0..3 {
        let budget = (max - marker_length - marker.separators(kept_head, kept_tail)).max(0.0);
        let next = ((budget * HEAD_RATIO).floor(), (budget * TAIL_RATIO).floor());
        let next_length = length(next.0, next.1);
        if next == (kept_head, kept_tail) && next_length == marker_length {
            break;
        }
        (kept_head, kept_tail) = next;
        marker_length = next_length;
    }
    let whole = |head: f64, tail: f64| head + tail + length(head, tail) + marker.separators(head, tail);
    let mut rendered = whole(kept_head, kept_tail);
    while rendered > max && (kept_tail > 0.0 || kept_head > 0.0) {
        let overflow = rendered - max;
        if kept_tail > 0.0 {
            kept_tail = (kept_tail - overflow).max(0.0);
        } else {
            kept_head = (kept_head - overflow).max(0.0);
        }
        rendered = whole(kept_head, kept_tail);
    }
    if kept_head == 0.0 && kept_tail == 0.0 && whole(1.0, 0.0) <= max {
        kept_head = 1.0;
    }
    let parts = [
        head(text, kept_head),
        Traced::from(marker.text(name, kept_head, kept_tail, total).as_str()),
        if kept_tail > 0.0 { tail(text, kept_tail) } else { Traced::default() },
    ];
    let separator = if marker == Marker::Full { "\n" } else { "" };
    truncate(Traced::joined(parts.iter().filter(|part| !part.is_empty()), separator), max)
}
