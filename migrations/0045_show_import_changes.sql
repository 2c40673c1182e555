-- 0045_show_import_changes.sql
-- The test of an import shows which devices the import would change, and how. The rows are deleted with the report.

CREATE TABLE import_change (
  import_rowid INTEGER NOT NULL REFERENCES import_run (rowid) ON DELETE CASCADE,
  row          INTEGER NOT NULL,                       -- counted from 1 in the file
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  field        TEXT NOT NULL,
  before       TEXT,                                   -- NULL: unknown
  after        TEXT
);
CREATE INDEX import_change_by_run ON import_change (import_rowid, row);
CREATE INDEX import_change_by_device ON import_change (device_rowid);
