CREATE TABLE agent_soul_revisions (
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('put', 'delete', 'rollback', 'adopt')),
    previous_digest TEXT,
    new_digest TEXT,
    raw_digest TEXT,
    dialect TEXT,
    snapshot_id TEXT,
    idempotency_key TEXT,
    request_digest TEXT,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    origin_ref TEXT NOT NULL,
    created_at TEXT NOT NULL,
    chain TEXT NOT NULL,
    reason TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
    -- Last, so that the rest is read without it.
    body BLOB,
    PRIMARY KEY (scope, kind, name, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX agent_soul_revisions_repeated
    ON agent_soul_revisions (scope, kind, name, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE agent_soul_snapshots (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    bundle_digest TEXT NOT NULL,
    config_digest TEXT NOT NULL,
    profile_json TEXT NOT NULL,
    seal TEXT NOT NULL,
    created_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
    UNIQUE (scope, kind, name, digest, bundle_digest, config_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_soul_snapshot_files (
    snapshot_id TEXT NOT NULL REFERENCES agent_soul_snapshots (id),
    name TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (snapshot_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'stopped')),
    soul_snapshot_id TEXT REFERENCES agent_soul_snapshots (id),
    soul_digest TEXT,
    soul_status TEXT NOT NULL CHECK (soul_status IN ('valid', 'inactive', 'missing')),
    parent_id TEXT REFERENCES sessions (id),
    parent_soul_digest TEXT,
    created_at TEXT NOT NULL,
    captured_at TEXT NOT NULL,
    stopped_at TEXT,
    -- What the session is told besides its soul: the user's file and the index of the memory.
    surroundings_json TEXT NOT NULL,
    -- Which soul of the library it took, and why.
    soul_source_json TEXT,
    -- How the agent was disposed when its soul was resolved: traits and mood.
    persona_json TEXT
) STRICT;
CREATE INDEX sessions_created ON sessions (created_at);

CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope TEXT,
    agent TEXT,
    payload_json TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'claimed', 'done', 'failed')),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_queued ON tasks (seq) WHERE state = 'queued';

CREATE TABLE task_runs (
    id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL REFERENCES tasks (id),
    session_id TEXT NOT NULL REFERENCES sessions (id),
    state TEXT NOT NULL CHECK (state IN ('claimed', 'done', 'failed', 'expired')),
    metadata_json TEXT NOT NULL,
    lease_expires_at TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    finished_at TEXT
) STRICT;
CREATE INDEX task_runs_leased ON task_runs (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX task_runs_session ON task_runs (session_id) WHERE state = 'claimed';

-- All that has become of an agent's persona and still counts: one row tells how it is disposed.
CREATE TABLE persona_states (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state_json TEXT NOT NULL,
    PRIMARY KEY (scope, kind, name)
) STRICT, WITHOUT ROWID;

-- Every step that a persona took, whether it still counts or not.
CREATE TABLE persona_mutations (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    trait TEXT NOT NULL,
    delta REAL NOT NULL,
    previous_value REAL NOT NULL,
    new_value REAL NOT NULL,
    session TEXT NOT NULL,
    reason TEXT NOT NULL,
    evidence TEXT,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    origin_ref TEXT NOT NULL,
    created_at TEXT NOT NULL,
    reverted_at TEXT,
    PRIMARY KEY (scope, kind, name, seq)
) STRICT, WITHOUT ROWID;

-- What a session has spent on a trait.
CREATE TABLE persona_budgets (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    session TEXT NOT NULL,
    trait TEXT NOT NULL,
    spent REAL NOT NULL,
    PRIMARY KEY (scope, kind, name, session, trait)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT,
    agent TEXT,
    digest TEXT,
    revision_id TEXT,
    session_id TEXT,
    task_id TEXT,
    run_id TEXT,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    origin_ref TEXT NOT NULL,
    -- The soul of the library that it is about.
    soul TEXT,
    token_id TEXT
) STRICT;

-- Who may ask from elsewhere. What proves a token is not here, only its SHA-256.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'author', 'admin')),
    grants TEXT NOT NULL,
    proof BLOB NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
) STRICT, WITHOUT ROWID;

-- What is chosen for the whole home, such as the soul that is selected.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
