use crate::authoring::{self, Conflict};
use crate::fault::{Fault, Kind};
use crate::ids::{RunId, SessionId};
use crate::library;
use crate::persona;
use crate::references;
use crate::souls;
use crate::store::{self, Refusal, RunState};

/// Why a session or a run was not started or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such session.
    #[error("there is no session `{0}`")]
    SessionNotFound(SessionId),
    /// The session has been stopped.
    #[error("the session `{0}` has been stopped")]
    SessionStopped(SessionId),
    /// There is no such run.
    #[error("there is no run `{0}`")]
    RunNotFound(RunId),
    /// The run has ended.
    #[error("the run `{0}` has ended: it is {1}")]
    RunOver(RunId, RunState),
    /// The id names no single session or run.
    #[error(transparent)]
    Reference(#[from] references::Error),
    /// The soul could not be resolved.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// A change that was cut off could not be completed, or the session is in conflict.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    /// The library could not be read.
    #[error(transparent)]
    Library(#[from] library::Error),
    /// The persona could not be read.
    #[error(transparent)]
    Persona(#[from] persona::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::SessionNotFound(_) => (Kind::NotFound, "session_not_found", "`soul session list` lists the sessions"),
            Self::SessionStopped(_) => (Kind::Conflict, "session_stopped", "`soul session resume` resumes it"),
            Self::RunNotFound(_) => {
                (Kind::NotFound, "run_not_found", "`soul task claim` claims a task and prints the run")
            }
            Self::RunOver(..) => (Kind::Conflict, "run_over", "the task is no longer yours; claim another"),
            Self::Reference(error) => return error.fault(),
            Self::Soul(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
            Self::Library(error) => return error.fault(),
            Self::Persona(error) => return error.fault(),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }

    /// What a transaction refused, about a session.
    pub(crate) fn refused(id: &SessionId, refusal: Refusal) -> Self {
        let conflict = |conflict, current_digest| authoring::Error::Conflict { conflict, current_digest }.into();
        match refusal {
            Refusal::Stopped => Self::SessionStopped(id.clone()),
            Refusal::OtherDigest(current) => conflict(Conflict::OtherSession, current.map(|digest| digest.to_string())),
            Refusal::LiveRun(run) => conflict(Conflict::LiveRun(run), None),
            Refusal::NoSession | Refusal::NoRun | Refusal::RunOver(_) => Self::SessionNotFound(id.clone()),
        }
    }

    /// What a transaction refused, about a run.
    pub(crate) fn run_refused(id: &RunId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::RunOver(state) => Self::RunOver(id.clone(), state),
            _ => Self::RunNotFound(id.clone()),
        }
    }
}
