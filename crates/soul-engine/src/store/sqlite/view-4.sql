CREATE TEMP VIEW events AS SELECT *, NULL AS findings_json FROM main.events;
