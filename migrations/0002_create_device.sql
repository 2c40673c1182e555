-- 0002_create_device.sql
-- A device is one thing that senses its surroundings, at one place. Whatever is NULL is unknown.
--
-- Lists of codes are JSON arrays in canonical order: they are written as they stand into answers, and
-- searched with the one fragment of SpatialDatabase that reads JSON.

SELECT InitSpatialMetaData(0, 'WGS84');

-- Where records come from, and under which licence.
CREATE TABLE source (
  rowid       INTEGER PRIMARY KEY,
  code        TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 60),
  name        TEXT NOT NULL,
  licence     TEXT NOT NULL,
  attribution TEXT NOT NULL,
  url         TEXT,
  share_alike INTEGER NOT NULL CHECK (share_alike IN (0, 1))
);

-- Who answers for devices. An organisation never stands here as a person: kind `household` has
-- neither name nor contact.
CREATE TABLE operator (
  rowid                   INTEGER PRIMARY KEY,
  name                    TEXT CHECK (length(name) BETWEEN 1 AND 200),
  kind                    TEXT NOT NULL CHECK (kind IN ('public', 'company', 'household', 'unknown')),
  contact                 TEXT,
  privacy_policy          TEXT,
  data_protection_contact TEXT,
  CHECK (kind <> 'household' OR
    (name IS NULL AND contact IS NULL AND data_protection_contact IS NULL AND privacy_policy IS NULL))
);
CREATE INDEX operator_by_name ON operator (name);

-- The spellings under which an operator is found again; `key` is the name folded (lower case, no
-- marks, single spaces) and its kind.
CREATE TABLE operator_alias (
  key            TEXT PRIMARY KEY,
  operator_rowid INTEGER NOT NULL REFERENCES operator (rowid) ON DELETE CASCADE
);
CREATE INDEX operator_alias_by_operator ON operator_alias (operator_rowid);

CREATE TABLE device (
  rowid                  INTEGER PRIMARY KEY,
  id                     TEXT NOT NULL UNIQUE CHECK (length(id) = 36), -- UUIDv7, what the world sees
  revision               INTEGER NOT NULL DEFAULT 1,
  name                   TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  category               TEXT NOT NULL REFERENCES category (code),
  status                 TEXT NOT NULL DEFAULT 'reported'
    CHECK (status IN ('reported', 'confirmed', 'disputed', 'removed', 'not_a_device')),
  hidden                 INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1, 2)), -- 1 by a moderator, 2 with the import that was undone
  longitude              REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180), -- the public point,
  latitude               REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),    -- already coarsened
  precision              TEXT NOT NULL CHECK (precision IN ('exact', '100m', '1km', 'area')),
  approximate            INTEGER NOT NULL DEFAULT 0 CHECK (approximate IN (0, 1)), -- a guess of its source
  country                TEXT CHECK (length(country) = 2),      -- ISO 3166-1 alpha-2
  description            TEXT CHECK (length(description) <= 2000),
  manufacturer           TEXT,
  model                  TEXT,
  units                  INTEGER CHECK (units BETWEEN 1 AND 10000),
  level                  TEXT,
  height                 REAL,                                  -- metres above the ground
  setting                TEXT CHECK (setting IN ('public', 'outdoor', 'indoor')),
  zone                   TEXT,
  bearings               TEXT NOT NULL DEFAULT '[]',            -- degrees clockwise from north
  field_of_view          REAL CHECK (field_of_view > 0 AND field_of_view <= 360), -- degrees
  mount                  TEXT,
  data_collected         TEXT NOT NULL DEFAULT '[]',
  purposes               TEXT NOT NULL DEFAULT '[]',
  identifiability        TEXT,
  processing             TEXT,
  storage                TEXT,
  retention              TEXT,                                  -- ISO 8601 duration, none, indefinite
  shared_with            TEXT NOT NULL DEFAULT '[]',
  legal_basis            TEXT,
  signage                TEXT,
  operator_rowid         INTEGER REFERENCES operator (rowid),
  choices                TEXT NOT NULL DEFAULT '[]',            -- kinds offered; each in full in device_choice
  assumed                TEXT NOT NULL DEFAULT '[]',            -- fields nobody has seen, filled in from the category
  source_rowid           INTEGER REFERENCES source (rowid),
  source_key             TEXT,                                  -- the source's own id of the record
  started_on             TEXT CHECK (length(started_on) <= 10), -- year, month or day it began to work
  observed_on            TEXT CHECK (observed_on IS date(observed_on)),   -- the day the source last looked
  last_confirmed         TEXT CHECK (last_confirmed IS strftime('%Y-%m-%dT%H:%M:%SZ', last_confirmed)),
  stale_on               TEXT NOT NULL CHECK (stale_on IS date(stale_on)), -- the day it asks to be looked at again
  created_at             TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  updated_at             TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at))
);
SELECT AddGeometryColumn('device', 'public_point', 4326, 'POINT', 'XY', 1);

