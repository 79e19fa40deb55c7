-- A token may be bound to an agent, which is then the actor of everything that is done with it.
ALTER TABLE tokens ADD COLUMN agent TEXT COLLATE "C";
ALTER TABLE events ADD COLUMN proposal_id TEXT COLLATE "C";

-- Changes of souls that wait for a person. The texts come last, so that a list does not read them.
CREATE TABLE proposals (
    id TEXT COLLATE "C" PRIMARY KEY,
    scope TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected')),
    base_digest TEXT COLLATE "C",
    base_raw_digest TEXT COLLATE "C",
    new_digest TEXT COLLATE "C",
    raw_digest TEXT COLLATE "C" NOT NULL,
    dialect TEXT COLLATE "C",
    summary TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C",
    evidence TEXT COLLATE "C",
    session TEXT COLLATE "C",
    poisoned BIGINT NOT NULL,
    findings_json TEXT COLLATE "C" NOT NULL,
    diagnostics_json TEXT COLLATE "C" NOT NULL,
    actor_kind TEXT COLLATE "C" NOT NULL,
    actor_ref TEXT COLLATE "C" NOT NULL,
    origin_kind TEXT COLLATE "C" NOT NULL,
    origin_ref TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    reviewer_kind TEXT COLLATE "C",
    reviewer_ref TEXT COLLATE "C",
    review_message TEXT COLLATE "C",
    reviewed_at TEXT COLLATE "C",
    revision_id TEXT COLLATE "C",
    seal TEXT COLLATE "C" NOT NULL DEFAULT '',
    base BYTEA,
    body BYTEA NOT NULL
);
CREATE INDEX proposals_pending ON proposals (scope, kind, name, id) WHERE state = 'pending';
