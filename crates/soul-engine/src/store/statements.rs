//! The SQL that every engine runs as it stands. Each engine creates its own tables, and claims a run in
//! its own way.
//!
//! Parameters first appear in rising order: one engine numbers them by that, the other by name.

macro_rules! revision {
    ($body:literal, $rest:literal) => {
        concat!(
            "SELECT id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, ",
            "snapshot_id, idempotency_key, request_digest, actor_kind, actor_ref, origin_kind, origin_ref, ",
            "created_at, chain, reason, chain_version, message, ",
            $body,
            " FROM agent_soul_revisions WHERE ",
            $rest
        )
    };
}

pub(super) const LAST_LINK: &str = "SELECT seq, chain, state FROM agent_soul_revisions \
    WHERE scope = $1 AND kind = $2 AND name = $3 ORDER BY seq DESC LIMIT 1";
pub(super) const INSERT_REVISION: &str = "INSERT INTO agent_soul_revisions \
    (id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, snapshot_id, \
    idempotency_key, request_digest, actor_kind, actor_ref, origin_kind, origin_ref, created_at, chain, reason, \
    chain_version, message, state, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
    $16, $17, $18, $19, $20, $21, $22, $23, $24)";
pub(super) const FINISH_REVISION: &str =
    "UPDATE agent_soul_revisions SET state = 'done' WHERE id = $1 AND state = 'pending'";
pub(super) const DROP_REVISION: &str = "DELETE FROM agent_soul_revisions WHERE id = $1 AND state = 'pending'";
pub(super) const LAST_DONE: &str = revision!(
    "NULL",
    "scope = $1 AND kind = $2 AND name = $3 AND seq <= $4 AND state = 'done' ORDER BY seq DESC LIMIT 1"
);
pub(super) const PENDING: &str =
    revision!("body", "scope = $1 AND kind = $2 AND name = $3 AND state = 'pending' ORDER BY seq");
pub(super) const REVISION: &str =
    revision!("body", "scope = $1 AND kind = $2 AND name = $3 AND id = $4 AND state = 'done'");
pub(super) const REPEATED_REVISION: &str =
    revision!("body", "scope = $1 AND kind = $2 AND name = $3 AND idempotency_key = $4 AND state = 'done'");
pub(super) const HISTORY: &str = revision!(
    "NULL",
    "scope = $1 AND kind = $2 AND name = $3 AND seq < $4 AND state = 'done' ORDER BY seq DESC LIMIT $5"
);
pub(super) const HISTORY_WITH_BODIES: &str = revision!(
    "body",
    "scope = $1 AND kind = $2 AND name = $3 AND seq < $4 AND state = 'done' ORDER BY seq DESC LIMIT $5"
);
pub(super) const CHAIN: &str = revision!(
    "body",
    "scope = $1 AND kind = $2 AND name = $3 AND seq > $4 AND seq <= $5 AND state = 'done' ORDER BY seq, id LIMIT $6"
);
pub(super) const LINK: &str = "SELECT chain FROM agent_soul_revisions \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq = $4";
pub(super) const REVISIONS_BEGINNING: &str = "SELECT id FROM agent_soul_revisions \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq <= $4 AND state = 'done' \
    AND substr(id, 1, length($5)) = $5 ORDER BY id LIMIT $6";
pub(super) const DIGESTS_BEGINNING: &str = "SELECT new_digest FROM agent_soul_revisions \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq <= $4 AND state = 'done' \
    AND substr(new_digest, 1, length($5)) = $5 UNION SELECT raw_digest FROM agent_soul_revisions \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq <= $4 AND state = 'done' \
    AND substr(raw_digest, 1, 4 + length($5)) = 'raw:' || $5 ORDER BY 1 LIMIT $6";
pub(super) const SESSIONS_BEGINNING: &str =
    "SELECT id FROM sessions WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT $2";
pub(super) const RUNS_BEGINNING: &str =
    "SELECT id FROM task_runs WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT $2";
pub(super) const MUTATIONS_BEGINNING: &str = "SELECT id FROM persona_mutations \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND substr(id, 1, length($4)) = $4 ORDER BY id LIMIT $5";
pub(super) const TOKENS_BEGINNING: &str =
    "SELECT id FROM tokens WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT $2";
pub(super) const PROPOSALS_BEGINNING: &str =
    "SELECT id FROM proposals WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT $2";
