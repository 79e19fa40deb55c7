//! The persona of an agent and how it changes: six traits with a baseline from the soul, bounded adaptation that
//! fades, moods, overlays by rule, and drift proposed from experience.
//!
//! Pure functions over plain values: callers pass the time and store the [`State`]. Nothing here edits what the author
//! wrote. Formulas and constants follow AgentOS where it has them, recorded in `conformance/hexaco-*.json`;
//! `docs/persona.md` lists all of them.

mod adapt;
mod drift;
mod mood;
mod mutations;
mod overlay;
mod pad;
mod radar;
mod state;
mod traits;

pub use adapt::{Adapted, Bounds, Clamp, Refused, adapt, check};
pub use drift::{Drift, Proposal, Relationship, Trace, drift};
pub use mood::{Feeling, Mood, Moods};
pub use mutations::{Mutation, RemainingEffect, adapted_traits, remaining_effects};
pub use overlay::{Evaluated, NotAllowed, Overlay, Patch, Rule, Trigger, evaluate, resolve};
pub use pad::Pad;
pub use radar::radar;
pub use state::{Effective, State, Tempo};
pub use traits::{Trait, Traits};
