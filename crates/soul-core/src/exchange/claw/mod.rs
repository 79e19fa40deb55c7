//! CLAW.md: OpenClaw's own package of an agent, a YAML manifest whose body becomes SOUL.md.
//!
//! Recorded from `openclaw claws validate` 2026.9.6; the cases are in `conformance/runtimes/claw.jsonl`.

mod cron;
mod export;
mod import;
mod manifest;
mod read;
mod refine;
mod values;

pub(super) use export::export;
pub(super) use import::{import, is_claw};
pub use read::{Problem, Reading, read};
