CREATE TEMP VIEW tokens AS SELECT *, NULL AS agent FROM main.tokens;
-- Versions before the sixth have stand-ins that have the column already.
CREATE TEMP VIEW IF NOT EXISTS events AS SELECT *, NULL AS proposal_id, NULL AS detail_json FROM main.events;
CREATE TEMP VIEW proposals AS
    SELECT '' AS id, '' AS scope, '' AS kind, '' AS name, '' AS state, NULL AS base_digest, NULL AS base_raw_digest,
    NULL AS new_digest, '' AS raw_digest, NULL AS dialect, '' AS summary, NULL AS reason, NULL AS evidence,
    NULL AS session, 0 AS poisoned, '' AS findings_json, '' AS diagnostics_json, '' AS actor_kind, '' AS actor_ref,
    '' AS origin_kind, '' AS origin_ref, '' AS created_at, NULL AS reviewer_kind, NULL AS reviewer_ref,
    NULL AS review_message, NULL AS reviewed_at, NULL AS revision_id, '' AS seal, NULL AS base, x'' AS body WHERE 0;
