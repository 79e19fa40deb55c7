use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use soul_core::persona::Trait;
use soul_core::scan::Report;
use soul_core::text::shown;

use crate::chat;
use crate::files;
use crate::ids::{MutationId, RevisionId, RunId, SessionId, TokenId};
use crate::library;
use crate::ops::{Grant, inspect, memory, persona};
use crate::store::{self, Refusal, Role, RunState};
use crate::workspace::{AgentName, BadName};

/// What does not fit between the soul and what the asker believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// A digest was given, and there is no file.
    #[error("a digest was expected, but there is no SOUL.md")]
    Absent,
    /// There is a file, and no digest was given.
    #[error("SOUL.md exists, so the digest that you have seen is required")]
    DigestRequired,
    /// The file is another than the digest says.
    #[error("the soul is not the one that was expected")]
    Stale,
    /// The idempotency key stands for another request.
    #[error("the idempotency key was used for another request")]
    KeyUsed,
    /// The session is bound to another soul.
    #[error("the session is not bound to the soul that was expected")]
    OtherSession,
    /// A run of the session is under way.
    #[error("the run `{0}` of the session is under way")]
    LiveRun(RunId),
}

/// What kind of failure it is, from which exit codes and HTTP statuses follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The content that was given is at fault.
    Invalid,
    /// The question was.
    Usage,
    /// The world is not what the asker believed.
    Conflict,
    /// It is not there.
    NotFound,
    /// It could not be done.
    Unable,
}

