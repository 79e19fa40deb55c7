-- Rows that are changed in place are sealed. Leases have a deadline by a clock that nobody sets, for as long as the
-- machine is not started again.
ALTER TABLE tokens ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE task_runs ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE task_runs ADD COLUMN lease_boot TEXT;
ALTER TABLE task_runs ADD COLUMN lease_deadline INTEGER;
