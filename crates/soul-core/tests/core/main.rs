//! One test binary: what the core promises, from outside.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod calibration;
mod conformance;
mod conversion;
mod exchange;
mod fit;
mod persona;
mod prompt;
mod properties;
mod reference;
mod runtimes;
mod scan_places;
#[cfg(feature = "schema")]
mod schema;
mod seeds;
mod soulspec;
