-- 0015_create_organisation.sql
-- Organisations that answer for devices: who they are and how that was checked, the devices they
-- answer for, what they state of them, and the requests that reach them.

CREATE TABLE organisation (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),            -- UUIDv7
  account_rowid INTEGER NOT NULL UNIQUE REFERENCES account (rowid) ON DELETE CASCADE, -- who speaks for it
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  name_key      TEXT NOT NULL,                                           -- the name folded
  kind          TEXT NOT NULL CHECK (kind IN ('public', 'company')),
  domain        TEXT NOT NULL CHECK (length(domain) BETWEEN 3 AND 250),  -- small letters, without `www.`
  website       TEXT,
  contact       TEXT,
  data_protection_contact TEXT,
  privacy_policy TEXT,
  state         TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused')),
  check_method  TEXT CHECK (check_method IN ('email', 'file', 'manual')), -- NULL: nothing checked yet
  checked_at    TEXT,
  check_note    TEXT CHECK (length(check_note) <= 2100),                 -- what was looked at
  mail_digest   BLOB UNIQUE,                                             -- of the token in the mail that checks
  mail_address  TEXT,                                                    -- where it went
  mail_ends_at  TEXT,
  created_at    TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  decided_at    TEXT,
  reason        TEXT CHECK (length(reason) <= 500)                       -- of the last decision
);
-- A domain answers for itself once.
CREATE UNIQUE INDEX organisation_by_domain ON organisation (domain) WHERE state = 'approved';
CREATE INDEX organisation_by_name ON organisation (name_key, rowid) WHERE state = 'approved';
CREATE INDEX organisation_by_state ON organisation (state, rowid);

-- An organisation says that it answers for a device. One of them holds.
CREATE TABLE organisation_claim (
  rowid              INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  device_rowid       INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  organisation_rowid INTEGER NOT NULL REFERENCES organisation (rowid) ON DELETE CASCADE,
  state              TEXT NOT NULL CHECK (state IN ('standing', 'waiting', 'refused')),
  note               TEXT CHECK (length(note) <= 500),
  made_at            TEXT NOT NULL,
  decided_at         TEXT,                                               -- by a moderator; NULL: by the rule
  reason             TEXT CHECK (length(reason) <= 500),
  UNIQUE (device_rowid, organisation_rowid)
);
CREATE UNIQUE INDEX organisation_claim_standing ON organisation_claim (device_rowid)
  WHERE state = 'standing';
CREATE INDEX organisation_claim_waiting ON organisation_claim (rowid) WHERE state = 'waiting';
CREATE INDEX organisation_claim_by_organisation ON organisation_claim (organisation_rowid, state);

-- What an organisation states of a device that it answers for, beside what people observed.
CREATE TABLE operator_statement (
  claim_rowid INTEGER PRIMARY KEY REFERENCES organisation_claim (rowid) ON DELETE CASCADE,
  content     TEXT NOT NULL,                                             -- JSON: fields of a device, checked like them
  note        TEXT CHECK (length(note) <= 2000),
  stated_at   TEXT NOT NULL
);

-- A letter as it was sent: all that an operator sees of a choice but for what came after. It goes
-- with the choice.
CREATE TABLE request (
  rowid              INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE CHECK (length(id) = 36),       -- not the choice's
  choice_rowid       INTEGER NOT NULL UNIQUE REFERENCES choice (rowid) ON DELETE CASCADE,
  organisation_rowid INTEGER REFERENCES organisation (rowid) ON DELETE SET NULL, -- whom Farol brought it to
  subject            TEXT NOT NULL,
  body               TEXT NOT NULL,
  sent_at            TEXT NOT NULL
);
CREATE INDEX request_by_organisation ON request (organisation_rowid, rowid)
  WHERE organisation_rowid IS NOT NULL;

-- What a reply link names a choice by, at random; the rest of the link is derived.
ALTER TABLE choice ADD COLUMN reply_key BLOB CHECK (length(reply_key) = 16);
ALTER TABLE choice ADD COLUMN reply_link INTEGER NOT NULL DEFAULT 1 CHECK (reply_link IN (0, 1));
UPDATE choice SET reply_key = randomblob(16);
CREATE UNIQUE INDEX choice_by_reply_key ON choice (reply_key);

-- One more channel: `link`, by which an operator answers without an account.
CREATE TABLE choice_event_new (
  rowid        INTEGER PRIMARY KEY,
  choice_rowid INTEGER NOT NULL REFERENCES choice (rowid) ON DELETE CASCADE,
  event        TEXT NOT NULL CHECK (event IN (
    'sent', 'acknowledged', 'extended', 'honoured', 'refused', 'complained', 'withdrawn')),
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%SZ', at)),
  said_by      TEXT NOT NULL CHECK (said_by IN ('person', 'operator', 'farol')),
  note         TEXT CHECK (length(note) <= 2000),
  reason       TEXT CHECK (length(reason) <= 500),
  channel      TEXT CHECK (channel IN ('email', 'url', 'post', 'farol', 'link')),
  received_on  TEXT CHECK (received_on IS date(received_on)),
  noted_at     TEXT NOT NULL                                             -- when it was told
);
INSERT INTO choice_event_new SELECT rowid, choice_rowid, event, at, said_by, note, reason, channel,
  received_on, noted_at FROM choice_event;
DROP TABLE choice_event;
ALTER TABLE choice_event_new RENAME TO choice_event;
CREATE INDEX choice_event_by_choice ON choice_event (choice_rowid, rowid);
CREATE TRIGGER choice_event_stays BEFORE UPDATE ON choice_event BEGIN
  SELECT RAISE(ABORT, 'an event of the ledger is never changed');
END;
