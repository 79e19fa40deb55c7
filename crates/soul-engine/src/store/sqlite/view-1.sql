CREATE TEMP VIEW agent_soul_revisions AS
    SELECT id, scope, kind, name, seq, action, previous_digest, new_digest, raw_digest, dialect, snapshot_id,
    idempotency_key, request_digest, actor_kind, actor_ref, origin_kind, origin_ref, created_at, chain, reason,
    1 AS chain_version, NULL AS message, state, body
    FROM main.agent_soul_revisions;
