-- 0053_contest_answers.sql
-- Two more states of a choice: after an operator says that it complied, the person confirms or contests that.

CREATE TABLE choice_new (
  rowid          INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE CHECK (length(id) = 36),          -- UUIDv7
  account_rowid  INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  device_id      TEXT NOT NULL CHECK (length(device_id) = 36),          -- stays when the device is deleted
  device         TEXT NOT NULL,                                         -- JSON: public data of the device when it was chosen
  kind           TEXT NOT NULL,                                         -- of the scheme `choices`
  "right"        TEXT,                                                  -- of seed/rights; NULL: a choice that the device offers
  letter         TEXT,                                                  -- of seed/letters; NULL: the law is not known
  regime         TEXT,
  country        TEXT CHECK (length(country) = 2),
  language       TEXT NOT NULL CHECK (length(language) BETWEEN 2 AND 10),
  first_period   TEXT NOT NULL,                                         -- ISO 8601, from receipt
  more_period    TEXT,                                                  -- an extension; NULL: none
  deadline_basis TEXT NOT NULL CHECK (deadline_basis IN ('statutory', 'courtesy', 'authority')),
  details        TEXT NOT NULL DEFAULT '{}',                            -- JSON: the person's values for letters
  note           TEXT CHECK (length(note) <= 2000),
  reminders      INTEGER NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1)),
  created_at     TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  updated_at     TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at)),
  -- Derived from the events, so that lists and reminders need not count.
  state          TEXT NOT NULL DEFAULT 'wanted' CHECK (state IN (
    'wanted', 'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained',
    'withdrawn')),
  last_day       TEXT CHECK (last_day IS date(last_day)),               -- the last on which an answer is in time
  reply_key      BLOB CHECK (length(reply_key) = 16),
  reply_link     INTEGER NOT NULL DEFAULT 1 CHECK (reply_link IN (0, 1))
);
INSERT INTO choice_new SELECT rowid, id, account_rowid, device_id, device, kind, "right", letter, regime, country,
  language, first_period, more_period, deadline_basis, details, note, reminders, created_at, updated_at, state,
  last_day, reply_key, reply_link FROM choice;
DROP TABLE choice;
ALTER TABLE choice_new RENAME TO choice;
CREATE INDEX choice_by_account ON choice (account_rowid, rowid);
CREATE INDEX choice_by_device ON choice (device_id);
CREATE INDEX choice_running ON choice (last_day) WHERE state IN ('sent', 'acknowledged', 'extended');
CREATE UNIQUE INDEX choice_by_reply_key ON choice (reply_key);
-- As in 0029: the erased choices of a person do not lead to its place in a figure.
CREATE TRIGGER choice_leaves_outcomes AFTER DELETE ON choice BEGIN
  UPDATE outcome_member
  SET person = (SELECT min(person, 0) - 1 FROM outcome_member ORDER BY person LIMIT 1)
  WHERE person = old.account_rowid;
END;

CREATE TABLE choice_event_new (
  rowid        INTEGER PRIMARY KEY,
  choice_rowid INTEGER NOT NULL REFERENCES choice (rowid) ON DELETE CASCADE,
  event        TEXT NOT NULL CHECK (event IN (
    'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained', 'withdrawn')),
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%SZ', at)),
  said_by      TEXT NOT NULL CHECK (said_by IN ('person', 'operator', 'farol')),
  note         TEXT CHECK (length(note) <= 2000),
  reason       TEXT CHECK (length(reason) <= 500),
  channel      TEXT CHECK (channel IN ('email', 'url', 'post', 'farol', 'link')),
  received_on  TEXT CHECK (received_on IS date(received_on)),
  noted_at     TEXT NOT NULL                                            -- when it was entered
);
INSERT INTO choice_event_new SELECT rowid, choice_rowid, event, at, said_by, note, reason, channel,
  received_on, noted_at FROM choice_event;
DROP TABLE choice_event;
ALTER TABLE choice_event_new RENAME TO choice_event;
CREATE INDEX choice_event_by_choice ON choice_event (choice_rowid, rowid);
CREATE TRIGGER choice_event_stays BEFORE UPDATE ON choice_event BEGIN
  SELECT RAISE(ABORT, 'an event of the ledger is never changed');
END;
