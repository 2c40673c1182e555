-- 0020_tell_gone.sql
-- An import of a newer extract also tells which devices it knew again by where they stand, and which
-- of its source the file has no more.

ALTER TABLE import_run ADD COLUMN matched INTEGER NOT NULL DEFAULT 0; -- of changed and unchanged, known by place and category
ALTER TABLE import_run ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;    -- of its source, in the box of the file, not in the file

CREATE TABLE import_gone (
  import_rowid INTEGER NOT NULL REFERENCES import_run (rowid) ON DELETE CASCADE,
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  PRIMARY KEY (import_rowid, device_rowid)
) WITHOUT ROWID;
CREATE INDEX import_gone_by_device ON import_gone (device_rowid);
