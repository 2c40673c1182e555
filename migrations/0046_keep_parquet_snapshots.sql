-- 0046_keep_parquet_snapshots.sql
-- A snapshot has a third file, of another format.

CREATE TABLE snapshot_file_new (
  day          TEXT NOT NULL REFERENCES snapshot (day) ON DELETE CASCADE,
  format       TEXT NOT NULL CHECK (format IN ('csv', 'geojson', 'parquet')),
  devices      INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,
  sha256       TEXT NOT NULL CHECK (length(sha256) = 64),
  edition      INTEGER NOT NULL DEFAULT 1,             -- one more each time records were taken out
  withdrawn    INTEGER NOT NULL DEFAULT 0,             -- records taken out
  withdrawn_at TEXT,
  PRIMARY KEY (day, format)
) WITHOUT ROWID;

INSERT INTO snapshot_file_new
SELECT day, format, devices, bytes, sha256, edition, withdrawn, withdrawn_at FROM snapshot_file;

DROP TABLE snapshot_file;
ALTER TABLE snapshot_file_new RENAME TO snapshot_file;
