-- What an event says beyond names and ids: the trait that was adapted, the bytes that were found.
ALTER TABLE events ADD COLUMN detail_json TEXT;

-- Runs of a task, the newest first, and all runs in that order.
CREATE INDEX task_runs_task ON task_runs (task_id, claimed_at);
CREATE INDEX task_runs_newest ON task_runs (claimed_at, id);
