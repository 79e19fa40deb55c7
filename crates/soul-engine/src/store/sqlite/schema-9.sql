-- What sessions were given: digests of the prompt and of its layers, kept as they were when the soul was resolved.
CREATE TABLE session_receipts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    captured_at TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    snapshot_id TEXT,
    soul_digest TEXT,
    prompt_json TEXT NOT NULL,
    seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX session_receipts_session ON session_receipts (session_id, id);
