-- What is chosen for the whole home, such as the soul that is selected.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Which soul of the library a session took, and why.
ALTER TABLE sessions ADD COLUMN soul_source_json TEXT;

-- The soul of the library that an event is about.
ALTER TABLE events ADD COLUMN soul TEXT;
