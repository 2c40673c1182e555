-- 0018_keep_snapshots.sql
-- A copy of everything public as it stood on one day, kept as files so that it can be cited.

CREATE TABLE snapshot (
  day             TEXT PRIMARY KEY CHECK (day IS date(day)),
  made_at         TEXT NOT NULL CHECK (made_at IS strftime('%Y-%m-%dT%H:%M:%SZ', made_at)),
  sequence        INTEGER NOT NULL,                    -- the last change that it shows
  schema_version  INTEGER NOT NULL,                    -- the last migration
  licences        TEXT NOT NULL,
  gone_at         TEXT,                                -- its files were erased, as had been said
  checked_through INTEGER NOT NULL,                    -- changes up to here were looked at for what must go
  checked_at      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE snapshot_file (
  day          TEXT NOT NULL REFERENCES snapshot (day) ON DELETE CASCADE,
  format       TEXT NOT NULL CHECK (format IN ('csv', 'geojson')),
  devices      INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,
  sha256       TEXT NOT NULL CHECK (length(sha256) = 64),
  edition      INTEGER NOT NULL DEFAULT 1,             -- one more each time records were taken out
  withdrawn    INTEGER NOT NULL DEFAULT 0,             -- records taken out
  withdrawn_at TEXT,
  PRIMARY KEY (day, format)
) WITHOUT ROWID;
