//! A soul in a few hundred bytes: which one it is, not what it says.

use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::Profile;
use soul_core::prompt::{Compact, Persona, Status};

pub use super::Subject as Request;
use super::{Error, Grant, Subject, inspect, persona};
use crate::Keeper;
use crate::ids::SessionId;
use crate::library::chain;
use crate::store::{Session, SoulSource, SoulStatus};
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// The compact context.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The agent, if it is one by name.
    pub agent: Option<String>,
    /// The session.
    pub session_id: Option<SessionId>,
    /// The soul.
    pub soul: Compact,
    /// Which soul of the library it is, and why, if it is not the agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
}

/// Makes the compact context. For a session no file is read.
///
/// # Errors
/// When there is nothing to tell of.
pub fn run(keeper: &Keeper, subject: Subject) -> Result<Response, Error> {
    match subject {
        Subject::Target(target, dialect) => {
            let agent = match &target {
                Target::Agent(name) | Target::Proposal(name, _) => Some(name.as_str().to_owned()),
                Target::Path(_) | Target::Text(_) => None,
            };
            let named = match &target {
                Target::Agent(name) | Target::Proposal(name, _) => Some(keeper.agent(name)?),
                Target::Path(_) | Target::Text(_) => None,
            };
            let request = inspect::Request { target, dialect, profile: Profile::Lenient };
            let own = inspect::run(keeper, request)?;
            let taken = if agent.is_some() { chain::in_place_of(keeper, &own)? } else { None };
            let (inspected, soul_source) = taken.map_or((own, None), |taken| (taken.soul, Some(taken.source)));
            let persona = match named {
                _ if !inspected.active => None,
                Some(agent) => persona::of_agent(keeper, &agent, &inspected.soul)?,
                None => Some(Persona::baseline(&inspected.soul)).filter(|persona| !persona.is_empty()),
            };
            Ok(Response { agent, session_id: None, soul: compact(keeper, &inspected, persona), soul_source })
        }
        Subject::Session(id) => {
            let session = super::session::find(keeper, &id)?;
            let soul = of_session(keeper, &session)?;
            Ok(Response { agent: session.agent, session_id: Some(id), soul, soul_source: session.soul_source })
        }
    }
}

/// A soul as it is now.
#[must_use]
fn compact(keeper: &Keeper, inspected: &inspect::Response, persona: Option<Persona>) -> Compact {
    let settings = keeper.settings.soul;
    let empty = Compact {
        enabled: settings.enabled,
        present: inspected.present,
        digest: inspected.digest,
        source_path: inspected.source_path.clone(),
        role: String::new(),
        truncated: false,
        snapshot_id: None,
        active: Some(inspected.active),
        valid: Some(inspected.valid),
        validation_status: Some(inspected.validation_status),
        tone: Some(Vec::new()),
        principles: Some(Vec::new()),
        persona: None,
    };
    let told = if inspected.valid { Compact { persona, ..empty.with_soul(&inspected.soul) } } else { empty };
    told.within(settings.limits.context_projection_bytes)
}

fn of_session(keeper: &Keeper, session: &Session) -> Result<Compact, Error> {
    let snapshot = super::session::snapshot(keeper, session)?;
    let Some((id, profile, digest)) = snapshot.map(|snapshot| (snapshot.id, snapshot.profile, snapshot.digest)) else {
        let off = session.soul_status == SoulStatus::Inactive;
        return Ok(Compact {
            enabled: !off,
            present: off,
            digest: None,
            source_path: String::new(),
            role: String::new(),
            truncated: false,
            snapshot_id: None,
            active: Some(false),
            valid: Some(true),
            validation_status: Some(if off { Status::Inactive } else { Status::Missing }),
            tone: Some(Vec::new()),
            principles: Some(Vec::new()),
            persona: None,
        });
    };
    let whole = Compact {
        enabled: true,
        present: true,
        digest: Some(digest),
        source_path: profile.source_path,
        role: profile.role,
        truncated: false,
        snapshot_id: Some(id.as_str().to_owned()),
        active: Some(true),
        valid: Some(true),
        validation_status: Some(Status::Valid),
        tone: Some(profile.tone),
        principles: Some(profile.principles),
        persona: session.persona.clone(),
    };
    Ok(whole.within(profile.context_projection_bytes))
}