CREATE INDEX device_by_name ON device (name, rowid);
CREATE INDEX device_by_updated_at ON device (updated_at, rowid);
CREATE INDEX device_by_created_at ON device (created_at, rowid);
CREATE INDEX device_by_last_confirmed ON device (last_confirmed, rowid) WHERE last_confirmed IS NOT NULL;
CREATE INDEX device_by_source ON device (source_rowid) WHERE source_rowid IS NOT NULL;
CREATE INDEX device_by_operator ON device (operator_rowid, rowid) WHERE operator_rowid IS NOT NULL;

-- What box queries filter by, so that one tree answers them; kept by triggers. The exact columns of
-- `device` are checked after it, because a tree keeps 32-bit floats.
CREATE VIRTUAL TABLE device_box USING rtree(
  rowid, west, east, south, north, category_low, category_high
);
CREATE TRIGGER device_box_insert AFTER INSERT ON device BEGIN
  INSERT INTO device_box
  SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
  FROM category WHERE code = new.category;
END;
CREATE TRIGGER device_box_update AFTER UPDATE OF longitude, latitude, category ON device BEGIN
  DELETE FROM device_box WHERE rowid = old.rowid;
  INSERT INTO device_box
  SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
  FROM category WHERE code = new.category;
END;
CREATE TRIGGER device_box_delete AFTER DELETE ON device BEGIN
  DELETE FROM device_box WHERE rowid = old.rowid;
END;

-- Full text of what people search for. The text is folded by the program before it comes here, so
-- that scripts without spaces are found by their words too.
CREATE VIRTUAL TABLE device_text USING fts5(
  name, operator, description, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
);
CREATE TRIGGER device_text_delete AFTER DELETE ON device BEGIN
  DELETE FROM device_text WHERE rowid = old.rowid;
END;

-- The true position, which only its author and moderators see. No public query names this table.
CREATE TABLE device_location (
  device_rowid INTEGER PRIMARY KEY REFERENCES device (rowid) ON DELETE CASCADE,
  longitude    REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude     REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90)
);

-- A choice that a device offers to the people it watches.
CREATE TABLE device_choice (
  device_rowid  INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  kind          TEXT NOT NULL,
  channel       TEXT CHECK (channel IN ('url', 'email', 'post', 'on_device', 'in_person')),
  target        TEXT,
  instructions  TEXT,
  deadline_days INTEGER CHECK (deadline_days BETWEEN 0 AND 3650),
  checked_on    TEXT CHECK (checked_on IS date(checked_on)),
  PRIMARY KEY (device_rowid, position)
);

-- The names other registers know a device by (`osm`: `node/123`; a city's own key), so that an import
-- finds it again and two lists of the same devices do not double them.
CREATE TABLE device_key (
  namespace    TEXT NOT NULL,
  key          TEXT NOT NULL,
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  version      INTEGER,                                -- the other register's version, where it has one
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;
CREATE INDEX device_key_by_device ON device_key (device_rowid);

-- What a source says that has no field here, kept whole for the way back. What of it is public is
-- decided by the allow-list when it is shown.
CREATE TABLE device_tag (
  device_rowid INTEGER PRIMARY KEY REFERENCES device (rowid) ON DELETE CASCADE,
  tags         TEXT NOT NULL                           -- JSON object of texts
);
