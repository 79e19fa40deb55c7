//! One check per file: each looks at the whole material and reports what it finds.

mod contradictions;
mod parts;
mod style;
mod vagueness;

use super::Case;
use crate::diagnostics::Collector;

pub(super) use style::compared;
pub use vagueness::Vagueness;
pub(super) use vagueness::measured;

/// Every check, in the order in which an author would want to read about them.
pub(super) const CHECKS: [fn(&Case<'_>, &mut Collector); 4] =
    [contradictions::check, parts::check, style::check, vagueness::check];
