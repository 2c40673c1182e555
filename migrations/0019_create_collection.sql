-- 0019_create_collection.sql
-- Further collections: what others have mapped (boundaries, a city's own register), read only, with
-- attributes of their own. Only features of a `ready` collection are told.

CREATE TABLE collection (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL CHECK (length(id) BETWEEN 2 AND 60),
  state         TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'gone')),
  title         TEXT NOT NULL,
  description   TEXT NOT NULL,
  licence       TEXT NOT NULL,
  attribution   TEXT NOT NULL,
  url           TEXT,
  file          TEXT NOT NULL,
  properties    TEXT NOT NULL,                         -- JSON: [{"name", "kind"}]; its place is a property's key
  time_property INTEGER,                               -- the place of the property that `datetime` means
  feature_count INTEGER NOT NULL DEFAULT 0,
  west REAL, south REAL, east REAL, north REAL,        -- of all geometries; NULL where there is none
  starts TEXT, ends TEXT,                              -- of the time property
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  created_at    TEXT NOT NULL
);
CREATE UNIQUE INDEX collection_by_id ON collection (id) WHERE state = 'ready';
CREATE INDEX collection_by_account ON collection (account_rowid) WHERE account_rowid IS NOT NULL;

CREATE TABLE collection_feature (
  rowid            INTEGER PRIMARY KEY,
  collection_rowid INTEGER NOT NULL REFERENCES collection (rowid) ON DELETE CASCADE,
  key              TEXT NOT NULL,                      -- the id in the file, or the number of the row
  geometry         BLOB,                               -- SpatiaLite, WGS 84
  properties       TEXT NOT NULL,                      -- JSON: {"0": value, …} by the place of the property
  UNIQUE (collection_rowid, key)
);
CREATE INDEX collection_feature_by_collection ON collection_feature (collection_rowid, rowid);

-- The boxes of all geometries; the exact shapes are asked after it.
CREATE VIRTUAL TABLE collection_feature_box USING rtree(rowid, west, east, south, north);
CREATE TRIGGER collection_feature_delete AFTER DELETE ON collection_feature BEGIN
  DELETE FROM collection_feature_box WHERE rowid = old.rowid;
END;
