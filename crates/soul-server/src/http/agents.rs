use std::path::PathBuf;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use soul_core::formats::agentos::COMPANIONS;
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::model::Dialect;
use soul_engine::ops::diff::Side;
use soul_engine::ops::payload::{Asker, Authorship, Changed};
use soul_engine::ops::prompt::{Now, Part};
use soul_engine::ops::{self, Subject, delete, history, rollback, write};
use soul_engine::workspace::Target;
use utoipa::{IntoParams, ToSchema};

use super::body::{Agent, Asked, Body, By, dialect, limit};
use super::{Answer, schemas};
use crate::app::App;
use crate::cache::Witness;
use crate::failure::Failure;

/// All agents, by name.
#[utoipa::path(get, path = "/api/agents", tag = "agents",
    responses((status = 200, body = schemas::Agents), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn list(State(app): State<App>) -> Answer<ops::agents::Response> {
    app.run(ops::agents::run).await.map(Json)
}

/// An agent's soul, valid or not.
#[utoipa::path(get, path = "/api/agents/{name}/soul", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128)),
    responses((status = 200, body = schemas::Soul), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn show(State(app): State<App>, Agent(name): Agent) -> Result<Response, Failure> {
    let question = format!("soul {}", name.as_str());
    let answer = app.remembered(question, move |keeper| {
        let witness = Witness::of(read_of(keeper.agent_paths(&name)));
        let soul = ops::payload::inspect(keeper, &name)?;
        // A package is read from more files than are worth watching.
        let witness = (soul.inspected.dialect != Some(Dialect::Soulspec)).then_some(witness);
        Ok((soul, witness))
    });
    answer.await.map(json)
}

/// Everything that an answer about a soul may depend on: in the directories up to the one that wins.
pub(super) fn read_of(directories: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for directory in directories {
        let wins = directory.is_dir();
        paths.push(directory.clone());
        if wins {
            let companions = COMPANIONS.iter().map(|(name, ..)| *name);
            let names = ["SOUL.md", "persona.json", "examples"].into_iter().chain(MANIFESTS).chain(companions);
            paths.extend(names.map(|name| directory.join(name)));
            break;
        }
    }
    paths
}

pub(super) fn json(answer: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], answer).into_response()
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Put {
    /// The new text.
    body: String,
    /// The digest, canonical or raw, of the soul that you have seen; required if there is one.
    expected_digest: Option<String>,
    /// The same key twice is the same request.
    idempotency_key: Option<String>,
    /// The dialect that holds from here on, instead of the one that the text shows.
    #[schema(value_type = Option<schemas::Dialect>)]
    dialect: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    force: Option<String>,
    /// Whether an agent that is not there is made.
    #[serde(default)]
    create: bool,
}

/// Write an agent's soul, on record and never over what you have not seen.
#[utoipa::path(put, path = "/api/agents/{name}/soul", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128)),
    request_body = Put,
    responses((status = 200, body = schemas::Changed), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn put(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Put>,
) -> Answer<Changed> {
    let request = write::Request {
        agent,
        body: asked.body.into_bytes(),
        dialect: dialect(asked.dialect.as_deref())?,
        create: asked.create,
        authorship: authorship(asked.expected_digest, asked.idempotency_key, asked.force, asker),
    };
    app.change(|keeper| write::run(keeper, request)).await.map(Json)
}

fn authorship(
    expected_digest: Option<String>,
    idempotency_key: Option<String>,
    force: Option<String>,
    asker: Asker,
) -> Authorship {
    let idempotency_key = idempotency_key.filter(|key| !key.is_empty());
    let force = force.filter(|reason| !reason.trim().is_empty());
    Authorship { expected_digest, idempotency_key, force, asker }
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Delete {
    /// The digest, canonical or raw, of the soul that you have seen.
    expected_digest: Option<String>,
    /// The same key twice is the same request.
    idempotency_key: Option<String>,
}

/// Remove an agent's soul; what it was stays on record.
#[utoipa::path(delete, path = "/api/agents/{name}/soul", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128)),
    request_body = Option<Delete>,
    responses((status = 200, body = schemas::Changed), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn delete(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Delete>,
) -> Answer<Changed> {
    let authorship = authorship(asked.expected_digest, asked.idempotency_key, None, asker);
    app.change(|keeper| delete::run(keeper, delete::Request { agent, authorship })).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct Rollback {
    /// The revision, as the history shows it.
    revision_id: String,
    /// The digest, canonical or raw, of the soul that you have seen.
    expected_digest: Option<String>,
    /// The same key twice is the same request.
    idempotency_key: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    force: Option<String>,
    /// Whether only to tell what would change.
    #[serde(default)]
    dry_run: bool,
}

/// Bring an earlier text of a soul back, under today's rules.
#[utoipa::path(post, path = "/api/agents/{name}/soul/rollback", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128)),
    request_body = Rollback,
    responses((status = 200, body = schemas::RolledBack), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn rollback(
    State(app): State<App>,
    Agent(agent): Agent,
    By(asker): By,
    Body(asked): Body<Rollback>,
) -> Answer<rollback::Response> {
    let request = rollback::Request {
        agent,
        revision: asked.revision_id.into(),
        dry_run: asked.dry_run,
        authorship: authorship(asked.expected_digest, asked.idempotency_key, asked.force, asker),
    };
    app.change(|keeper| rollback::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// The most revisions, from 1 to 1000.
    #[param(minimum = 1, maximum = 1000)]
    pub(super) limit: Option<i64>,
    /// Where the page before ended.
    #[param(pattern = "^[0-9]{0,18}$")]
    pub(super) cursor: Option<String>,
    /// Whether the texts are wanted too.
    pub(super) bodies: Option<bool>,
    /// Whether what changed in the text is wanted too.
    pub(super) diffs: Option<bool>,
}

/// Who changed a soul, when, and to what; newest first.
#[utoipa::path(get, path = "/api/agents/{name}/soul/history", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128), Page),
    responses((status = 200, body = schemas::History), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn history(
    State(app): State<App>,
    Agent(agent): Agent,
    Asked(page): Asked<Page>,
) -> Answer<history::Response> {
    let request = history::Request {
        agent,
        limit: limit(page.limit, history::DEFAULT_LIMIT)?,
        cursor: page.cursor,
        bodies: page.bodies.unwrap_or_default(),
        diffs: page.diffs.unwrap_or_default(),
    };
    app.run(|keeper| history::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Between {
    /// A revision, or `file`; the last revision if nothing is said.
    from: Option<String>,
    /// A revision, or `file`; the file if nothing is said.
    to: Option<String>,
}

/// What changed in a soul, by meaning and by lines.
#[utoipa::path(get, path = "/api/agents/{name}/soul/diff", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128), Between),
    responses((status = 200, body = schemas::Difference), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn diff(
    State(app): State<App>,
    Agent(agent): Agent,
    Asked(between): Asked<Between>,
) -> Answer<ops::diff::Response> {
    let side = |asked: String| if asked == "file" { Side::File } else { Side::Revision(asked.into()) };
    let request = ops::diff::Request { agent, from: between.from.map(side), to: between.to.map(side) };
    app.run(|keeper| ops::diff::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Joined {
    /// A base prompt, instead of the body of AGENT.md.
    pub(super) base: Option<String>,
    /// `full`, or `identity` for the bare text of the soul; `full` if nothing is said.
    #[param(pattern = "^(full|identity)$")]
    layer: Option<String>,
    /// How things stand.
    situation: Option<String>,
    /// What is to be done.
    task: Option<String>,
}

impl Joined {
    pub(super) fn part(&self) -> Result<Part, Failure> {
        let now = || Now { situation: self.situation.clone(), task: self.task.clone(), ..Now::default() };
        match self.layer.as_deref() {
            None | Some("full") => Ok(Part::Full(Box::new(now()))),
            Some("identity") if self.situation.is_none() && self.task.is_none() => Ok(Part::Identity),
            Some("identity") => Err(Failure::bad_request("the identity has no place for a situation or a task")),
            Some(_) => Err(Failure::bad_request("`layer` is `full` or `identity`")),
        }
    }
}

/// The prompt that reaches a model, layer by layer.
#[utoipa::path(get, path = "/api/agents/{name}/prompt", tag = "agents", params(("name" = String, Path, min_length = 1, max_length = 128), Joined),
    responses((status = 200, body = schemas::Prompt), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn prompt(
    State(app): State<App>,
    Agent(agent): Agent,
    Asked(joined): Asked<Joined>,
) -> Answer<ops::prompt::Response> {
    let subject = Subject::Target(Target::Agent(agent), None);
    let part = joined.part()?;
    let request = ops::prompt::Request { subject, base: joined.base, part };
    app.run(|keeper| ops::prompt::run(keeper, request)).await.map(Json)
}
