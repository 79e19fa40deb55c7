//! The methods of the socket: the same operations under the names of the agent seed and of its host
//! interface.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use soul_engine::ops::payload::{Asker, Authorship, check, inspect as inspected};
use soul_engine::ops::{Error, Grant, Subject, delete, history, inspect, rollback, session, write};
use soul_engine::store::Party;
use soul_engine::workspace::{AgentName, Target};
use soul_engine::{Keeper, ops};

use super::envelope::Refusal;
use crate::app::App;
use crate::auth::{Caller, bad_token, holder, token_required};

/// What every method may be given besides a token.
#[derive(Deserialize)]
struct Params {
    agent_name: Option<String>,
    session_id: Option<String>,
    body: Option<String>,
    expected_digest: Option<String>,
    revision_id: Option<String>,
    idempotency_key: Option<String>,
    force: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    create: bool,
    limit: Option<u16>,
    cursor: Option<String>,
}

/// A method: its operation, on parameters that have been read.
type Method = fn(&Keeper, Params, Asker) -> Result<Value, Wrong>;

enum Wrong {
    Params(String),
    Failed(Error),
}

impl<T: Into<Error>> From<T> for Wrong {
    fn from(error: T) -> Self {
        Self::Failed(error.into())
    }
}

/// Every method: its name, its name for extensions, what it has to be granted, the operation.
const METHODS: &[(&str, &str, Grant, Method)] = &[
    ("agent.soul.inspectDefinition", "agents/soul/get", inspect::GRANT, get),
    ("agent.soul.validate", "agents/soul/validate", inspect::GRANT, validate),
    ("agent.soul.put", "agents/soul/put", write::GRANT, put),
    ("agent.soul.delete", "agents/soul/delete", delete::GRANT, remove),
    ("agent.soul.history", "agents/soul/history", history::GRANT, past),
    ("agent.soul.rollback", "agents/soul/rollback", rollback::GRANT, back),
    ("session.soul.refresh", "sessions/soul/refresh", session::refresh::GRANT, refresh),
    ("agent.context.get", "agents/context/get", ops::context::GRANT, compact),
];

/// Calls a method. An extension proves by a token who it is; whoever else may open the socket need not.
pub(super) async fn call(app: &App, peer: &Party, name: &str, mut params: Value) -> Result<Value, Refusal> {
    // Nothing that comes after this sees the token.
    let token = params.as_object_mut().and_then(|params| params.remove("token"));
    let found = METHODS.iter().find(|(own, host, ..)| *own == name || *host == name);
    let (_, host, grant, run) = found.ok_or(Refusal::NoMethod)?;
    let (kind, origin) = if *host == name { ("extension", "host_api") } else { ("token", "socket") };
    let caller = match token {
        Some(Value::String(secret)) => holder(app, kind, secret.into()).await,
        Some(_) => Err(bad_token()),
        None if *host == name => Err(token_required()),
        None => Ok(Caller::local(peer.clone())),
    };
    let caller = caller.and_then(|caller| caller.needs(*grant).map(|()| caller)).map_err(Refusal::Failed)?;
    let params: Params = read(params)?;
    let asker = Asker { actor: caller.actor, origin: Party::new(origin, name) };
    let run = *run;
    let result = app.granted(*grant, move |keeper| match run(keeper, params, asker) {
        Ok(value) => Ok(Ok(value)),
        Err(Wrong::Params(why)) => Ok(Err(why)),
        Err(Wrong::Failed(error)) => Err(error),
    });
    result.await.map_err(Refusal::Failed)?.map_err(Refusal::Params)
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    if !params.is_object() {
        return Err(Refusal::Params("parameters are an object".to_owned()));
    }
    serde_json::from_value(params).map_err(|error| Refusal::Params(error.to_string()))
}

