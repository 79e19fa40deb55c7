CREATE TEMP VIEW task_runs AS
    SELECT id, task_id, session_id, state, metadata_json, lease_expires_at, claimed_at, finished_at,
    NULL AS lease_boot, NULL AS lease_deadline FROM main.task_runs;
