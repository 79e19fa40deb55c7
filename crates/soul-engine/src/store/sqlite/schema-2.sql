-- Revisions name the version of their chain, and may have a message. The table is made anew because a column
-- that is added stands after the body, and reading it would mean reading every body.
CREATE TABLE agent_soul_revisions_2 (
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
    -- A service of the version before may still be running; what it writes has the first version.
    chain_version INTEGER NOT NULL DEFAULT 1,
    message TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
    -- Last, so that the rest is read without it.
    body BLOB,
    PRIMARY KEY (scope, kind, name, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO agent_soul_revisions_2
    (id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, snapshot_id, idempotency_key,
    request_digest, actor_kind, actor_ref, origin_kind, origin_ref, created_at, chain, reason, state, body)
    SELECT id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, snapshot_id,
    idempotency_key, request_digest, actor_kind, actor_ref, origin_kind, origin_ref, created_at, chain, reason, state, body
    FROM agent_soul_revisions;
DROP TABLE agent_soul_revisions;
ALTER TABLE agent_soul_revisions_2 RENAME TO agent_soul_revisions;
CREATE UNIQUE INDEX agent_soul_revisions_repeated
    ON agent_soul_revisions (scope, kind, name, idempotency_key) WHERE idempotency_key IS NOT NULL;
