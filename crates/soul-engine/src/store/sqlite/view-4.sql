CREATE TEMP VIEW events AS SELECT *, NULL AS findings_json, NULL AS proposal_id, NULL AS detail_json FROM main.events;
