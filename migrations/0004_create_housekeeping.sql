-- 0004_create_housekeeping.sql
-- Work to be done later, what was done with power, and what an instance decides for itself.

-- Work that outlives a request and a restart: due at a time, tried again with growing pauses, leased
-- to one worker at a time.
CREATE TABLE job (
  rowid        INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL,
  key          TEXT UNIQUE,                            -- the same key is scheduled once
  payload      TEXT NOT NULL DEFAULT '{}',             -- JSON
  due_at       TEXT NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  leased_until TEXT,
  last_error   TEXT,
  failed_at    TEXT                                    -- given up
);
CREATE INDEX job_by_due ON job (due_at) WHERE failed_at IS NULL;

-- Acts of power, append-only: the triggers refuse anything else.
CREATE TABLE audit (
  rowid    INTEGER PRIMARY KEY,
  actor    TEXT NOT NULL,                              -- 'command line', 'job', or an account's number
  action   TEXT NOT NULL,
  target   TEXT,
  reason   TEXT,
  acted_at TEXT NOT NULL
);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_is_never_erased BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- REPLACE would erase an entry without asking the trigger above.
CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE rowid = new.rowid) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TABLE setting (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL,                            -- JSON
  changed_at TEXT NOT NULL
);
