//! What answers look like, for the OpenAPI document. The answers themselves are the engine's types;
//! these say no more than what a client may rely on, so that the core needs to know nothing of HTTP.

#![expect(dead_code, reason = "read by the document only")]

pub(super) mod library;
pub(super) mod persona;

use serde_json::Value;
use utoipa::ToSchema;

#[derive(ToSchema)]
pub(super) struct Failure {
    error: ErrorObject,
    /// The soul, if it is invalid.
    #[schema(required = false)]
    soul: Value,
    /// What is wrong with it.
    #[schema(required = false)]
    diagnostics: Value,
}

#[derive(ToSchema)]
struct ErrorObject {
    code: String,
    message: String,
}

#[derive(ToSchema)]
pub(super) struct Agents {
    agents: Vec<Agent>,
}

#[derive(ToSchema)]
struct Agent {
    name: String,
    source_path: String,
    present: bool,
    valid: bool,
    digest: Option<String>,
}

#[derive(ToSchema)]
pub(super) struct Soul {
    agent_name: Option<String>,
    enabled: bool,
    dialect: Option<String>,
    source_path: String,
    present: bool,
    valid: bool,
    active: bool,
    validation_status: String,
    digest: Option<String>,
    raw_digest: Option<String>,
    document: Value,
    soul: Vec<Value>,
    diagnostics: Vec<Diagnostic>,
    snapshot_id: Option<String>,
    revision_id: Option<String>,
    limits: Limits,
    config_provenance: ConfigProvenance,
}

#[derive(ToSchema)]
struct Diagnostic {
    code: String,
    severity: String,
    message: String,
}

#[derive(ToSchema)]
struct Limits {
    max_body_bytes: u64,
    context_projection_bytes: u64,
}

#[derive(ToSchema)]
struct ConfigProvenance {
    digest: String,
    source: String,
    enabled: bool,
    max_body_bytes: u64,
    context_projection_bytes: u64,
}

#[derive(ToSchema)]
struct Party {
    kind: String,
    r#ref: String,
}

#[derive(ToSchema)]
struct Revision {
    id: String,
    scope: String,
    kind: String,
    agent: String,
    seq: i64,
    action: String,
    previous_digest: Option<String>,
    new_digest: Option<String>,
    raw_digest: Option<String>,
    actor: Party,
    origin: Party,
    created_at: String,
    chain: String,
}

#[derive(ToSchema)]
pub(super) struct Changed {
    soul: Soul,
    revision: Revision,
}

#[derive(ToSchema)]
pub(super) struct RolledBack {
    soul: Value,
}

#[derive(ToSchema)]
pub(super) struct History {
    revisions: Vec<Revision>,
    next_cursor: Option<String>,
}

#[derive(ToSchema)]
pub(super) struct Difference {
    from: Value,
    to: Value,
    changes: Vec<Value>,
    text: String,
}

#[derive(ToSchema)]
pub(super) struct Prompt {
    layers: Vec<Layer>,
    text: String,
    /// If it is not the agent's own soul.
    #[schema(required = false)]
    soul_source: SoulSource,
}

#[derive(ToSchema)]
struct Layer {
    name: String,
    source: String,
    bytes: u64,
    est_tokens: u64,
    text: String,
    truncated: bool,
    omitted: bool,
}

#[derive(ToSchema)]
pub(super) struct Context {
    agent: Option<String>,
    session_id: Option<String>,
    soul: Compact,
    /// If it is not the agent's own soul.
    #[schema(required = false)]
    soul_source: SoulSource,
}

#[derive(ToSchema)]
struct Compact {
    enabled: bool,
    present: bool,
    digest: Option<String>,
    source_path: String,
    role: String,
    truncated: bool,
    snapshot_id: Option<String>,
}

#[derive(ToSchema)]
struct Session {
    id: String,
    agent: Option<String>,
    state: String,
    soul_snapshot_id: Option<String>,
    soul_digest: Option<String>,
    /// If it is not the agent's own soul.
    #[schema(required = false)]
    soul_source: SoulSource,
    /// How the agent was disposed when it was bound, if its soul says anything of it.
    #[schema(required = false)]
    persona: Disposed,
    parent_soul_digest: Option<String>,
    created_at: String,
}

/// Traits and mood, as they reach the prompt.
#[derive(ToSchema)]
struct Disposed {
    traits: persona::Traits,
    mood: Option<String>,
}

/// Which soul of the library was taken, and why.
#[derive(ToSchema)]
struct SoulSource {
    id: String,
    /// `requested`, `selected`, `default` or `built-in`.
    reason: String,
    #[schema(required = false)]
    passed_over: Vec<library::PassedOver>,
}

#[derive(ToSchema)]
pub(super) struct SessionWithSoul {
    session: Session,
    soul: Soul,
}

/// The soul, with its session beside it.
#[derive(ToSchema)]
pub(super) struct SessionRefreshed {
    #[serde(flatten)]
    soul: Soul,
    session: Session,
}

#[derive(ToSchema)]
pub(super) struct SessionTurned {
    session: Session,
}

#[derive(ToSchema)]
pub(super) struct SessionShown {
    session: Session,
    live_run: Option<String>,
}

#[derive(ToSchema)]
pub(super) struct Sessions {
    sessions: Vec<Session>,
}

#[derive(ToSchema)]
struct Task {
    id: String,
    agent: Option<String>,
    payload: Value,
    state: String,
    created_at: String,
}

#[derive(ToSchema)]
pub(super) struct TaskAdded {
    task: Task,
}

#[derive(ToSchema)]
pub(super) struct Tasks {
    tasks: Vec<Task>,
    next_cursor: Option<String>,
}

#[derive(ToSchema)]
struct Run {
    id: String,
    task_id: String,
    session_id: String,
    state: String,
    metadata_json: Value,
    payload: Value,
    lease_expires_at: String,
}

#[derive(ToSchema)]
pub(super) struct RunOrNone {
    run: Option<Run>,
}

#[derive(ToSchema)]
struct Event {
    seq: i64,
    time: String,
    kind: String,
    agent: Option<String>,
    digest: Option<String>,
    revision: Option<String>,
    session: Option<String>,
    actor: Party,
    origin: Party,
}

#[derive(ToSchema)]
pub(super) struct Events {
    events: Vec<Event>,
    next: i64,
}

#[derive(ToSchema)]
pub(super) struct Audit {
    ok: bool,
    revisions: u64,
    first_broken: Option<String>,
    heads: Vec<Value>,
    missing_heads: Vec<String>,
}

/// How a soul is written.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum Dialect {
    Agh,
    Agentos,
    Soulspec,
    Cantus,
    Dagu,
}
