//! One test binary: what the core promises, from outside.

mod conformance;
mod properties;
