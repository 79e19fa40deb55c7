//! The store itself: where it is, how much is in it, and moving it into another one.

pub mod info;
pub mod migrate;

operations! { info, migrate }
