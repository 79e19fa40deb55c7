//! Control characters: legal in every dialect, seen by no reader, read by every model.

use std::ops::Range;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::text::Source;

/// Warns once a file, at the first one in the range.
pub(super) fn check(source: &Source, range: Range<usize>, diagnostics: &mut Collector) {
    let text = source.text().and_then(|text| text.get(range.clone())).unwrap_or_default();
    let is_one = |byte: u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r');
    // Nearly every text has none, which is seen many bytes at a time.
    if !text.as_bytes().chunks(64).any(|chunk| chunk.iter().fold(false, |found, byte| found | is_one(*byte))) {
        return;
    }
    let mut found = text.bytes().enumerate().filter(|(_, byte)| is_one(*byte));
    let Some((at, byte)) = found.next() else { return };
    let more = match found.count() {
        0 => String::new(),
        count => format!(", and {count} more after it"),
    };
    let at = range.start + at;
    diagnostics.push(
        Diagnostic::new(Code::ControlCharacter, format!("the text contains the control character U+{byte:04X}{more}"))
            .at(crate::text::Span::new(at, at + 1))
            .help("delete it, unless the model should read it"),
    );
}
