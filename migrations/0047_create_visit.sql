-- 0047_create_visit.sql
-- Visits: requests to look at a device, the volunteers who go there, and the offers of requests to them.

-- A volunteer: an area as a cell of at least 2 km and a radius, never a position, and the hours at which to ask.
CREATE TABLE visit_volunteer (
  account_rowid  INTEGER PRIMARY KEY REFERENCES account (rowid) ON DELETE CASCADE,
  id             TEXT NOT NULL UNIQUE CHECK (length(id) = 36),             -- UUIDv7
  cell           TEXT NOT NULL CHECK (length(cell) BETWEEN 3 AND 10),      -- row-column
  cell_row       INTEGER NOT NULL CHECK (cell_row BETWEEN 0 AND 8999),
  radius         INTEGER NOT NULL CHECK (radius BETWEEN 1 AND 50),         -- kilometres
  kinds          TEXT NOT NULL DEFAULT '[]',                               -- JSON list of categories; empty: any
  offers_per_day INTEGER NOT NULL CHECK (offers_per_day BETWEEN 1 AND 20),
  until          TEXT,                                                     -- available now, until then
  weekly         TEXT NOT NULL DEFAULT '[]',                               -- JSON list of hours in the time zone
  time_zone      TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  mail           INTEGER NOT NULL CHECK (mail IN (0, 1)),
  found          INTEGER NOT NULL CHECK (found IN (0, 1)),                 -- also what Farol itself finds
  paused         INTEGER NOT NULL CHECK (paused IN (0, 1)),
  turn           INTEGER NOT NULL,                                         -- the order of the queue of a zone
  free_from      TEXT,                                                     -- the present or next time of availability
  free_until     TEXT,
  found_at       TEXT,                                                     -- when Farol last looked for a device
  renewed_at     TEXT NOT NULL                                             -- last changed or used
);
CREATE INDEX visit_volunteer_by_zone ON visit_volunteer (cell, turn);
CREATE INDEX visit_volunteer_by_row ON visit_volunteer (cell_row, cell);
CREATE INDEX visit_volunteer_by_turn ON visit_volunteer (turn);
CREATE INDEX visit_volunteer_by_renewal ON visit_volunteer (renewed_at);

-- A request for a visit, with its state (docs/reference/visits.md). Rows exist only for what was asked or offered.
CREATE TABLE visit_request (
  rowid          INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE CHECK (length(id) = 36),             -- UUIDv7
  device_rowid   INTEGER REFERENCES device (rowid) ON DELETE SET NULL,
  device_id      TEXT NOT NULL CHECK (length(device_id) = 36),
  reason         TEXT NOT NULL CHECK (reason IN ('still_there', 'photo_notice', 'check_details', 'mapping_day',
    'stale', 'disputed', 'single_report', 'approximate', 'no_photo')),
  asker_rowid    INTEGER REFERENCES account (rowid) ON DELETE SET NULL,    -- NULL: Farol, or an erased account
  visitor_rowid  INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  cell_row       INTEGER NOT NULL,                                         -- of the device when it was asked
  state          TEXT NOT NULL
    CHECK (state IN ('waiting', 'offered', 'open', 'accepted', 'planned', 'done', 'closed')),
  asked_at       TEXT NOT NULL,
  state_at       TEXT NOT NULL,
  due_at         TEXT,                                                     -- when the next look is due
  planned_for    TEXT,
  reminded_at    TEXT,
  opened_at      TEXT,                                                     -- open to all from then on
  offers         INTEGER NOT NULL DEFAULT 0 CHECK (offers >= 0),
  outcome        TEXT CHECK (outcome IN ('confirmed', 'changed', 'gone', 'not_found', 'not_accessible', 'unsafe')),
  closed_at      TEXT,
  closed_because TEXT CHECK (closed_because IN ('withdrawn', 'moderated', 'expired', 'device_deleted',
    'device_merged', 'device_hidden', 'device_private'))
);
CREATE UNIQUE INDEX visit_request_by_device ON visit_request (device_rowid) WHERE closed_at IS NULL;
CREATE INDEX visit_request_of_device ON visit_request (device_rowid, closed_at);
CREATE INDEX visit_request_by_asker ON visit_request (asker_rowid, rowid);
CREATE INDEX visit_request_by_visitor ON visit_request (visitor_rowid, rowid);
CREATE INDEX visit_request_by_due ON visit_request (due_at) WHERE closed_at IS NULL;
CREATE INDEX visit_request_by_state ON visit_request (state, rowid);
CREATE INDEX visit_request_by_end ON visit_request (closed_at) WHERE closed_at IS NOT NULL;

-- An offer of a request to a volunteer.
CREATE TABLE visit_offer (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),              -- UUIDv7
  request_rowid INTEGER NOT NULL REFERENCES visit_request (rowid) ON DELETE CASCADE,
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  state         TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'declined', 'lapsed', 'withdrawn')),
  offered_at    TEXT NOT NULL,
  ends_at       TEXT NOT NULL,
  answered_at   TEXT,
  UNIQUE (request_rowid, account_rowid)                                    -- never the same request twice
);
-- No request is offered to two volunteers at once, and no volunteer has two offers at once.
CREATE UNIQUE INDEX visit_offer_pending ON visit_offer (request_rowid) WHERE state = 'pending';
CREATE UNIQUE INDEX visit_offer_pending_of ON visit_offer (account_rowid) WHERE state = 'pending';
CREATE INDEX visit_offer_by_account ON visit_offer (account_rowid, offered_at);
CREATE INDEX visit_offer_by_time ON visit_offer (offered_at);

-- The published numbers of people in the statistics of visits, in one row.
CREATE TABLE visit_figure (
  rowid      INTEGER PRIMARY KEY CHECK (rowid = 1),
  day        TEXT NOT NULL,
  volunteers INTEGER NOT NULL CHECK (volunteers >= 0),                     -- 0: fewer than ten
  askers     INTEGER NOT NULL CHECK (askers >= 0)
);
INSERT INTO visit_figure VALUES (1, '1970-01-01', 0, 0);
