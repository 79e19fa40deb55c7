//! Character cards, V2 and V3: JSON, alone, in the text chunks of a PNG picture, or in a `.charx` archive.
//!
//! By their published specifications; nothing was recorded.

mod charx;
mod export;
mod import;
mod png;

pub(super) use export::export;
pub(super) use import::{import, is_card};
pub use png::card_in as card_in_png;
