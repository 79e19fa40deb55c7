-- A token may be bound to an agent, which is then the actor of everything that is done with it.
ALTER TABLE tokens ADD COLUMN agent TEXT;
ALTER TABLE events ADD COLUMN proposal_id TEXT;

-- Changes of souls that wait for a person. The texts come last, so that a list does not read them.
CREATE TABLE proposals (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected')),
    base_digest TEXT,
    base_raw_digest TEXT,
    new_digest TEXT,
    raw_digest TEXT NOT NULL,
    dialect TEXT,
    summary TEXT NOT NULL,
    reason TEXT,
    evidence TEXT,
    session TEXT,
    poisoned INTEGER NOT NULL,
    findings_json TEXT NOT NULL,
    diagnostics_json TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    origin_ref TEXT NOT NULL,
    created_at TEXT NOT NULL,
    reviewer_kind TEXT,
    reviewer_ref TEXT,
    review_message TEXT,
    reviewed_at TEXT,
    revision_id TEXT,
    seal TEXT NOT NULL DEFAULT '',
    base BLOB,
    body BLOB NOT NULL
) STRICT;
CREATE INDEX proposals_pending ON proposals (scope, kind, name, id) WHERE state = 'pending';