pub(super) const SOULS: &str = "SELECT scope, kind, name FROM agent_soul_revisions \
    UNION SELECT scope, kind, name FROM soul_forks ORDER BY 1, 2, 3";
pub(super) const SET_PENDING_PLACE: &str =
    "INSERT INTO pending_places (revision_id, place, expires_at) VALUES ($1, $2, $3)";
pub(super) const DROP_PENDING_PLACE: &str = "DELETE FROM pending_places WHERE revision_id = $1";

/// A record of an earlier version names no dialect, but its snapshot does.
pub(super) const PINNED_BY_REVISION: &str = "SELECT r.dialect, s.profile_json FROM agent_soul_revisions r \
    LEFT JOIN agent_soul_snapshots s ON s.id = r.snapshot_id \
    WHERE r.scope = $1 AND r.kind = $2 AND r.name = $3 AND r.seq <= $4 AND r.state = 'done' \
    AND (r.dialect IS NOT NULL OR s.id IS NOT NULL) ORDER BY r.seq DESC LIMIT 1";
pub(super) const PINNED_BY_SNAPSHOT: &str = "SELECT NULL, profile_json FROM agent_soul_snapshots \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND state = 'done' ORDER BY id LIMIT 1";

macro_rules! place {
    ($rest:literal) => {
        concat!(
            "SELECT p.place, p.scope, p.device, p.inode, p.path, p.bound_at, p.owner FROM workspace_places p ",
            $rest
        )
    };
}

pub(super) const PLACES: &str = place!("WHERE p.scope = $1 ORDER BY p.place");
pub(super) const PLACES_AT: &str = place!("WHERE p.path = $1 AND p.owner = $2 ORDER BY p.place");
pub(super) const PENDING_PLACE: &str = place!("JOIN pending_places q ON q.place = p.place WHERE q.revision_id = $1");
pub(super) const PENDING_UNTIL: &str = "SELECT COALESCE(q.expires_at, r.created_at) \
    FROM pending_places q JOIN agent_soul_revisions r ON r.id = q.revision_id WHERE q.revision_id = $1";
pub(super) const INSERT_PLACE: &str = "INSERT INTO workspace_places (scope, device, inode, path, bound_at, owner) VALUES ($1, $2, $3, $4, $5, $6) \
    RETURNING place";
pub(super) const MOVE_PLACE: &str = "UPDATE workspace_places SET scope = $1, device = $2, inode = $3, path = $4, \
    bound_at = $5, owner = $6 WHERE place = $7";
pub(super) const SCOPES: &str = "SELECT scope, COUNT(*), MAX(created_at) FROM agent_soul_revisions \
    WHERE state = 'done' GROUP BY scope";
pub(super) const FORK: &str =
    "SELECT parent_scope, seq, chain FROM soul_forks WHERE scope = $1 AND kind = $2 AND name = $3";
pub(super) const INSERT_FORK: &str = "INSERT INTO soul_forks (scope, kind, name, parent_scope, seq, chain, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
pub(super) const COPY_PERSONAS: &str = "INSERT INTO persona_states (scope, kind, name, state_json) \
    SELECT $1, kind, name, state_json FROM persona_states WHERE scope = $2";
pub(super) const COPY_BUDGETS: &str = "INSERT INTO persona_budgets (scope, kind, name, session, trait, spent) \
    SELECT $1, kind, name, session, trait, spent FROM persona_budgets WHERE scope = $2";
pub(super) const MUTATION_IDS: &str = "SELECT id, created_at FROM persona_mutations WHERE scope = $1";
pub(super) const COPY_MUTATION: &str = "INSERT INTO persona_mutations \
    (scope, kind, name, seq, id, trait, delta, previous_value, new_value, session, reason, evidence, actor_kind, \
    actor_ref, origin_kind, origin_ref, created_at, reverted_at) SELECT $1, kind, name, seq, $2, trait, delta, \
    previous_value, new_value, session, reason, evidence, actor_kind, actor_ref, origin_kind, origin_ref, created_at, \
    reverted_at FROM persona_mutations WHERE id = $3";

pub(super) const REPAIRS: &str = "SELECT revision_id, seq, problem, previous_chain, chain, content, actor_kind, \
    actor_ref, origin_kind, origin_ref, created_at FROM chain_repairs WHERE scope = $1 AND kind = $2 AND name = $3 \
    ORDER BY seq";
