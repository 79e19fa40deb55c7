-- Versions before the fourth have neither; what stands in for them has the columns already.
CREATE TEMP VIEW IF NOT EXISTS workspace_places AS SELECT *, '' AS owner FROM main.workspace_places;
CREATE TEMP VIEW IF NOT EXISTS pending_places AS SELECT *, NULL AS expires_at FROM main.pending_places;
CREATE TEMP VIEW soul_texts AS
    SELECT '' AS scope, '' AS kind, '' AS name, '' AS file, '' AS changed_at, NULL AS body WHERE 0;
