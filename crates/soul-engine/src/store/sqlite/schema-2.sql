-- What a session is told besides its soul: the user's file and the index of the memory.
ALTER TABLE sessions ADD COLUMN surroundings_json TEXT NOT NULL DEFAULT '{}';
