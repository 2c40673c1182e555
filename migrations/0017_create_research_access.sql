-- 0017_create_research_access.sql
-- Who asked to read as a researcher, for what, and what an admin decided. It goes with the account.

CREATE TABLE research_access (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  project       TEXT NOT NULL CHECK (length(project) BETWEEN 1 AND 120),
  purpose       TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 2000),
  wanted_until  TEXT NOT NULL CHECK (wanted_until IS date(wanted_until)),
  state         TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'granted', 'refused', 'revoked')),
  until         TEXT CHECK (until IS date(until)),                      -- the last day, where it was granted
  reason        TEXT CHECK (length(reason) <= 500),                     -- of the decision, for the person
  asked_at      TEXT NOT NULL,
  decided_at    TEXT,
  CHECK (state <> 'granted' OR until IS NOT NULL),
  CHECK ((state = 'waiting') = (decided_at IS NULL))
);
CREATE INDEX research_access_by_account ON research_access (account_rowid, state, until);
-- One question at a time.
CREATE UNIQUE INDEX research_access_waiting ON research_access (account_rowid) WHERE state = 'waiting';
CREATE INDEX research_access_in_order ON research_access (state <> 'waiting', rowid DESC);
