CREATE TEMP VIEW events AS SELECT *, NULL AS findings_json, NULL AS proposal_id FROM main.events;
