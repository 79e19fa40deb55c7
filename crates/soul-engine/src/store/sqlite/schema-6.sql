-- Many homes may share a store: a directory belongs to the one that can reach it. Empty: the only one.
ALTER TABLE workspace_places ADD COLUMN owner TEXT NOT NULL DEFAULT '';
-- Until when others wait for whoever is writing a pending revision, before they ask what became of it.
ALTER TABLE pending_places ADD COLUMN expires_at TEXT;

-- Texts of souls that are kept here and not in files. One without a body was removed.
CREATE TABLE soul_texts (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    body BLOB,
    PRIMARY KEY (scope, kind, name, file)
) STRICT, WITHOUT ROWID;
