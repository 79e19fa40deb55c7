//! Characters that hide text or change its look.

pub(super) mod control_characters;
pub(super) mod direction_overrides;
pub(super) mod mixed_scripts;
pub(super) mod private_use;
pub(super) mod selector_bytes;
pub(super) mod stacked_marks;
pub(super) mod tag_characters;
pub(super) mod zero_width;

use crate::scan::Hit;
use crate::text::Span;

/// Adds a place, or makes the last one longer if it goes on there.
fn extend(hits: &mut Vec<Hit>, span: Span) {
    match hits.last_mut() {
        Some(hit) if hit.span.end == span.start => hit.span.end = span.end,
        _ => hits.push(Hit { span, ..Hit::default() }),
    }
}
