CREATE TEMP VIEW session_receipts AS
    SELECT '' AS id, '' AS session_id, '' AS captured_at, '' AS actor_kind, '' AS actor_ref, NULL AS snapshot_id,
    NULL AS soul_digest, '' AS prompt_json, '' AS seal WHERE 0;
