//! What `check`, `validate`, `scan` and `test` share: which files count, what is wrong with them as one kind of value,
//! and how it is fixed.
//!
//! Nothing here decides how a problem is printed, or which exit code it gets.

mod fix;
mod gate;
mod grade;
mod offline;
mod parts;
mod problem;
mod read;
mod run;
mod selection;
mod souls;
mod unchecked;

pub use fix::Fixed;
pub(crate) use fix::{Place, fixed, write};
pub use gate::FailOn;
pub(crate) use grade::Graded;
pub use grade::WorstFinding;
pub(crate) use offline::{calibrated, unasked_probes};
pub use problem::{CheckKind, Problem};
pub(crate) use problem::{Collected, of_files, of_soul};
pub(crate) use read::{Bytes, Gathered, Group, ReadFile, gather, read_below, read_files, scan_files};
pub(crate) use run::{Checker, Found};
pub(crate) use selection::{is_companion, scan_groups};
pub(crate) use souls::{UNIT, compare_personas, load_souls};
pub use unchecked::Unchecked;
