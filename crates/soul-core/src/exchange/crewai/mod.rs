//! agents.yaml of CrewAI: role, goal and backstory of each agent.
//!
//! Recorded from crewai 1.15.30; the cases are in `conformance/runtimes/crewai.jsonl`.

mod export;
mod import;
mod read;

pub(super) use export::export;
pub(super) use import::{import, is_agents};
pub use read::{interpolated, read};