impl Params {
    fn agent(&self) -> Result<AgentName, Wrong> {
        let name = self.agent_name.as_deref().ok_or_else(|| Wrong::Params("`agent_name` is required".to_owned()))?;
        name.parse().map_err(|error: soul_engine::workspace::BadName| Wrong::Params(error.to_string()))
    }

    fn dialect(&self) -> Result<Option<soul_core::model::Dialect>, Wrong> {
        let parsed = self.dialect.as_deref().map(str::parse).transpose();
        parsed.map_err(|error: soul_core::model::UnknownDialect| Wrong::Params(error.to_string()))
    }

    fn authorship(&self, asker: Asker) -> Authorship {
        let (expected_digest, idempotency_key) = (self.expected_digest.clone(), self.idempotency_key.clone());
        Authorship { expected_digest, idempotency_key, force: self.force.clone(), asker }
    }
}

fn told(answer: &impl serde::Serialize) -> Result<Value, Wrong> {
    serde_json::to_value(answer).map_err(|error| Wrong::Params(error.to_string()))
}

fn get(keeper: &Keeper, params: Params, _: Asker) -> Result<Value, Wrong> {
    told(&inspected(keeper, &params.agent()?)?)
}

fn validate(keeper: &Keeper, params: Params, _: Asker) -> Result<Value, Wrong> {
    let dialect = params.dialect()?;
    let name = if params.agent_name.is_some() || params.body.is_none() { Some(params.agent()?) } else { None };
    told(&check(keeper, name, params.body, dialect)?)
}

fn put(keeper: &Keeper, params: Params, asker: Asker) -> Result<Value, Wrong> {
    let (agent, dialect, authorship) = (params.agent()?, params.dialect()?, params.authorship(asker));
    let body = params.body.ok_or_else(|| Wrong::Params("`body` is required".to_owned()))?.into_bytes();
    told(&write::run(keeper, write::Request { agent, body, dialect, create: params.create, authorship })?)
}

fn remove(keeper: &Keeper, params: Params, asker: Asker) -> Result<Value, Wrong> {
    let (agent, authorship) = (params.agent()?, params.authorship(asker));
    told(&delete::run(keeper, delete::Request { agent, authorship })?)
}

fn past(keeper: &Keeper, params: Params, _: Asker) -> Result<Value, Wrong> {
    let limit = match params.limit {
        None => history::DEFAULT_LIMIT,
        Some(limit @ 1..=1000) => usize::from(limit),
        Some(_) => return Err(Wrong::Params("`limit` is from 1 to 1000".to_owned())),
    };
    let agent = params.agent()?;
    let request = history::Request { agent, limit, cursor: params.cursor, bodies: false, diffs: false };
    told(&history::run(keeper, request)?)
}

fn back(keeper: &Keeper, params: Params, asker: Asker) -> Result<Value, Wrong> {
    let (agent, authorship) = (params.agent()?, params.authorship(asker));
    let revision = params.revision_id.ok_or_else(|| Wrong::Params("`revision_id` is required".to_owned()))?.into();
    told(&rollback::run(keeper, rollback::Request { agent, revision, dry_run: false, authorship })?)
}

fn refresh(keeper: &Keeper, params: Params, asker: Asker) -> Result<Value, Wrong> {
    let session = params.session_id.ok_or_else(|| Wrong::Params("`session_id` is required".to_owned()))?.into();
    let request = session::refresh::Request { session, expected_digest: params.expected_digest, asker };
    told(&session::refresh::run(keeper, request)?.turned())
}

fn compact(keeper: &Keeper, params: Params, _: Asker) -> Result<Value, Wrong> {
    let subject = match (&params.session_id, &params.agent_name) {
        (Some(id), None) => Subject::Session(id.clone().into()),
        (None, Some(_)) => Subject::Target(Target::Agent(params.agent()?), None),
        _ => return Err(Wrong::Params("give `session_id` or `agent_name`, one of them".to_owned())),
    };
    told(&ops::context::run(keeper, subject)?)
}