pub(super) const INSERT_REPAIR: &str = "INSERT INTO chain_repairs (revision_id, scope, kind, name, seq, problem, \
    previous_chain, chain, content, actor_kind, actor_ref, origin_kind, origin_ref, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
    ON CONFLICT (revision_id) DO UPDATE SET problem = excluded.problem, previous_chain = excluded.previous_chain, \
    chain = excluded.chain, content = excluded.content, actor_kind = excluded.actor_kind, \
    actor_ref = excluded.actor_ref, origin_kind = excluded.origin_kind, origin_ref = excluded.origin_ref, \
    created_at = excluded.created_at";
pub(super) const DROPPED: &str = "SELECT revision_id FROM events WHERE kind = 'soul.dropped' AND scope = $1 \
    AND (agent = $2 OR soul = $2) AND revision_id IS NOT NULL";

pub(super) const FIND_SNAPSHOT: &str = "SELECT id FROM agent_soul_snapshots WHERE scope = $1 AND kind = $2 AND name = $3 \
    AND digest = $4 AND bundle_digest = $5 AND config_digest = $6";
pub(super) const INSERT_SNAPSHOT: &str = "INSERT INTO agent_soul_snapshots \
    (id, scope, kind, name, digest, bundle_digest, config_digest, profile_json, seal, created_at, state) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
    ON CONFLICT (scope, kind, name, digest, bundle_digest, config_digest) DO NOTHING";
pub(super) const INSERT_SNAPSHOT_FILE: &str =
    "INSERT INTO agent_soul_snapshot_files (snapshot_id, name, body) VALUES ($1, $2, $3)";
pub(super) const FINISH_SNAPSHOT: &str = "UPDATE agent_soul_snapshots SET state = 'done' WHERE id = $1";
pub(super) const DROP_SNAPSHOT_FILES: &str = "DELETE FROM agent_soul_snapshot_files WHERE snapshot_id IN \
    (SELECT id FROM agent_soul_snapshots WHERE id = $1 AND state = 'pending')";
pub(super) const DROP_SNAPSHOT: &str = "DELETE FROM agent_soul_snapshots WHERE id = $1 AND state = 'pending'";
pub(super) const SNAPSHOT: &str = "SELECT id, scope, kind, name, digest, bundle_digest, config_digest, profile_json, seal, \
    created_at FROM agent_soul_snapshots WHERE id = $1 AND state = 'done'";
pub(super) const SNAPSHOT_IDS: &str =
    "SELECT id FROM agent_soul_snapshots WHERE id > $1 AND state = 'done' ORDER BY id LIMIT $2";
pub(super) const SNAPSHOT_FILES: &str =
    "SELECT name, body FROM agent_soul_snapshot_files WHERE snapshot_id = $1 ORDER BY name";

macro_rules! session {
    ($rest:literal) => {
        concat!(
            "SELECT id, CASE kind WHEN 'agent' THEN name END, scope, state, soul_snapshot_id, soul_digest, parent_id, ",
            "parent_soul_digest, created_at, captured_at, stopped_at, soul_status, soul_source_json, persona_json ",
            "FROM sessions WHERE ",
            $rest
        )
    };
}

pub(super) const INSERT_SESSION: &str = "INSERT INTO sessions \
    (id, scope, kind, name, state, soul_snapshot_id, soul_digest, soul_status, parent_id, parent_soul_digest, created_at, \
    captured_at, surroundings_json, soul_source_json, persona_json) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
pub(super) const SESSION: &str = session!("id = $1");
pub(super) const SESSIONS: &str = session!(
    "($1 = '' OR (name = $1 AND kind = 'agent')) AND ($2 = '' OR state = $2) \
     AND ($3 = '' OR (created_at, id) < (SELECT created_at, id FROM sessions WHERE id = $3)) \
     ORDER BY created_at DESC, id DESC LIMIT $4"
);
pub(super) const BIND_SESSION: &str = "UPDATE sessions SET soul_snapshot_id = $1, soul_digest = $2, soul_status = $3, \
    captured_at = $4, surroundings_json = $5, soul_source_json = $6, persona_json = $7 WHERE id = $8";
pub(super) const INSERT_RECEIPT: &str = "INSERT INTO session_receipts \
    (id, session_id, captured_at, actor_kind, actor_ref, snapshot_id, soul_digest, prompt_json) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
