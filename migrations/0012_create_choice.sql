-- 0012_create_choice.sql
-- What people asked for and what became of it. Private: whose it is alone may read it, moderators and
-- admins as little as strangers. It goes with the account.

CREATE TABLE choice (
  rowid          INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE CHECK (length(id) = 36),          -- UUIDv7
  account_rowid  INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  device_id      TEXT NOT NULL CHECK (length(device_id) = 36),          -- stays when the device goes
  device         TEXT NOT NULL,                                         -- JSON: what everybody could see of it when it was asked
  kind           TEXT NOT NULL,                                         -- of the scheme `choices`
  "right"        TEXT,                                                  -- of seed/rights; NULL: what the device offers
  letter         TEXT,                                                  -- of seed/letters; NULL: the law is not known
  regime         TEXT,
  country        TEXT CHECK (length(country) = 2),                      -- where the device stands, as its record or the person has it
  language       TEXT NOT NULL CHECK (length(language) BETWEEN 2 AND 10),
  first_period   TEXT NOT NULL,                                         -- ISO 8601, from receipt
  more_period    TEXT,                                                  -- an extension; NULL: none
  deadline_basis TEXT NOT NULL CHECK (deadline_basis IN ('statutory', 'courtesy', 'authority')),
  details        TEXT NOT NULL DEFAULT '{}',                            -- JSON: what the person puts into the letter
  note           TEXT CHECK (length(note) <= 2000),
  reminders      INTEGER NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1)),
  created_at     TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  updated_at     TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at)),
  -- What follows from the events, so that lists and reminders need not count.
  state          TEXT NOT NULL DEFAULT 'wanted' CHECK (state IN (
    'wanted', 'sent', 'acknowledged', 'extended', 'honoured', 'refused', 'complained', 'withdrawn')),
  last_day       TEXT CHECK (last_day IS date(last_day))                -- the last on which an answer is in time
);
CREATE INDEX choice_by_account ON choice (account_rowid, rowid);
CREATE INDEX choice_by_device ON choice (device_id);
CREATE INDEX choice_running ON choice (last_day) WHERE state IN ('sent', 'acknowledged', 'extended');

-- Appended, never changed; the order is that of the rows.
CREATE TABLE choice_event (
  rowid        INTEGER PRIMARY KEY,
  choice_rowid INTEGER NOT NULL REFERENCES choice (rowid) ON DELETE CASCADE,
  event        TEXT NOT NULL CHECK (event IN (
    'sent', 'acknowledged', 'extended', 'honoured', 'refused', 'complained', 'withdrawn')),
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%SZ', at)),
  said_by      TEXT NOT NULL CHECK (said_by IN ('person', 'operator', 'farol')),
  note         TEXT CHECK (length(note) <= 2000),
  reason       TEXT CHECK (length(reason) <= 500),
  channel      TEXT CHECK (channel IN ('email', 'url', 'post', 'farol')),
  received_on  TEXT CHECK (received_on IS date(received_on)),
  noted_at     TEXT NOT NULL                                            -- when it was told
);
CREATE INDEX choice_event_by_choice ON choice_event (choice_rowid, rowid);
CREATE TRIGGER choice_event_stays BEFORE UPDATE ON choice_event BEGIN
  SELECT RAISE(ABORT, 'an event of the ledger is never changed');
END;

-- Which reminders have gone out: each once for each last day.
CREATE TABLE choice_reminder (
  choice_rowid INTEGER NOT NULL REFERENCES choice (rowid) ON DELETE CASCADE,
  kind         TEXT NOT NULL CHECK (kind IN ('before', 'on', 'after')),
  last_day     TEXT NOT NULL,
  made_at      TEXT NOT NULL,
  PRIMARY KEY (choice_rowid, kind, last_day)
) WITHOUT ROWID;
