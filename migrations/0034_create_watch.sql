-- 0034_create_watch.sql
-- Watches: areas whose changes an account wants to hear about, and the changes to tell.

CREATE TABLE watch (
  rowid           INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),          -- UUIDv7
  account_rowid   INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  label           TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 80),  -- the words of the account
  area            TEXT NOT NULL,                                         -- JSON
  filter          TEXT NOT NULL,                                         -- JSON: parameters of lists
  events          TEXT NOT NULL,                                         -- JSON list of codes
  properties      TEXT NOT NULL,                                         -- JSON list; empty: any property
  mail            TEXT NOT NULL CHECK (mail IN ('none', 'at_once', 'daily', 'weekly')),
  hour            INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),        -- local time of a digest
  weekday         INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),      -- 1 is Monday
  time_zone       TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  paused          INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  mail_key        BLOB NOT NULL UNIQUE CHECK (length(mail_key) = 16),    -- in the link that ends its mails
  feed_key        BLOB UNIQUE CHECK (length(feed_key) = 16),             -- in the address of its feed; NULL: no feed
  webhook         TEXT CHECK (length(webhook) <= 2000),                  -- an https address; NULL: none
  webhook_key     BLOB CHECK (length(webhook_key) = 16),                 -- the signing secret follows from it
  webhook_ended_at TEXT,                                                 -- it did not answer for a day
  created_at      TEXT NOT NULL,
  renewed_at      TEXT NOT NULL,                                         -- its account last changed or kept it
  reminded_at     TEXT,                                                  -- the mail before its end
  since           INTEGER NOT NULL,                                      -- changes after this number are told
  version         INTEGER NOT NULL,                                      -- see watch_progress
  mailed_through  INTEGER NOT NULL DEFAULT 0,                            -- a number of watch_change
  mailed_at       TEXT,
  mail_due_at     TEXT,                                                  -- NULL: nothing to mail
  called_through  INTEGER NOT NULL DEFAULT 0,                            -- a number of watch_change
  call_due_at     TEXT,                                                  -- NULL: nothing to call
  calls_failed    INTEGER NOT NULL DEFAULT 0,                            -- in succession
  failing_since   TEXT,
  test_id         TEXT                                                   -- of a call that tests the webhook; NULL: none
);
CREATE INDEX watch_by_account ON watch (account_rowid, rowid);
CREATE INDEX watch_by_version ON watch (version);
CREATE INDEX watch_by_mail ON watch (mail, mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX watch_by_call ON watch (call_due_at) WHERE call_due_at IS NOT NULL;
CREATE INDEX watch_by_pause ON watch (paused);
CREATE INDEX watch_by_renewal ON watch (renewed_at);

-- A change that some watch may tell, with the device before and after it. What each watch tells is read from here when
-- it is due, so nothing says whose watch it concerns. Without the name of the device, so that an erased one leaves none.
CREATE TABLE watch_change (
  number                INTEGER PRIMARY KEY AUTOINCREMENT,
  sequence              INTEGER NOT NULL,                                -- of `change`
  happened_at           TEXT NOT NULL,
  device_rowid          INTEGER,                                         -- NULL: new figures about an operator
  device_id             TEXT,
  operators_before      TEXT NOT NULL DEFAULT '[]',                      -- JSON list of names
  operators_after       TEXT NOT NULL DEFAULT '[]',
  properties            TEXT NOT NULL DEFAULT '[]',                      -- JSON list: what changed
  keys                  TEXT NOT NULL,                                   -- JSON list: those in watch_change_key
  has_statement         INTEGER NOT NULL DEFAULT 0,
  is_confirmed_anew     INTEGER NOT NULL DEFAULT 0,
  is_compared           INTEGER NOT NULL DEFAULT 0,
  before_longitude      REAL,                                            -- the public point; NULL: it was not public
  before_latitude       REAL,
  before_category       TEXT,
  before_status         TEXT,
  before_setting        TEXT,
  before_precision      TEXT,
  before_data_collected TEXT,
  before_choices        TEXT,
  before_stale_on       TEXT,
  before_country        TEXT,
  before_last_confirmed TEXT,
  before_operator_rowid INTEGER,
  after_longitude       REAL,                                            -- NULL: it is not public
  after_latitude        REAL,
  after_category        TEXT,
  after_status          TEXT,
  after_setting         TEXT,
  after_precision       TEXT,
  after_data_collected  TEXT,
  after_choices         TEXT,
  after_stale_on        TEXT,
  after_country         TEXT,
  after_last_confirmed  TEXT,
  after_operator_rowid  INTEGER
);
CREATE INDEX watch_change_by_time ON watch_change (happened_at);

-- The keys of areas under which a change is filed.
CREATE TABLE watch_change_key (
  key    INTEGER NOT NULL,
  number INTEGER NOT NULL,                                               -- of watch_change
  PRIMARY KEY (key, number)
) WITHOUT ROWID;

-- What was sent, for the owner of the watch.
CREATE TABLE watch_sent (
  rowid       INTEGER PRIMARY KEY,
  watch_rowid INTEGER NOT NULL REFERENCES watch (rowid) ON DELETE CASCADE,
  channel     TEXT NOT NULL CHECK (channel IN ('mail', 'webhook')),
  matches     INTEGER NOT NULL,
  outcome     TEXT NOT NULL CHECK (outcome IN ('sent', 'failed', 'ended')),
  sent_at     TEXT NOT NULL
);
CREATE INDEX watch_sent_by_watch ON watch_sent (watch_rowid, rowid);
CREATE INDEX watch_sent_by_time ON watch_sent (sent_at);

-- How far changes are matched, in one row. `version` counts the changes of watches.
CREATE TABLE watch_progress (
  rowid    INTEGER PRIMARY KEY CHECK (rowid = 1),
  sequence INTEGER NOT NULL,                                             -- of `change`
  note     INTEGER NOT NULL,                                             -- of `watch_note`
  version  INTEGER NOT NULL
);
INSERT INTO watch_progress SELECT 1, coalesce(max(sequence), 0), 0, 0 FROM change;

-- What the change sequence does not say, written in the transaction of the change while a watch runs and
-- erased when it is matched: how a public device was before (`before`), or what else happened to it.
CREATE TABLE watch_note (
  number         INTEGER PRIMARY KEY AUTOINCREMENT,
  sequence       INTEGER NOT NULL,                                       -- the last change before this one
  kind           TEXT NOT NULL CHECK (kind IN ('before', 'statement', 'outcome')),
  device_rowid   INTEGER,
  operator_name  TEXT,                                                   -- of an outcome
  id             TEXT,
  revision       INTEGER,
  longitude      REAL,                                                   -- the public point
  latitude       REAL,
  category       TEXT,
  status         TEXT,
  setting        TEXT,
  operator_rowid INTEGER,
  precision      TEXT,
  data_collected TEXT,
  choices        TEXT,
  stale_on       TEXT,
  country        TEXT,
  last_confirmed TEXT
);

CREATE TRIGGER watch_note_before AFTER UPDATE OF hidden, revision, longitude, latitude, category, status,
  setting, operator_rowid, data_collected, choices, last_confirmed ON device
  WHEN old.hidden = 0 AND EXISTS (SELECT 1 FROM watch WHERE paused = 0)
BEGIN
  INSERT INTO watch_note (sequence, kind, device_rowid, id, revision, longitude, latitude, category, status,
    setting, operator_rowid, precision, data_collected, choices, stale_on, country, last_confirmed)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'before', old.rowid, old.id, old.revision,
    old.longitude, old.latitude, old.category, old.status, old.setting, old.operator_rowid, old.precision,
    old.data_collected, old.choices, old.stale_on, old.country, old.last_confirmed);