pub(super) const RECEIPTS: &str = "SELECT id, session_id, captured_at, actor_kind, actor_ref, snapshot_id, soul_digest, \
    prompt_json, seal FROM session_receipts WHERE $1 = '' OR session_id = $1 ORDER BY captured_at DESC, id DESC LIMIT $2";
pub(super) const SURROUNDINGS: &str = "SELECT surroundings_json FROM sessions WHERE id = $1";
pub(super) const SET_SESSION_STATE: &str = "UPDATE sessions SET state = $1, stopped_at = $2 WHERE id = $3";
/// Whether a lease has expired: by the steady clock while the machine is the same since it started, else by the wall
/// clock, by which no lease can end later than the longest one that begins now.
macro_rules! expired {
    () => {
        "CASE WHEN lease_boot = $1 THEN lease_deadline <= $2 \
         ELSE lease_expires_at <= $3 OR lease_expires_at > $4 END"
    };
}

pub(super) const LIVE_RUN: &str = concat!(
    "SELECT id FROM task_runs WHERE state = 'claimed' AND NOT (",
    expired!(),
    ") AND session_id = $5 ORDER BY id LIMIT 1"
);

pub(super) const INSERT_TASK: &str = "INSERT INTO tasks (id, scope, agent, payload_json, state, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
/// Each with its newest run.
pub(super) const TASKS: &str = "SELECT tasks.id, agent, scope, payload_json, tasks.state, created_at, run.id, session_id, \
    run.state, metadata_json, claimed_at, lease_expires_at, finished_at FROM tasks LEFT JOIN task_runs run \
    ON run.id = (SELECT id FROM task_runs WHERE task_id = tasks.id ORDER BY claimed_at DESC, id DESC LIMIT 1) \
    WHERE ($1 = '' OR tasks.state = $1) AND ($2 = '' OR seq > (SELECT seq FROM tasks WHERE id = $2)) \
    ORDER BY seq LIMIT $3";
pub(super) const TASK_SEQ: &str = "SELECT seq FROM tasks WHERE id = $1";
pub(super) const SET_TASK_STATE: &str = "UPDATE tasks SET state = $1 WHERE id = $2";
pub(super) const INSERT_RUN: &str = "INSERT INTO task_runs \
    (id, task_id, session_id, state, metadata_json, lease_expires_at, lease_boot, lease_deadline, claimed_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
macro_rules! run {
    ($rest:literal) => {
        concat!(
            "SELECT task_runs.id, task_id, session_id, task_runs.state, metadata_json, payload_json, lease_expires_at, ",
            "claimed_at, finished_at FROM task_runs JOIN tasks ON tasks.id = task_id WHERE ",
            $rest
        )
    };
}

pub(super) const RUN: &str = run!("task_runs.id = $1");
pub(super) const RUNS: &str = run!(
    "($1 = '' OR session_id = $1) AND ($2 = '' OR task_id = $2) AND ($3 = '' OR task_runs.state = $3) \
     AND ($4 = '' OR (claimed_at, task_runs.id) < (SELECT claimed_at, id FROM task_runs WHERE id = $4)) \
     ORDER BY claimed_at DESC, task_runs.id DESC LIMIT $5"
);
pub(super) const RENEW_RUN: &str = "UPDATE task_runs SET lease_expires_at = $1, lease_boot = $2, \
    lease_deadline = $3 WHERE id = $4";
pub(super) const FINISH_RUN: &str = "UPDATE task_runs SET state = $1, finished_at = $2 WHERE id = $3";
pub(super) const EXPIRED_RUNS: &str =
    concat!("SELECT id, task_id, session_id FROM task_runs WHERE state = 'claimed' AND (", expired!(), ")");
pub(super) const IS_EXPIRED: &str = concat!("SELECT ", expired!(), " FROM task_runs WHERE id = $5");

pub(super) const PERSONA: &str = "SELECT state_json FROM persona_states WHERE scope = $1 AND kind = $2 AND name = $3";
pub(super) const SET_PERSONA: &str = "INSERT INTO persona_states (scope, kind, name, state_json) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (scope, kind, name) DO UPDATE SET state_json = excluded.state_json";
pub(super) const SPENT: &str = "SELECT spent FROM persona_budgets \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND session = $4 AND trait = $5";
pub(super) const SPEND: &str = "INSERT INTO persona_budgets (scope, kind, name, session, trait, spent) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, kind, name, session, trait) DO UPDATE SET spent = excluded.spent";
pub(super) const LAST_MUTATION: &str = "SELECT COALESCE(MAX(seq), 0) FROM persona_mutations \
    WHERE scope = $1 AND kind = $2 AND name = $3";
