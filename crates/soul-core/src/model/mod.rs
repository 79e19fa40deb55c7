//! One model for all dialects.
//!
//! A [`Document`](crate::formats::Document) is what a file says in its own dialect. A [`Soul`] is
//! the same content without the dialect: an ordered list of items over one set of fields. Which
//! dialect has which field, and where, is one const table. Conversion and losses are operations on
//! items.

mod arrange;
mod dialect;
mod diff;
mod field;
mod levels;
mod loss;
mod places;
mod soul;

pub use arrange::recognised;
pub(crate) use arrange::{arrange, entries, is_negative, nearest_to_a_name, passage};
pub use dialect::{Dialect, UnknownDialect};
pub use diff::{Change, ChangeKind, changes};
pub use field::Field;
pub use loss::{Fate, ItemFate, fates, losses};
pub use places::{At, Occurs, PLACES, Place, place};
pub use soul::{Item, Soul, Value};
