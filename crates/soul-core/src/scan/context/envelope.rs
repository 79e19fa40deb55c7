//! Tags that are markup of a prompt: around all of it, or around its parts.

use super::bounds;
use crate::text::Span;

/// Whether one pair of tags is around the whole file: then it is markup of the prompt that the file is, and no turn of a
/// conversation is forged by it.
pub(crate) fn has_envelope(text: &str) -> bool {
    let whole = text.trim();
    let [open, close] = ENVELOPE;
    let ends = whole.starts_with(open) && whole.ends_with(close);
    ends && whole.matches(open).count() == 1 && whole.matches(close).count() == 1
}

/// Whether a span is a tag by which prompts mark their parts.
pub(crate) fn is_part_mark(text: &str, span: Span) -> bool {
    let (start, end) = bounds(text, span);
    let tag = text[start..end].trim().trim_matches('`');
    PARTS.iter().any(|part| {
        let name = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
        name.is_some_and(|name| name.trim_start_matches('/') == *part)
    })
}

/// Whether all such tags are in pairs. One that closes what was not opened here ends something of others.
pub(crate) fn has_paired_parts(text: &str) -> bool {
    PARTS.iter().all(|part| {
        let (mut at, mut is_open) = (0, false);
        while let Some(found) = text[at..].find(part) {
            let start = at + found;
            at = start + part.len();
            let closes = text[..start].ends_with("</");
            // One that opens may have attributes.
            let opens = text[..start].ends_with('<') && text[at..].starts_with(['>', ' ']);
            let is_tag = opens || closes && text[at..].starts_with('>');
            if !is_tag {
                continue;
            }
            if closes != is_open {
                return false;
            }
            is_open = !is_open;
        }
        !is_open
    })
}

const PARTS: [&str; 2] = ["system-reminder", "system_prompt"];

/// Whether a span is a tag that can be around a whole file.
pub(crate) fn is_envelope(text: &str, span: Span) -> bool {
    let (start, end) = bounds(text, span);
    end - start < 32 && ENVELOPE.contains(&text[start..end].trim())
}

const ENVELOPE: [&str; 2] = ["<system>", "</system>"];
