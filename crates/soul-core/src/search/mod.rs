//! Searching memory: Markdown cut into sections, sections into terms, terms into segments, and the
//! score of a section for a query.
//!
//! Pure like the rest of the crate: a [`Segment`] reads through a [`Storage`] that the caller
//! brings. Counts and averages are of the living sections only and every sum has one order, so that
//! an index that followed a hundred changes scores to the bit as one that was built just now.
//!
//! ```
//! use soul_core::search::{Builder, Day, FileFacts, Options, Query, Searcher, Segment, sections};
//!
//! let text = "# Tools\n\n## Editor\n\nHelix, with rust-analyzer.\n\n## 端末\n\n端末は日本語で使う。\n";
//! let mut builder = Builder::default();
//! builder.add_file("memory/topic-tools", &sections(text).sections, text);
//! let segment = Segment::open(builder.finish()).unwrap();
//! let searcher = Searcher::new(vec![(segment, vec![Some(0)])], vec![FileFacts::default()]).unwrap();
//! let hits = searcher.search(&Query::new("日本語"), &Options::new(Day(20_000)), &|_| true).unwrap();
//! assert_eq!(searcher.record(&hits[0]).unwrap().heading, "端末");
//! ```

mod fold;
mod highlight;
mod hit;
mod query;
mod related;
mod score;
mod sections;
mod segment;
mod stem;
mod tokens;
pub mod wire;

pub use crate::time::Day;
pub(crate) use fold::is_dense;
pub use highlight::highlights;
pub use hit::{Explained, FileFacts, Hit, Options};
pub use query::{Query, Role, Slot};
pub use score::Searcher;
pub use sections::{Section, Sections, sections};
pub use segment::{Builder, Record, Segment, Storage, VERSION, merge};
pub use tokens::{TermKind, tokens};
pub use wire::Damaged;
