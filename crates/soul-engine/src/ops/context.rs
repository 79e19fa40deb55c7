//! Say which soul it is, in a few hundred bytes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;
use soul_core::prompt::{Compact, Persona, Status};

use super::{Error, Hints, Lifetime, Operation, inspect};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::freshness::{Sources, Subject as Recorded};
use crate::ids::SessionId;
use crate::library::chain;
use crate::persona;
use crate::references;
use crate::sessions;
use crate::souls::{Loader, Resolved, Subject, Target};
use crate::store::{Session, SoulSource, SoulStatus};

/// Say which soul an agent or a session has, in a few hundred bytes and never with its body.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub subject: Subject,
    /// The dialect to read it in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
}

/// The compact context.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentContext")]
pub struct Response {
    /// The agent, if it is one by name.
    pub agent: Option<String>,
    /// The session.
    pub session_id: Option<SessionId>,
    /// The soul.
    pub soul: Compact,
    /// Which soul of the library it is, and why, if it is not the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
    /// When the persona changes by itself, in seconds since 1970; `None` if it does not.
    #[serde(skip)]
    pub steady_until: Option<i64>,
}

impl Operation for Request {
    const NAME: &'static str = "context";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        match self.subject {
            Subject::Target(target) => of_target(keeper, &target, self.dialect),
            // No file is read: a session is bound to what it was started with.
            Subject::Session(id) => {
                let session = sessions::find(keeper, &id)?;
                let soul = of_session(keeper, &session)?;
                Ok(Response {
                    agent: session.agent,
                    session_id: Some(session.id),
                    soul,
                    soul_source: session.soul_source,
                    steady_until: None,
                })
            }
        }
    }

    fn is_local(&self) -> bool {
        self.subject.is_path()
    }

    fn sources(&self, keeper: &Keeper) -> Option<Sources> {
        match &self.subject {
            // Whose id a part of one is may change with every session that starts.
            Subject::Session(id) if !references::is_whole(id) => None,
            Subject::Session(id) => Some(Sources { files: Vec::new(), records: vec![Recorded::Session(id.clone())] }),
            Subject::Target(Target::Agent(name)) => {
                if inspect::has_folders(keeper, name) {
                    None
                } else {
                    inspect::agent_sources(keeper, name)
                }
            }
            Subject::Target(_) => None,
        }
    }

    fn lifetime(response: &Response) -> Lifetime {
        match response.steady_until {
            // What a session says is part of its row.
            _ if response.session_id.is_some() => Lifetime::Unlimited,
            // An agent without a soul of its own has one of the library, which does not depend on its files alone.
            _ if response.soul_source.is_some() || !response.soul.present => Lifetime::None,
            Some(seconds) => Lifetime::Until(seconds),
            None => Lifetime::Unlimited,
        }
    }
}

fn of_target(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<Response, Error> {
    let agent = target.agent().map(|name| keeper.agent(name)).transpose()?;
    let own = Loader::new(keeper, dialect).target(target)?;
    let choice = if agent.is_some() { chain::fallback(keeper, &own)? } else { None };
    let (soul, soul_source) = choice.map_or((own, None), |choice| (choice.soul, Some(choice.source)));
    let (persona, steady_until) = match &agent {
        _ if !soul.is_active() => (None, None),
        Some(agent) => persona::effective_until(keeper, agent, &soul.soul)?,
        None => (Some(Persona::baseline(&soul.soul)).filter(|persona| !persona.is_empty()), None),
    };
    let agent = agent.map(|agent| agent.name.as_str().to_owned());
    Ok(Response { agent, session_id: None, soul: compact(keeper, &soul, persona), soul_source, steady_until })
}

fn compact(keeper: &Keeper, soul: &Resolved, persona: Option<Persona>) -> Compact {
    let settings = keeper.settings.soul;
    let empty = Compact {
        enabled: settings.enabled,
        present: soul.is_present(),
        digest: soul.digest,
        source_path: soul.source_path.clone(),
        role: String::new(),
        truncated: false,
        snapshot_id: None,
        active: Some(soul.is_active()),
        valid: Some(soul.is_valid()),
        validation_status: Some(soul.status),
        tone: Some(Vec::new()),
        principles: Some(Vec::new()),
        persona: None,
    };
    let compact = if soul.is_valid() { Compact { persona, ..empty.with_soul(&soul.soul) } } else { empty };
    compact.within(settings.limits.context_projection_bytes)
}

fn of_session(keeper: &Keeper, session: &Session) -> Result<Compact, Error> {
    let snapshot = sessions::snapshot(keeper, session)?;
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
