-- What the page of an import shows: the mapping as it was used, with the source and the licence that were chosen
-- for this import; the size of the file; the device of a flagged row; and what undoing the import did.

ALTER TABLE import_run ADD COLUMN mapping_file TEXT CHECK (mapping_file IS NULL OR json_valid(mapping_file));
ALTER TABLE import_run ADD COLUMN bytes INTEGER;     -- as sent, so compressed if it was; NULL: a stream, or an older import
ALTER TABLE import_run ADD COLUMN withdrawn INTEGER; -- devices that left the map with the import; NULL: not undone
ALTER TABLE import_run ADD COLUMN restored INTEGER;  -- devices that got earlier values back
ALTER TABLE import_run ADD COLUMN kept INTEGER;      -- devices that stayed because people have changed them

-- A note on a device ends with the device, because it may quote a value of it.
ALTER TABLE import_note ADD COLUMN device_rowid INTEGER REFERENCES device (rowid) ON DELETE CASCADE;
CREATE INDEX import_note_by_device ON import_note (device_rowid) WHERE device_rowid IS NOT NULL;