END;
CREATE TRIGGER watch_note_removal AFTER DELETE ON device
  WHEN old.hidden = 0 AND EXISTS (SELECT 1 FROM watch WHERE paused = 0)
BEGIN
  INSERT INTO watch_note (sequence, kind, device_rowid, id, revision, longitude, latitude, category, status,
    setting, operator_rowid, precision, data_collected, choices, stale_on, country, last_confirmed)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'before', old.rowid, old.id, old.revision,
    old.longitude, old.latitude, old.category, old.status, old.setting, old.operator_rowid, old.precision,
    old.data_collected, old.choices, old.stale_on, old.country, old.last_confirmed);
END;
CREATE TRIGGER watch_note_statement AFTER INSERT ON operator_statement
  WHEN EXISTS (SELECT 1 FROM watch WHERE paused = 0)
BEGIN
  INSERT INTO watch_note (sequence, kind, device_rowid)
  SELECT (SELECT coalesce(max(sequence), 0) FROM change), 'statement', device_rowid
  FROM organisation_claim WHERE rowid = new.claim_rowid;
END;
CREATE TRIGGER watch_note_new_statement AFTER UPDATE ON operator_statement
  WHEN EXISTS (SELECT 1 FROM watch WHERE paused = 0)
BEGIN
  INSERT INTO watch_note (sequence, kind, device_rowid)
  SELECT (SELECT coalesce(max(sequence), 0) FROM change), 'statement', device_rowid
  FROM organisation_claim WHERE rowid = new.claim_rowid;
END;
CREATE TRIGGER watch_note_outcome AFTER INSERT ON outcome
  WHEN new.kind = 'operator' AND EXISTS (SELECT 1 FROM watch WHERE paused = 0)
BEGIN
  INSERT INTO watch_note (sequence, kind, operator_name)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'outcome', new.name);
END;

-- RFC 2369 and RFC 8058: the list that a mail belongs to, and the encrypted path that ends it.
ALTER TABLE mail ADD COLUMN list TEXT;
ALTER TABLE mail ADD COLUMN unsubscribe TEXT;

-- An address that a mail server refused: watches no longer write to it.
CREATE TABLE mail_refusal (
  account_rowid INTEGER PRIMARY KEY REFERENCES account (rowid) ON DELETE CASCADE,
  address       TEXT NOT NULL,
  refused_at    TEXT NOT NULL
);
