-- 0052_keep_front_files.sql
-- The built scripts, style sheets and texts of the releases that ran lately, for pages of another release.
CREATE TABLE front_file (
  name    TEXT PRIMARY KEY CHECK (length(name) BETWEEN 3 AND 100), -- with a hash of the content
  content BLOB NOT NULL,                                           -- in its gzip form if that is smaller
  seen_at TEXT NOT NULL                                            -- when a server of its release last ran
) WITHOUT ROWID;
