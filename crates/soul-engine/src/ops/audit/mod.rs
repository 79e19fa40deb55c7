//! The record of revisions itself.

pub mod repair;
pub mod verify;

operations! { repair, verify }
