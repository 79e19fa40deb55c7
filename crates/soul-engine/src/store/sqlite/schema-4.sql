-- Pending revisions are found without reading the others.
CREATE INDEX agent_soul_revisions_pending
    ON agent_soul_revisions (scope, kind, name, seq) WHERE state = 'pending';

-- The directories that may change the record of a workspace. The path never leaves this machine.
CREATE TABLE workspace_places (
    place INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    path BLOB NOT NULL,
    bound_at TEXT NOT NULL
) STRICT;
CREATE INDEX workspace_places_scope ON workspace_places (scope);

-- Where a pending revision is being written. Not a column of the revision: the chain does not cover it, and it goes
-- when the revision is settled.
CREATE TABLE pending_places (
    revision_id TEXT PRIMARY KEY,
    place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A forked workspace continues the record of another one: up to `seq`, its souls have the revisions of the parent.
CREATE TABLE soul_forks (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    parent_scope TEXT NOT NULL,
    seq INTEGER NOT NULL,
    chain TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (scope, kind, name)
) STRICT, WITHOUT ROWID;

-- Links of a chain that somebody accepted as they are, with what they were at that time.
CREATE TABLE chain_repairs (
    revision_id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    problem TEXT NOT NULL,
    previous_chain TEXT,
    chain TEXT NOT NULL,
    content TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_ref TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    origin_ref TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
