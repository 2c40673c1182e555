-- 0039_keep_files_in_database.sql
-- Files that all servers on one database need. SQLite has one server, which keeps them in folders, so there these tables
-- stay empty. Only the row of the file with all tiles is used on both engines.

-- Both pictures of a row of media_file. They are erased with it.
CREATE TABLE media_content (
  file    TEXT NOT NULL REFERENCES media_file (file) ON DELETE CASCADE,
  size    TEXT NOT NULL CHECK (size IN ('large', 'thumb')),
  content BLOB NOT NULL,                               -- a JPEG
  PRIMARY KEY (file, size)
) WITHOUT ROWID;

-- Files that are made at night. The SHA-256 of the content is their name, so equal files are stored once.
CREATE TABLE stored_file (
  sha256    TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  bytes     INTEGER NOT NULL,
  stored_at TEXT NOT NULL
) WITHOUT ROWID;

-- Their content: 65,536 bytes in each part but the last.
CREATE TABLE stored_part (
  sha256  TEXT NOT NULL REFERENCES stored_file (sha256) ON DELETE CASCADE,
  number  INTEGER NOT NULL CHECK (number >= 0),
  content BLOB NOT NULL CHECK (length(content) BETWEEN 1 AND 65536),
  PRIMARY KEY (sha256, number)
) WITHOUT ROWID;

-- The file with all tiles; at most one row.
CREATE TABLE tiles_file (
  made_at  TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL,                           -- the last change in it
  bytes    INTEGER NOT NULL,
  sha256   TEXT NOT NULL CHECK (length(sha256) = 64)
) WITHOUT ROWID;
