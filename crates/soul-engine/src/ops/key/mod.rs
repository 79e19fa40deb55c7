//! Keys that sign packages, and keys that are trusted.

pub mod create;
pub mod forget;
pub mod list;
pub mod trust;

operations! { create, forget, list, trust }