pub(super) const INSERT_MUTATION: &str = "INSERT INTO persona_mutations \
    (scope, kind, name, seq, id, trait, delta, previous_value, new_value, session, reason, evidence, actor_kind, \
    actor_ref, origin_kind, origin_ref, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
pub(super) const MUTATIONS: &str = "SELECT seq, id, trait, delta, previous_value, new_value, session, reason, \
    evidence, actor_kind, actor_ref, origin_kind, origin_ref, created_at, reverted_at FROM persona_mutations \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq < $4 ORDER BY seq DESC LIMIT $5";
pub(super) const MUTATION_SEQ: &str = "SELECT seq FROM persona_mutations \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND id = $4 AND reverted_at IS NULL";
pub(super) const REVERTED: &str = "SELECT id FROM persona_mutations \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND seq > $4 AND reverted_at IS NULL ORDER BY seq DESC";
pub(super) const REVERT: &str = "UPDATE persona_mutations SET reverted_at = $1 \
    WHERE scope = $2 AND kind = $3 AND name = $4 AND seq > $5 AND reverted_at IS NULL";

pub(super) const INSERT_EVENT: &str = "INSERT INTO events (time, kind, scope, agent, digest, revision_id, session_id, task_id, \
    run_id, actor_kind, actor_ref, origin_kind, origin_ref, soul, token_id, findings_json, proposal_id, detail_json) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
pub(super) const EVENTS: &str = "SELECT seq, time, kind, scope, agent, digest, revision_id, session_id, task_id, run_id, \
    actor_kind, actor_ref, origin_kind, origin_ref, soul, token_id, findings_json, proposal_id, detail_json FROM events WHERE seq > $1 \
    AND ($2 = '' OR agent = $2) AND ($3 = '' OR kind = $3 OR substr(kind, 1, length($3) + 1) = $3 || '.') \
    AND ($4 = '' OR actor_ref = $4 OR actor_kind = $4 OR actor_kind || ':' || actor_ref = $4) \
    AND ($5 = '' OR time >= $5) AND ($6 = '' OR time < $6) AND ($7 = 0 OR seq < $7) \
    ORDER BY seq LIMIT $8";
pub(super) const EVENT_BEFORE_LAST: &str = "SELECT COALESCE((SELECT seq FROM events WHERE ($1 = '' OR agent = $1) \
    AND ($2 = '' OR kind = $2 OR substr(kind, 1, length($2) + 1) = $2 || '.') \
    AND ($3 = '' OR actor_ref = $3 OR actor_kind = $3 OR actor_kind || ':' || actor_ref = $3) \
    AND ($4 = '' OR time >= $4) AND ($5 = '' OR time < $5) AND ($6 = 0 OR seq < $6) \
    ORDER BY seq DESC LIMIT 1 OFFSET $7), 0)";

pub(super) const INSERT_TOKEN: &str =
    "INSERT INTO tokens (id, name, role, grants, proof, created_at, agent) VALUES ($1, $2, $3, $4, $5, $6, $7)";
pub(super) const TOKEN: &str =
    "SELECT id, name, role, grants, created_at, revoked_at, agent, proof FROM tokens WHERE id = $1";
pub(super) const TOKENS: &str =
    "SELECT id, name, role, grants, created_at, revoked_at, agent FROM tokens ORDER BY created_at, id";
pub(super) const REVOKE_TOKEN: &str = "UPDATE tokens SET revoked_at = $1 WHERE id = $2";

macro_rules! proposal {
    ($bodies:literal, $rest:literal) => {
        concat!(
            "SELECT id, scope, kind, name, state, base_digest, base_raw_digest, new_digest, raw_digest, dialect, ",
            "summary, reason, evidence, session, poisoned, findings_json, diagnostics_json, actor_kind, actor_ref, ",
            "origin_kind, origin_ref, created_at, reviewer_kind, reviewer_ref, review_message, reviewed_at, ",
            "revision_id, ",
            $bodies,
            " FROM proposals WHERE ",
            $rest
        )
    };
}

