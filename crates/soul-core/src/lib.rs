//! Who an agent is, read from any SOUL.md dialect: bytes in, meaning out.
//!
//! No file, clock, terminal, environment or network is touched here: callers bring the bytes and
//! take the values. The way of the data is the way of the modules: [`text`] (bytes with spans) →
//! [`formats`] (one document for each dialect, with [`diagnostics`]) → [`model`] (the soul, free
//! of dialects) → [`digest`].
//!
//! ```
//! use soul_core::formats::{self, Context};
//! use soul_core::model::{Dialect, Field};
//! use soul_core::text::Source;
//!
//! let source = Source::from("---\nrole: Guide\ntone: [calm]\n---\nYou show the way.\n");
//! let dialect = formats::detect(&source, None, false).dialect;
//! let parsed = formats::parse(source, dialect, &Context::default());
//! assert_eq!(dialect, Dialect::Agh);
//! assert!(parsed.is_valid());
//! assert_eq!(parsed.document.soul().texts(Field::Tone).collect::<Vec<_>>(), ["calm"]);
//! ```

pub mod calibration;
pub mod diagnostics;
pub mod digest;
pub mod edits;
pub mod formats;
mod markup;
pub mod merge;
pub mod model;
pub mod persona;
pub mod prompt;
pub mod rules;
pub mod runtimes;
pub mod scan;
#[cfg(feature = "schema")]
pub mod schema;
pub mod search;
pub mod sigil;
pub mod templates;
pub mod text;
pub mod time;
