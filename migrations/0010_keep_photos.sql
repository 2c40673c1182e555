-- 0010_keep_photos.sql
-- Which picture a photo shows, which it showed before, and every file of the media folder.

-- A photo keeps its id when another picture takes its place; each picture has a number of its own.
ALTER TABLE photo ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1);
-- What a deleted photo was, for the day somebody brings it back.
ALTER TABLE photo ADD COLUMN state_before TEXT
  CHECK (state_before IN ('public', 'waiting', 'hidden'));

-- The pictures that photos showed before. One that left because parts of it were blacked out comes back
-- only when a moderator takes that back.
CREATE TABLE photo_version (
  photo_rowid INTEGER NOT NULL REFERENCES photo (rowid) ON DELETE CASCADE,
  number      INTEGER NOT NULL CHECK (number >= 1),
  file        TEXT NOT NULL UNIQUE,
  width       INTEGER NOT NULL CHECK (width BETWEEN 1 AND 20000),
  height      INTEGER NOT NULL CHECK (height BETWEEN 1 AND 20000),
  redacted_by INTEGER,                                   -- the version that blacked it out
  erase_at    TEXT NOT NULL,
  PRIMARY KEY (photo_rowid, number)
) WITHOUT ROWID;
CREATE INDEX photo_version_by_erasure ON photo_version (erase_at);

-- The files of the media folder; each name stands for two, large and thumbnail. Rows outlive photos, so
-- that no file is forgotten: one that nothing names any more is erased thirty days later.
CREATE TABLE media_file (
  file     TEXT PRIMARY KEY,
  photo_id TEXT NOT NULL,
  bytes    INTEGER NOT NULL,                             -- of both
  erase_at TEXT                                          -- NULL: needed, or not yet looked at
) WITHOUT ROWID;
CREATE INDEX media_file_by_photo ON media_file (photo_id);
