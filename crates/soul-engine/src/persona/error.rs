use soul_core::persona::Trait;
use soul_core::text::{shown, visible};

use super::{MAX_OVERLAY_SECONDS, MAX_SESSION, MAX_TEXT};
use crate::authoring;
use crate::fault::{Fault, Kind};
use crate::ids::MutationId;
use crate::library;
use crate::souls;
use crate::store;
use crate::workspace::AgentName;

/// Why a persona was not shown or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// HEXACO has no such trait; one may have been meant.
    #[error("{} is not one of the six traits", shown(.0))]
    UnknownTrait(String, Option<Trait>),
    /// The reason is blank or too long.
    #[error("a reason is required, of at most {MAX_TEXT} bytes")]
    BadReason,
    /// The number cannot be added to anything.
    #[error("`{0}` is not a finite number")]
    NotFinite(f64),
    /// The name of the session is blank or too long.
    #[error("the name of a session has 1 to {MAX_SESSION} bytes")]
    BadSession,
    /// An agent without a soul has no persona that a change could show in.
    #[error("the agent `{0}` has no soul, so it has no persona to change")]
    NoPersona(AgentName),
    /// The soul switches moods off.
    #[error("the soul of `{0}` disables moods")]
    MoodsOff(AgentName),
    /// The soul does not allow the mood.
    #[error("the mood {} is not allowed", shown(.mood))]
    MoodNotAllowed {
        /// The mood.
        mood: String,
        /// The moods that the soul allows.
        allowed: Vec<String>,
    },
    /// Traces, a relationship, rules or a context that cannot be used.
    #[error("{0} cannot be used: {1}")]
    BadInput(&'static str, String),
    /// The request both sets the mood and reports an event.
    #[error("give either `set` or `event`")]
    SetAndEvent,
    /// The request both adds and removes overlays.
    #[error("give either `rules` or `clear`")]
    RulesAndClear,
    /// A context decides which rules apply, and there are none.
    #[error("`context` needs `rules`")]
    ContextWithoutRules,
    /// An overlay cannot last so long.
    #[error("`seconds` is {0}, but must be from 1 to {MAX_OVERLAY_SECONDS}")]
    BadSeconds(u32),
    /// The persona has no such step, or it was reverted.
    #[error("there is no step `{0}` to revert to")]
    MutationNotFound(MutationId),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The library could not be read.
    #[error(transparent)]
    Library(#[from] library::Error),
    /// The agent must not be changed.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::UnknownTrait(_, near) => {
                let all = Trait::ALL.map(Trait::as_str).join(", ");
                let hint = near.map_or(format!("the traits are {all}"), |near| format!("did you mean `{near}`?"));
                Fault::new(Kind::Usage, "unknown_trait", hint)
            }
            Self::BadReason => Fault::new(Kind::Usage, "bad_reason", "give a reason in one sentence; it is recorded"),
            Self::NotFinite(_) => Fault::new(Kind::Usage, "not_finite", "give a number such as 0.05 or -0.05"),
            Self::BadSession => {
                Fault::new(Kind::Usage, "bad_session", "any short name works, such as the id of a session or a date")
            }
            Self::NoPersona(_) => Fault::new(
                Kind::Conflict,
                "no_soul",
                "create a SOUL.md with `soul edit`, or let agents without one use a soul of the library with `[agents.soul] fallback = \"library\"`",
            ),
            Self::MoodsOff(_) => Fault::new(
                Kind::Invalid,
                "moods_off",
                "set `moodAdaptation.enabled` to true in its persona, or leave it out",
            ),
            Self::MoodNotAllowed { allowed, .. } if allowed.is_empty() => {
                Fault::bare(Kind::Invalid, "mood_not_allowed")
            }
            Self::MoodNotAllowed { allowed, .. } => {
                let allowed: Vec<_> = allowed.iter().map(|mood| visible(mood)).collect();
                Fault::new(Kind::Invalid, "mood_not_allowed", format!("the soul allows {}", allowed.join(", ")))
            }
            Self::BadInput(..) => Fault::new(Kind::Invalid, "bad_input", "docs/persona.md describes the format"),
            Self::SetAndEvent | Self::RulesAndClear | Self::ContextWithoutRules | Self::BadSeconds(_) => {
                Fault::bare(Kind::Usage, "bad_request")
            }
            Self::MutationNotFound(_) => Fault::new(
                Kind::NotFound,
                "mutation_not_found",
                "`soul persona history` lists the steps; a reverted step cannot be the target",
            ),
            Self::Soul(error) => error.fault(),
            Self::Library(error) => error.fault(),
            Self::Authoring(error) => error.fault(),
            Self::Store(error) => error.fault(),
        }
    }
}
