-- 0048_create_mapping_day.sql
-- Mapping days: people meet for a day and map an area together.

CREATE TABLE mapping_day (
  rowid             INTEGER PRIMARY KEY AUTOINCREMENT,
  id                TEXT NOT NULL UNIQUE CHECK (length(id) = 36),          -- UUIDv7
  account_rowid     INTEGER REFERENCES account (rowid) ON DELETE SET NULL, -- its organiser; NULL: deleted the account
  title             TEXT NOT NULL CHECK (length(title) BETWEEN 3 AND 100),
  purpose           TEXT NOT NULL CHECK (length(purpose) BETWEEN 10 AND 2000),
  area              TEXT NOT NULL CHECK (json_valid(area)),                -- a polygon
  meeting_longitude REAL CHECK (meeting_longitude BETWEEN -180 AND 180),   -- NULL: no public meeting point
  meeting_latitude  REAL CHECK (meeting_latitude BETWEEN -90 AND 90),
  meeting_words     TEXT CHECK (length(meeting_words) <= 200),
  starts_at         TEXT NOT NULL,                                         -- UTC
  ends_at           TEXT NOT NULL,                                         -- UTC
  time_zone         TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  maximum           INTEGER NOT NULL CHECK (maximum BETWEEN 1 AND 500),    -- of participants
  kinds             TEXT NOT NULL CHECK (json_valid(kinds)),               -- JSON list of categories; empty: all
  languages         TEXT NOT NULL CHECK (json_valid(languages)),           -- JSON list of codes
  state             TEXT NOT NULL
    CHECK (state IN ('draft', 'waiting', 'approved', 'rejected', 'running', 'over', 'cancelled')),
  reason            TEXT CHECK (length(reason) <= 500),                    -- of the last decision, or of the cancellation
  created_at        TEXT NOT NULL,
  changed_at        TEXT NOT NULL,                                         -- its plan or its state
  mails             INTEGER NOT NULL DEFAULT 0 CHECK (mails BETWEEN 0 AND 3), -- that its organiser sent
  tagged_through    INTEGER NOT NULL DEFAULT 0,                            -- a number of the change sequence
  devices_before    INTEGER,                                               -- in the area; NULL: not started
  devices_after     INTEGER,                                               -- NULL: not over
  CHECK (starts_at < ends_at)
);
CREATE INDEX mapping_day_by_state ON mapping_day (state, starts_at, rowid);
CREATE INDEX mapping_day_by_account ON mapping_day (account_rowid, rowid) WHERE account_rowid IS NOT NULL;

-- A person who takes part, or waits for a place. The order of the rows is that of the waiting list.
CREATE TABLE mapping_day_participant (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),              -- UUIDv7
  day_rowid     INTEGER NOT NULL REFERENCES mapping_day (rowid) ON DELETE CASCADE,
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  state         TEXT NOT NULL CHECK (state IN ('joined', 'waiting')),
  shows_name    INTEGER NOT NULL DEFAULT 0 CHECK (shows_name IN (0, 1)),
  joined_at     TEXT NOT NULL,                                             -- contributions from then on count
  UNIQUE (day_rowid, account_rowid)
);
CREATE INDEX mapping_day_participant_by_state ON mapping_day_participant (day_rowid, state, rowid);
CREATE INDEX mapping_day_participant_by_account ON mapping_day_participant (account_rowid, rowid);

-- A device that participants added, confirmed, photographed or corrected during a day, once of each kind. It does not say
-- who did.
CREATE TABLE mapping_day_contribution (
  rowid        INTEGER PRIMARY KEY AUTOINCREMENT,
  day_rowid    INTEGER NOT NULL REFERENCES mapping_day (rowid) ON DELETE CASCADE,
  device_rowid INTEGER REFERENCES device (rowid) ON DELETE SET NULL,       -- NULL: the device was deleted
  kind         TEXT NOT NULL CHECK (kind IN ('added', 'confirmed', 'photographed', 'corrected')),
  category     TEXT NOT NULL,                                              -- of the device at that time
  made_at      TEXT NOT NULL,
  UNIQUE (day_rowid, kind, device_rowid)
);
CREATE INDEX mapping_day_contribution_by_day ON mapping_day_contribution (day_rowid, rowid);
CREATE INDEX mapping_day_contribution_by_device ON mapping_day_contribution (device_rowid)
  WHERE device_rowid IS NOT NULL;

-- A mail to all participants that is not queued to all of them yet.
CREATE TABLE mapping_day_mail (
  rowid          INTEGER PRIMARY KEY AUTOINCREMENT,
  day_rowid      INTEGER NOT NULL REFERENCES mapping_day (rowid) ON DELETE CASCADE,
  kind           TEXT NOT NULL CHECK (kind IN ('message', 'cancelled', 'thanks')),
  text           TEXT CHECK (length(text) <= 2000),                        -- of the organiser; NULL: none
  mailed_through INTEGER NOT NULL DEFAULT 0,                               -- a row of mapping_day_participant
  made_at        TEXT NOT NULL
);
CREATE INDEX mapping_day_mail_by_day ON mapping_day_mail (day_rowid);
