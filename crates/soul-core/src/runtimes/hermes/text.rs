//! Reading and cutting, as Python does.

use super::threats::{Scope, scan};
use crate::runtimes::Traced;
use crate::runtimes::units::{code_points, nth_code_point};
use crate::text::{BOM, python_strip};

const HEAD_RATIO: f64 = 0.7;
const TAIL_RATIO: f64 = 0.2;
/// The limit where nothing says otherwise, and the least that a window gives.
pub const DEFAULT_LIMIT: usize = 20_000;
const WINDOW_LIMIT: usize = 500_000;

/// The limit of a file: as configured, or by the model's window, in code points.
#[must_use]
pub fn limit(configured: Option<f64>, window: Option<i64>) -> usize {
    match (configured, window) {
        (Some(number), _) if number > 0.0 => number as usize,
        // Four characters a token, six percent of the window.
        (_, Some(window)) if window > 0 => {
            let budget = ((window * 4) as f64 * 0.06) as usize;
            budget.clamp(DEFAULT_LIMIT, WINDOW_LIMIT)
        }
        _ => DEFAULT_LIMIT,
    }
}

/// A scalar of the configuration as a number: YAML 1.1, where `true` is a number to Python and `1e6` is a string.
#[must_use]
pub fn yaml_number(value: &str) -> Option<f64> {
    let value = value.trim();
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => return Some(1.0),
        "false" | "no" | "off" => return Some(0.0),
        _ => {}
    }
    let digits = value.replace('_', "");
    let plain = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    let numeric = plain.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && plain.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    // An exponent needs a point before it and a sign.
    let exponent = plain.find(['e', 'E']);
    let float = exponent.is_none_or(|at| plain[..at].contains('.') && plain[at + 1..].starts_with(['+', '-']));
    if numeric && float { digits.parse().ok() } else { None }
}

/// A file as text: strict UTF-8, every line end a newline.
pub(super) fn read(bytes: &[u8], file: usize) -> Option<Traced> {
    let text = Traced::strict(bytes, file)?;
    if !text.as_str().contains('\r') {
        return Some(text);
    }
    let source = text.as_str();
    let returns = source.match_indices('\r').map(|(at, _)| {
        // The newline after it stays; a lone one becomes a newline.
        (at..at + 1, if source[at + 1..].starts_with('\n') { "" } else { "\n" })
    });
    let edits: Vec<_> = returns.collect();
    Some(text.replaced(edits))
}

pub(super) fn stripped(text: &Traced) -> Traced {
    text.trimmed(python_strip)
}

/// What the scan found in a file.
pub(super) struct Scanned {
    pub(super) text: Traced,
    pub(super) blocked: Option<String>,
}

/// The text without a leading byte order mark, or the placeholder if the scan finds anything.
pub(super) fn scanned(text: &Traced, name: &str) -> Scanned {
    let text = text.trimmed(|text| text.strip_prefix(BOM).unwrap_or(text));
    let found = scan(text.as_str(), Scope::Context);
    if found.is_empty() {
        return Scanned { text, blocked: None };
    }
    let ids = found.join(", ");
    let placeholder = format!("[BLOCKED: {name} contained potential prompt injection ({ids}). Content not loaded.]");
    Scanned { text: Traced::from(placeholder.as_str()), blocked: Some(ids) }
}

/// The text as injected, and the runtime's warning if it was cut.
pub(super) fn shortened(text: Traced, name: &str, path: &str, limit: usize) -> (Traced, Option<String>) {
    let length = code_points(text.as_str());
    if length <= limit {
        return (text, None);
    }
    let warning = format!(
        "⚠️  Context file {name} TRUNCATED: {length} chars exceeds limit of {limit} — trim the file, pin a larger context_file_max_chars, or use a larger-context model!"
    );
    let head = (limit as f64 * HEAD_RATIO) as usize;
    let tail = (limit as f64 * TAIL_RATIO) as usize;
    let source = text.as_str();
    let mut result = text.slice(0..nth_code_point(source, head));
    result.push_str(&format!(
        "\n\n[...truncated {name}: kept {head}+{tail} of {length} chars. The middle is omitted — if you need the full instructions, read the complete file with the read_file tool: {path}]\n\n"
    ));
    // A tail of zero is the whole text, because that is what `[-0:]` means.
    let start = if tail == 0 { 0 } else { nth_code_point(source, length - tail) };
    result.push_slice(&text, start..source.len());
    (result, Some(warning))
}
