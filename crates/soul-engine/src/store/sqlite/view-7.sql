-- Versions before the seventh have stand-ins that have the column already.
CREATE TEMP VIEW IF NOT EXISTS events AS SELECT *, NULL AS detail_json FROM main.events;
