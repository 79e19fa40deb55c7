//! One model for all dialects.
//!
//! A [`Document`](crate::formats::Document) is what a file says in its own dialect. A [`Soul`] is
//! the same content without the dialect: an ordered list of items over one set of fields. Which
//! dialect has which field, and where, is one const table. Conversion and losses are operations on
//! items.

mod arrange;
mod blocks;
mod dialect;
mod diff;
mod divide;
mod field;
pub(crate) mod headings;
mod levels;
mod loss;
pub(crate) mod name;
pub(crate) mod negation;
mod places;
pub(crate) mod sections;
mod soul;
mod summary;

pub use arrange::recognised;
pub(crate) use arrange::{arrange, entries, is_negative, passage};
pub use dialect::{Dialect, UnknownDialect};
pub use diff::{Change, ChangeKind, changes};
pub use divide::{divided, divided_for, heading_items, in_pieces};
pub use field::Field;
pub use headings::{HEADING_WORDS, HeadingWords, heading_field};
pub(crate) use levels::{opens_with_subheading, raised};
pub(crate) use loss::is_tags;
pub use loss::{Body, Fate, ItemFate, fates, losses};
pub use name::{id_for, is_nobody, name_of, name_of_path};
pub use places::{At, Occurs, PLACES, Place, place};
pub use soul::{Item, Soul, Value};
pub use summary::summary;