pub(super) const INSERT_PROPOSAL: &str = "INSERT INTO proposals (id, scope, kind, name, state, base_digest, \
    base_raw_digest, new_digest, raw_digest, dialect, summary, reason, evidence, session, poisoned, findings_json, \
    diagnostics_json, actor_kind, actor_ref, origin_kind, origin_ref, created_at, base, body) \
    VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
    $21, $22, $23)";
pub(super) const PROPOSAL: &str = proposal!("base, body", "id = $1");
pub(super) const PROPOSALS: &str = proposal!(
    "NULL, NULL",
    "($1 = '' OR (name = $1 AND kind = 'agent')) AND ($2 = '' OR state = $2) \
     AND ($3 = '' OR (created_at, id) < (SELECT created_at, id FROM proposals WHERE id = $3)) \
     ORDER BY created_at DESC, id DESC LIMIT $4"
);
pub(super) const PENDING_PROPOSALS: &str = "SELECT id, raw_digest, base_raw_digest FROM proposals \
    WHERE scope = $1 AND kind = $2 AND name = $3 AND state = 'pending' ORDER BY id";
pub(super) const REVIEW_PROPOSAL: &str = "UPDATE proposals SET state = $1, reviewer_kind = $2, reviewer_ref = $3, \
    review_message = $4, reviewed_at = $5, revision_id = $6 WHERE id = $7 AND state = 'pending'";

pub(super) const SETTING: &str = "SELECT value FROM settings WHERE name = $1";
pub(super) const SET_SETTING: &str =
    "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
pub(super) const UNSET_SETTING: &str = "DELETE FROM settings WHERE name = $1";

/// Rows that name what is not there: the table, a query for their ids, and what is wrong. Events are never removed, so
/// they show what was.
pub(super) const DANGLING: [(&str, &str, &str); 7] = [
    (
        "agent_soul_revisions",
        "SELECT r.id FROM agent_soul_revisions r LEFT JOIN agent_soul_snapshots s ON s.id = r.snapshot_id \
         WHERE r.snapshot_id IS NOT NULL AND r.state = 'done' AND (s.id IS NULL OR s.state <> 'done') ORDER BY r.id",
        "its snapshot is missing",
    ),
    (
        "sessions",
        "SELECT b.id FROM sessions b LEFT JOIN agent_soul_snapshots s ON s.id = b.soul_snapshot_id \
         WHERE b.soul_snapshot_id IS NOT NULL AND (s.id IS NULL OR s.state <> 'done') ORDER BY b.id",
        "its snapshot is missing",
    ),
    (
        "sessions",
        "SELECT DISTINCT e.session_id FROM events e LEFT JOIN sessions s ON s.id = e.session_id \
         WHERE e.kind IN ('session.start', 'session.spawn') AND s.id IS NULL ORDER BY e.session_id",
        "it was started, but is missing",
    ),
    (
        "task_runs",
        "SELECT DISTINCT e.run_id FROM events e LEFT JOIN task_runs r ON r.id = e.run_id \
         WHERE e.kind = 'run.claim' AND r.id IS NULL ORDER BY e.run_id",
        "it was claimed, but is missing",
    ),
    (
        "tasks",
        "SELECT DISTINCT e.task_id FROM events e LEFT JOIN tasks t ON t.id = e.task_id \
         WHERE e.kind = 'task.add' AND t.id IS NULL ORDER BY e.task_id",
        "it was added, but is missing",
    ),
    (
        "tokens",
        "SELECT DISTINCT e.token_id FROM events e LEFT JOIN tokens t ON t.id = e.token_id \
         WHERE e.kind = 'token.create' AND t.id IS NULL ORDER BY e.token_id",
        "it was created, but is missing",
    ),
    (
        "proposals",
        "SELECT DISTINCT e.proposal_id FROM events e LEFT JOIN proposals p ON p.id = e.proposal_id \
         WHERE e.kind = 'proposal.create' AND p.id IS NULL ORDER BY e.proposal_id",
        "it was proposed, but is missing",
    ),
];
pub(super) const BOUND_SESSIONS: &str = "SELECT b.id, b.kind, b.name, b.soul_digest, b.soul_source_json, s.kind, s.name, \
    s.digest FROM sessions b JOIN agent_soul_snapshots s ON s.id = b.soul_snapshot_id ORDER BY b.id";
pub(super) const PERSONA_STATES: &str =
    "SELECT scope || '/' || kind || '/' || name, state_json FROM persona_states ORDER BY 1";