/// Why an operation could not be done. What is wrong with a soul is not among these: that is a
/// diagnostic of the answer.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Error {
    /// Nothing is at the path.
    #[error("there is nothing at `{0}`")]
    NotFound(String),
    /// The directory has no soul.
    #[error("there is no soul in `{0}`")]
    NoSoul(String),
    /// There is a soul, and it is no package.
    #[error("`{0}` is not a package")]
    NoPackage(String),
    /// The manifest cannot go where it is told.
    #[error("{0}")]
    CannotMigrate(String),
    /// The file could not be written.
    #[error("`{0}` could not be written: {1}")]
    Unwritable(String, String),
    /// A file that was named beside the targets cannot be read.
    #[error("`{0}` could not be read: {1}")]
    Unreadable(String, String),
    /// A rule file that cannot be run as a whole.
    #[error("the rules of `{0}` cannot be used: {1}")]
    BadRules(String, String),
    /// A baseline that is none.
    #[error("`{0}` is not a baseline: {1}")]
    BadBaseline(String, String),
    /// The scanner has no such rule.
    #[error("there is no rule `{0}`")]
    NoRule(String),
    /// No root has the agent.
    #[error("there is no agent `{0}`")]
    AgentNotFound(AgentName),
    /// The agent's directory is there and may not be opened.
    #[error("the directory of the agent `{0}` was not opened: {1}")]
    AgentUnreadable(AgentName, String),
    /// The text is not the name of an agent.
    #[error(transparent)]
    BadName(#[from] BadName),
    /// The folder could not be listed.
    #[error("`{0}` could not be listed: {1}")]
    Unlistable(String, String),
    /// There is no directory in which a memory could be.
    #[error("there is no directory `{0}`")]
    NoMemory(String),
    /// The memory has no such file.
    #[error("the memory has no file {}", shown(.0))]
    NotInMemory(String),
    /// The file is there and is not to be read.
    #[error("{} was not read: {}", shown(.0), .1)]
    Refused(String, String),
    /// The file has no such section.
    #[error("there is no {0} in `{1}`")]
    NoSection(String, String),
    /// The text is empty.
    #[error("there is nothing to add")]
    NothingToAdd,
    /// The text is too long.
    #[error("the text is larger than {} MiB, the most that is added at once", memory::add::MAX_TEXT >> 20)]
    TooMuchToAdd,
    /// The topic cannot be part of a file's name.
    #[error("{} cannot be a topic", shown(.0))]
    BadTopic(String),
    /// There is no home in which to keep what is taken out.
    #[error("there is no home to keep what is forgotten in")]
    NoHome,
    /// Nothing was taken out, or all of it is back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// What stood around the section is no longer there.
    #[error("`{0}` has changed too much to bring the section back")]
    CannotUndo(String, u32),
    /// The agent belongs to another system, in whose place it is read.
    #[error("the agent `{0}` belongs to another system and is only read")]
    ForeignAgent(AgentName),
    /// Another writer has the agent.
    #[error("the agent `{0}` is being changed by another program")]
    AgentLocked(AgentName),
    /// The file is too large to be taken into the record before it is replaced.
    #[error("the SOUL.md of `{0}` is larger than 1 MiB and cannot be taken into the record")]
    TooLargeToAdopt(AgentName),
    /// The text is too large to be kept on record.
    #[error("the text is larger than 1 MiB, the most that is kept on record")]
    TooLargeToKeep,
    /// Somebody else took the change off the record while it was made.
    #[error("another keeper changed the record of `{0}` while this was written")]
    Displaced(AgentName),
    /// A file that belongs to the soul cannot be read.
    #[error("`{0}` was not read: {1}")]
    Layer(String, String),
    /// The soul is not what the asker believed it to be.
    #[error("{conflict}")]
    Conflict {
        /// What does not fit.
        conflict: Conflict,
        /// What names the soul as it is, if there is one.
        current_digest: Option<String>,
    },
    /// There is nothing to remove.
    #[error("there is no soul at `{0}`")]
    SoulMissing(String),
    /// The soul has no such revision, or it is one without a text.
    #[error("there is no revision `{0}` to go back to")]
    RevisionNotFound(RevisionId),
    /// HEXACO has no such trait; one may have been meant.
    #[error("{} is not one of the six traits", shown(.0))]
    UnknownTrait(String, Option<Trait>),
    /// A persona is not changed for no reason.
    #[error("a reason is required, of at most {} bytes", persona::MAX_TEXT)]
    BadReason,
    /// The number cannot be added to anything.
    #[error("`{0}` is not a finite number")]
    NotFinite(f64),
    /// The name of a session is none, or too long to be kept.
    #[error("the name of a session has 1 to {} bytes", persona::MAX_SESSION)]
    BadSession,
    /// An agent without a soul has no persona that a change could show in.
    #[error("the agent `{0}` has no soul, and so no persona that could change")]
    NoPersona(AgentName),
    /// The soul does not allow its mood to change.
    #[error("the soul of `{0}` switches moods off, so its mood does not change")]
    MoodsOff(AgentName),
    /// The soul does not allow the mood.
    #[error("the mood {} is not allowed", shown(.0))]
    MoodNotAllowed(String, Vec<String>),
    /// What was given as traces, a relationship, rules or a context is none.
    #[error("{0} cannot be used: {1}")]
    BadInput(Cow<'static, str>, String),
    /// The persona has no such step, or it was taken back.
    #[error("there is no step `{0}` to go back to")]
    MutationNotFound(MutationId),
    /// There is no such session.
    #[error("there is no session `{0}`")]
    SessionNotFound(SessionId),
    /// The session has been stopped.
    #[error("the session `{0}` has been stopped")]
    SessionStopped(SessionId),
    /// There is no such run.
    #[error("there is no run `{0}`")]
    RunNotFound(RunId),
    /// The run is over.
    #[error("the run `{0}` is over: it is {1}")]
    RunOver(RunId, RunState),
    /// There is no such token.
    #[error("there is no token `{0}`")]
    TokenNotFound(TokenId),
    /// A token cannot grant more than its role.
    #[error("the role {0} does not have the grant {1}")]
    BeyondRole(Role, Grant),
    /// The name of a token stands in every record of what is done with it.
    #[error("the name of a token has 64 bytes at most")]
    LongTokenName,
    /// Not a place in a list that was given out.
    #[error("`{0}` is not a cursor of this list")]
    BadCursor(String),
    /// The workspace has no name, and none can be given.
    #[error("the id of the workspace could not be used: {0}")]
    Workspace(String),
    /// The library did not do it.
    #[error(transparent)]
    Library(#[from] library::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The scanner is sure that the text is poisoned, or could not judge it.
    #[error("the scanner refuses the text of `{0}`")]
    Poisoned(String, Box<Report>),
    /// There is no file of probes.
    #[error("there are no probes at `{0}`")]
    NoProbes(String),
    /// No endpoint has such an address. It may hold a secret, so it is not repeated.
    #[error("this is not the address of an endpoint")]
    BadAddress,
    /// A model was asked, and did not answer.
    #[error("the model {} was not tested: {}", shown(.0), .1)]
    Model(String, chat::Error),
    /// An answer was never recorded, or to another prompt.
    #[error("the answer of {} to {} is not recorded in `{}`", shown(.model), shown(.probe), .directory)]
    NoCassette {
        /// Whose answer.
        model: String,
        /// To what.
        probe: String,
        /// Where it was looked for.
        directory: String,
    },
    /// A recorded answer that is none.
    #[error("`{0}` is not a recorded answer: {1}")]
    BadCassette(String, String),
    /// The soul is invalid, and the operation needs a valid one.
    #[error("the soul at `{}` is not valid", .0.source_path)]
    Invalid(Box<inspect::Response>),
}

impl Error {
    /// What kind of failure it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.told().0
    }

    /// The stable name of it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.told().1
    }

    const fn told(&self) -> (Kind, &'static str) {
        match self {
            Self::NotFound(_) | Self::NoSoul(_) | Self::NoPackage(_) => (Kind::NotFound, "not_found"),
            Self::AgentNotFound(_) => (Kind::NotFound, "agent_not_found"),
            Self::SoulMissing(_) => (Kind::NotFound, "soul_missing"),
            Self::RevisionNotFound(_) => (Kind::NotFound, "revision_not_found"),
            Self::MutationNotFound(_) => (Kind::NotFound, "mutation_not_found"),
            Self::UnknownTrait(..) => (Kind::Usage, "unknown_trait"),
            Self::BadReason => (Kind::Usage, "bad_reason"),
            Self::NotFinite(_) => (Kind::Usage, "not_finite"),
            Self::BadSession => (Kind::Usage, "bad_session"),
            Self::NoPersona(_) => (Kind::Conflict, "no_soul"),
            Self::MoodsOff(_) => (Kind::Invalid, "moods_off"),
            Self::MoodNotAllowed(..) => (Kind::Invalid, "mood_not_allowed"),
            Self::BadInput(..) => (Kind::Invalid, "bad_input"),
            Self::SessionNotFound(_) => (Kind::NotFound, "session_not_found"),
            Self::RunNotFound(_) => (Kind::NotFound, "run_not_found"),
            Self::TokenNotFound(_) => (Kind::NotFound, "token_not_found"),
            Self::BeyondRole(..) => (Kind::Usage, "beyond_role"),
            Self::LongTokenName => (Kind::Usage, "bad_token_name"),
            Self::Invalid(_) => (Kind::Invalid, "soul_invalid"),
            Self::Poisoned(..) => (Kind::Invalid, "soul_poisoned"),
            Self::Layer(..) => (Kind::Invalid, "layer_unreadable"),
            Self::CannotMigrate(_) => (Kind::Invalid, "cannot_migrate"),
            Self::BadName(_) => (Kind::Usage, "bad_agent_name"),
            Self::BadCursor(_) => (Kind::Usage, "bad_cursor"),
            Self::Conflict { .. } => (Kind::Conflict, "soul_conflict"),
            Self::SessionStopped(_) => (Kind::Conflict, "session_stopped"),
            Self::RunOver(..) => (Kind::Conflict, "run_over"),
            Self::NoMemory(_) | Self::NotInMemory(_) | Self::NothingToUndo => (Kind::NotFound, "not_found"),
            Self::NoSection(..) => (Kind::NotFound, "section_not_found"),
            Self::Refused(..) => (Kind::Invalid, "refused"),
            Self::NothingToAdd | Self::TooMuchToAdd => (Kind::Invalid, "bad_text"),
            Self::BadTopic(_) => (Kind::Usage, "bad_topic"),
            Self::CannotUndo(..) => (Kind::Conflict, "memory_conflict"),
            Self::NoHome => (Kind::Unable, "no_home"),
            Self::NoRule(_) => (Kind::NotFound, "not_found"),
            Self::Unreadable(..) => (Kind::Unable, "io"),
            Self::BadRules(..) => (Kind::Unable, "bad_rules"),
            Self::BadBaseline(..) => (Kind::Unable, "bad_baseline"),
            Self::AgentUnreadable(..) => (Kind::Unable, "path_escape"),
            Self::ForeignAgent(_) => (Kind::Unable, "agent_read_only"),
            Self::AgentLocked(_) => (Kind::Unable, "agent_locked"),
            Self::TooLargeToAdopt(_) => (Kind::Unable, "too_large_to_adopt"),
            Self::TooLargeToKeep => (Kind::Invalid, "too_large_to_keep"),
            Self::Displaced(_) => (Kind::Unable, "displaced"),
            Self::Unwritable(..) | Self::Unlistable(..) | Self::Workspace(_) => (Kind::Unable, "io"),
            Self::NoProbes(_) => (Kind::NotFound, "not_found"),
            Self::BadAddress => (Kind::Usage, "bad_address"),
            Self::Model(..) => (Kind::Unable, "model_unavailable"),
            Self::NoCassette { .. } => (Kind::Unable, "cassette_missing"),
            Self::BadCassette(..) => (Kind::Unable, "bad_cassette"),
            Self::Library(error) => error.told(),
            Self::Store(error) => (Kind::Unable, error.code()),
        }
    }

    /// The same, with all that people need to see it, for whoever asked from afar.
    pub(super) fn carrying(mut self) -> Self {
        if let Self::Invalid(soul) = &mut self {
            soul.carry();
        }
        self
    }

    pub(crate) fn workspace(error: std::io::Error) -> Self {
        Self::Workspace(files::plain(&error))
    }

    /// What a transaction decided against, about a session.
    pub(crate) fn session(id: &SessionId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stopped => Self::SessionStopped(id.clone()),
            Refusal::OtherDigest(current) => Self::Conflict {
                conflict: Conflict::OtherSession,
                current_digest: current.map(|digest| digest.to_string()),
            },
            Refusal::LiveRun(run) => Self::Conflict { conflict: Conflict::LiveRun(run), current_digest: None },
            Refusal::NoSession | Refusal::NoRun | Refusal::RunOver(_) => Self::SessionNotFound(id.clone()),
        }
    }

    /// What a transaction decided against, about a run.
    pub(crate) fn run(id: &RunId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::RunOver(state) => Self::RunOver(id.clone(), state),
            _ => Self::RunNotFound(id.clone()),
        }
    }
}
