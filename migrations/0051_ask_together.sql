-- 0051_ask_together.sql
-- Requests that people make together: each sends an own letter, and the public sees how many did, in steps.

-- Nothing here names a person. `people` and the other counts are those of the last change of a published step, and are
-- shown to nobody.
CREATE TABLE common_request (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),     -- UUIDv7
  operator_key  TEXT NOT NULL,                                    -- the normal form of its name
  operator_name TEXT NOT NULL CHECK (length(operator_name) BETWEEN 1 AND 200),
  place         INTEGER NOT NULL DEFAULT 0,                       -- the town in the gazetteer; 0: none
  device_id     TEXT NOT NULL CHECK (length(device_id) = 36),     -- the one that letters are about
  kind          TEXT NOT NULL,                                    -- of the choices
  country       TEXT CHECK (length(country) = 2),                 -- whose law sets the period
  period        TEXT NOT NULL,                                    -- ISO 8601
  opened_on     TEXT NOT NULL CHECK (opened_on IS date(opened_on)),
  counted_on    TEXT CHECK (counted_on IS date(counted_on)),      -- the last publication; NULL: none yet
  shown_on      TEXT CHECK (shown_on IS date(shown_on)),          -- the first with a number
  due_on        TEXT CHECK (due_on IS date(due_on)),              -- the last day for answers to those counted then
  people        INTEGER NOT NULL DEFAULT 0 CHECK (people >= 0),
  honoured      INTEGER NOT NULL DEFAULT 0 CHECK (honoured >= 0),
  refused       INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0),
  overdue       INTEGER NOT NULL DEFAULT 0 CHECK (overdue >= 0),
  UNIQUE (operator_key, place, kind)
);
CREATE INDEX common_request_by_device ON common_request (device_id);

-- A person in one of them. It ends with the choice, which holds the letter.
CREATE TABLE common_request_member (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  request_rowid INTEGER NOT NULL REFERENCES common_request (rowid) ON DELETE CASCADE,
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  choice_id     TEXT NOT NULL REFERENCES choice (id) ON DELETE CASCADE,
  UNIQUE (request_rowid, account_rowid)
);
CREATE INDEX common_request_member_by_account ON common_request_member (account_rowid, rowid);
CREATE INDEX common_request_member_by_choice ON common_request_member (choice_id);
