-- 0006_create_contribution.sql
-- What people do to devices: who added one, every change of it, what they vouch for, what they show.

-- Who added the device; NULL: an import, or a person who is gone.
ALTER TABLE device ADD COLUMN account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL;
CREATE INDEX device_by_account ON device (account_rowid) WHERE account_rowid IS NOT NULL;

-- Where a device stood before a revision moved it: the true positions, out of the table that anybody's
-- history is read from. Only its author and moderators see them.
CREATE TABLE revision_location (
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  number       INTEGER NOT NULL CHECK (number >= 1),
  longitude    REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude     REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  PRIMARY KEY (device_rowid, number)
) WITHOUT ROWID;
INSERT INTO revision_location
SELECT device_rowid, number, json_extract(before, '$.place[0]'), json_extract(before, '$.place[1]')
FROM revision WHERE json_type(before, '$.place') = 'array';

-- A revision knows its person, loses it with the account, and may come of a moderator's act.
CREATE TABLE revision_next (
  device_rowid  INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  number        INTEGER NOT NULL CHECK (number >= 1),
  kind          TEXT NOT NULL
    CHECK (kind IN ('add', 'edit', 'restore', 'import', 'undo', 'revert', 'merge')),
  made_at       TEXT NOT NULL,
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  import_rowid  INTEGER REFERENCES import_run (rowid),
  comment       TEXT CHECK (length(comment) <= 500),
  before        TEXT CHECK (json_type(before, '$.place') IS NULL),
  PRIMARY KEY (device_rowid, number)
) WITHOUT ROWID;
INSERT INTO revision_next
SELECT device_rowid, number, kind, made_at, NULL, import_rowid, comment, json_remove(before, '$.place')
FROM revision;
DROP TABLE revision;
ALTER TABLE revision_next RENAME TO revision;
CREATE INDEX revision_by_import ON revision (import_rowid, device_rowid) WHERE import_rowid IS NOT NULL;
CREATE INDEX revision_by_account ON revision (account_rowid, made_at) WHERE account_rowid IS NOT NULL;

-- What one person says of one claim; the latest word counts. It outlives its person, without a name.
CREATE TABLE verdict (
  rowid         INTEGER PRIMARY KEY,
  device_rowid  INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  claim         TEXT NOT NULL CHECK (claim IN ('present', 'function', 'data', 'operator')),
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  verdict       TEXT NOT NULL CHECK (verdict IN ('confirm', 'dispute')),
  basis         TEXT NOT NULL CHECK (basis IN ('seen', 'sign', 'document', 'operator', 'inferred')),
  note          TEXT CHECK (length(note) <= 500),
  counts        INTEGER NOT NULL CHECK (counts IN (0, 1)),               -- 0: of a new account, until a look
  made_at       TEXT NOT NULL,
  UNIQUE (device_rowid, claim, account_rowid)
);
CREATE INDEX verdict_by_account ON verdict (account_rowid) WHERE account_rowid IS NOT NULL;

-- A photo of a device. The files lie in the media folder under `file`, which changes with each version.
CREATE TABLE photo (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  device_rowid  INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  position      INTEGER NOT NULL,
  alt           TEXT NOT NULL CHECK (length(alt) <= 300),
  state         TEXT NOT NULL CHECK (state IN ('public', 'waiting', 'hidden', 'deleted')),
  file          TEXT NOT NULL UNIQUE,
  width         INTEGER NOT NULL CHECK (width BETWEEN 1 AND 20000),
  height        INTEGER NOT NULL CHECK (height BETWEEN 1 AND 20000),
  created_at    TEXT NOT NULL,
  deleted_at    TEXT                                                     -- its files go 30 days later
);
CREATE INDEX photo_by_device ON photo (device_rowid, position);
CREATE INDEX photo_by_account ON photo (account_rowid) WHERE account_rowid IS NOT NULL;
CREATE INDEX photo_by_deletion ON photo (deleted_at) WHERE deleted_at IS NOT NULL;

-- An answer kept for a day, so that a request sent twice is carried out once.
CREATE TABLE idempotency (
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  key           TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 100),
  digest        BLOB NOT NULL CHECK (length(digest) = 32),               -- SHA-256 of method, path and body
  status        INTEGER NOT NULL,
  device_id     TEXT,                                                    -- what the answer was about
  made_at       TEXT NOT NULL,
  PRIMARY KEY (account_rowid, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (made_at);
