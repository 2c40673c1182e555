-- 0036_repeat_imports.sql
-- Imports that repeat from a URL, with the mapping that an admin saved.

CREATE TABLE import_schedule (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  url           TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),   -- https
  mapping       TEXT NOT NULL CHECK (json_valid(mapping)),
  source_name   TEXT,                                                   -- NULL: as in the mapping
  licence       TEXT,                                                   -- NULL: as in the mapping
  every         TEXT NOT NULL CHECK (every IN ('day', 'week', 'month')),
  day           INTEGER NOT NULL CHECK (day BETWEEN 1 AND 28),          -- of the week, 1 is Monday; or of the month
  hour          INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),         -- UTC
  enabled       INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  ended_by      TEXT CHECK (ended_by IN ('admin', 'failures', 'account')), -- NULL: enabled
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,  -- the admin who gets the reports
  created_at    TEXT NOT NULL,
  due_at        TEXT,                                                   -- NULL: not enabled
  queued_at     TEXT,                                                   -- a run waits or is in progress; NULL: none
  etag          TEXT,                                                   -- of the last file that was read
  last_modified TEXT,
  digest        TEXT,                                                   -- SHA-256 of that file
  ran_at        TEXT,                                                   -- the end of the last run
  outcome       TEXT CHECK (outcome IN ('imported', 'unchanged', 'held', 'failed')),
  problem       TEXT,                                                   -- a code; NULL: none
  facts         TEXT CHECK (facts IS NULL OR json_valid(facts)),        -- JSON: what the problem's sentence contains
  import_rowid  INTEGER REFERENCES import_run (rowid) ON DELETE SET NULL, -- the report of the last run
  failures      INTEGER NOT NULL DEFAULT 0                              -- in succession
);
CREATE INDEX import_schedule_by_due ON import_schedule (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX import_schedule_by_account ON import_schedule (account_rowid);
CREATE INDEX import_schedule_by_import ON import_schedule (import_rowid) WHERE import_rowid IS NOT NULL;

ALTER TABLE import_run ADD COLUMN schedule_rowid INTEGER REFERENCES import_schedule (rowid) ON DELETE SET NULL;
CREATE INDEX import_run_by_schedule ON import_run (schedule_rowid) WHERE schedule_rowid IS NOT NULL;
