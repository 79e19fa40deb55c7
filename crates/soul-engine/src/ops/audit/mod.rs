//! The record of revisions itself.

pub mod verify;

operations! { verify }
