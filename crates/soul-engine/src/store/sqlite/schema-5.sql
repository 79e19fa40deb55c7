-- What the scanner found, in an event about it: a list of rules and lines.
ALTER TABLE events ADD COLUMN findings_json TEXT;
