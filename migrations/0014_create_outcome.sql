-- 0014_create_outcome.sql
-- Figures about people as they were published, who stood behind them, and requests for people's data.

-- What became of requests to an operator or about a category (docs/explanation/suppression.md). `people` is the
-- true number on the day of publication and shown to nobody.
CREATE TABLE outcome (
  rowid       INTEGER PRIMARY KEY,
  kind        TEXT NOT NULL CHECK (kind IN ('operator', 'category')),
  key         TEXT NOT NULL,                            -- the operator's name folded, or the category's code
  name        TEXT NOT NULL,
  people      INTEGER NOT NULL CHECK (people >= 10),
  asked       INTEGER NOT NULL CHECK (asked % 5 = 0 AND asked >= 10),
  honoured    INTEGER NOT NULL CHECK (honoured % 5 = 0),
  refused     INTEGER NOT NULL CHECK (refused % 5 = 0),
  overdue     INTEGER NOT NULL CHECK (overdue % 5 = 0),
  median_days INTEGER,                                  -- NULL: too few answers
  as_of       TEXT NOT NULL CHECK (as_of IS date(as_of)),
  UNIQUE (kind, key)
);

-- Who stood behind a figure, and how, when it was published: what a newer one is compared with.
CREATE TABLE outcome_member (
  outcome_rowid INTEGER NOT NULL REFERENCES outcome (rowid) ON DELETE CASCADE,
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  standing      TEXT NOT NULL CHECK (standing IN ('asked', 'honoured', 'refused', 'overdue')),
  PRIMARY KEY (outcome_rowid, account_rowid)
) WITHOUT ROWID;
CREATE INDEX outcome_member_by_account ON outcome_member (account_rowid);

-- What a person erases leaves no trace of whom they asked.
CREATE TRIGGER choice_leaves_outcomes AFTER DELETE ON choice BEGIN
  DELETE FROM outcome_member WHERE account_rowid = old.account_rowid;
END;

-- How many people are in one group of a grouping, as published; `people` is the true number.
CREATE TABLE people_group (
  rowid    INTEGER PRIMARY KEY,
  grouping TEXT NOT NULL,
  key      TEXT NOT NULL,
  people   INTEGER NOT NULL CHECK (people >= 10),
  shown    INTEGER NOT NULL CHECK (shown % 5 = 0 AND shown >= 10),
  as_of    TEXT NOT NULL CHECK (as_of IS date(as_of)),
  UNIQUE (grouping, key)
);
CREATE TABLE people_group_member (
  group_rowid   INTEGER NOT NULL REFERENCES people_group (rowid) ON DELETE CASCADE,
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  PRIMARY KEY (group_rowid, account_rowid)
) WITHOUT ROWID;
CREATE INDEX people_group_member_by_account ON people_group_member (account_rowid);

-- The day on which each kind of figure was last looked at.
CREATE TABLE publication (
  kind TEXT PRIMARY KEY CHECK (kind IN ('outcomes', 'people')),
  day  TEXT NOT NULL CHECK (day IS date(day))
) WITHOUT ROWID;

-- Whether others may ask for one's records.
ALTER TABLE account ADD COLUMN data_requests INTEGER NOT NULL DEFAULT 1
  CHECK (data_requests IN (0, 1));

-- Somebody asks another for their records. It outlives either of the two, without what named them,
-- and goes with the second.
CREATE TABLE data_request (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  asker_rowid   INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  asked_rowid   INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  reason        TEXT NOT NULL CHECK (length(reason) <= 2000),
  fields        TEXT NOT NULL,                          -- JSON array
  days          INTEGER NOT NULL CHECK (days BETWEEN 1 AND 365),
  subscribe     INTEGER NOT NULL CHECK (subscribe IN (0, 1)),
  asked_at      TEXT NOT NULL CHECK (asked_at IS strftime('%Y-%m-%dT%H:%M:%SZ', asked_at)),
  lapses_at     TEXT NOT NULL CHECK (lapses_at IS strftime('%Y-%m-%dT%H:%M:%SZ', lapses_at)),
  state         TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN (
    'waiting', 'accepted', 'refused', 'lapsed', 'revoked', 'ended', 'withdrawn')),
  answered_at   TEXT,
  note          TEXT CHECK (length(note) <= 2000),      -- of who was asked, for who asks
  granted       TEXT,                                   -- JSON array of fields
  granted_from  TEXT CHECK (granted_from IS date(granted_from)),
  granted_to    TEXT CHECK (granted_to IS date(granted_to)),
  granted_until TEXT CHECK (granted_until IS date(granted_until)), -- the last day
  subscribed    INTEGER CHECK (subscribed IN (0, 1)),
  ended_at      TEXT
);
CREATE INDEX data_request_by_asker ON data_request (asker_rowid, rowid);
CREATE INDEX data_request_by_asked ON data_request (asked_rowid, rowid);
CREATE INDEX data_request_waiting ON data_request (lapses_at) WHERE state = 'waiting';
CREATE INDEX data_request_accepted ON data_request (granted_until) WHERE state = 'accepted';
CREATE INDEX data_request_over ON data_request (ended_at) WHERE ended_at IS NOT NULL;

-- Each look at the records, for the person whose they are.
CREATE TABLE data_request_look (
  rowid         INTEGER PRIMARY KEY,
  request_rowid INTEGER NOT NULL REFERENCES data_request (rowid) ON DELETE CASCADE,
  at            TEXT NOT NULL,
  fields        TEXT NOT NULL,                          -- JSON array
  count         INTEGER NOT NULL CHECK (count >= 0)     -- records handed over
);
CREATE INDEX data_request_look_by_request ON data_request_look (request_rowid, rowid);

-- Who goes takes their words along and ends what runs.
CREATE TRIGGER account_leaves_data_requests BEFORE DELETE ON account BEGIN
  DELETE FROM data_request
  WHERE (asker_rowid = old.rowid AND asked_rowid IS NULL)
    OR (asked_rowid = old.rowid AND asker_rowid IS NULL);
  UPDATE data_request
  SET reason = CASE WHEN asker_rowid = old.rowid THEN '' ELSE reason END,
    note = CASE WHEN asked_rowid = old.rowid THEN NULL ELSE note END,
    state = CASE WHEN state IN ('waiting', 'accepted') THEN 'ended' ELSE state END,
    ended_at = coalesce(ended_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
  WHERE asker_rowid = old.rowid OR asked_rowid = old.rowid;
END;
