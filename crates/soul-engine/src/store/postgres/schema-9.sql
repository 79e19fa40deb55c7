-- What sessions were given: digests of the prompt and of its layers, kept as they were when the soul was resolved.
CREATE TABLE session_receipts (
    id TEXT COLLATE "C" PRIMARY KEY,
    session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id),
    captured_at TEXT COLLATE "C" NOT NULL,
    actor_kind TEXT COLLATE "C" NOT NULL,
    actor_ref TEXT COLLATE "C" NOT NULL,
    snapshot_id TEXT COLLATE "C",
    soul_digest TEXT COLLATE "C",
    prompt_json TEXT COLLATE "C" NOT NULL,
    seal TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX session_receipts_session ON session_receipts (session_id, id);
