-- 0003_create_history.sql
-- What happened to devices: revisions for people, changes for programs.

-- One run of an import. Undoing it is one more revision of each device it touched.
CREATE TABLE import_run (
  rowid       INTEGER PRIMARY KEY,
  file        TEXT NOT NULL,                           -- name of the file, without its folder
  mapping     TEXT NOT NULL,
  source_rowid INTEGER REFERENCES source (rowid),
  state       TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'undone')),
  error       TEXT,
  started_at  TEXT NOT NULL,
  finished_at TEXT,
  undone_at   TEXT,
  rows        INTEGER NOT NULL DEFAULT 0,
  added       INTEGER NOT NULL DEFAULT 0,
  changed     INTEGER NOT NULL DEFAULT 0,
  unchanged   INTEGER NOT NULL DEFAULT 0,
  flagged     INTEGER NOT NULL DEFAULT 0,
  skipped     INTEGER NOT NULL DEFAULT 0,
  refused     INTEGER NOT NULL DEFAULT 0
);

-- Why a row of an import was flagged, skipped or refused.
CREATE TABLE import_note (
  import_rowid INTEGER NOT NULL REFERENCES import_run (rowid) ON DELETE CASCADE,
  row          INTEGER NOT NULL,                       -- counted from 1 in the file
  severity     TEXT NOT NULL CHECK (severity IN ('flagged', 'skipped', 'refused')),
  field        TEXT,
  code         TEXT NOT NULL,
  detail       TEXT NOT NULL
);
CREATE INDEX import_note_by_run ON import_note (import_rowid, row);

-- Every change of a device by a person or an import. `before` holds what the changed fields said
-- until then (JSON; NULL when the device was added), so any revision is read by walking back.
CREATE TABLE revision (
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  number       INTEGER NOT NULL CHECK (number >= 1),
  kind         TEXT NOT NULL CHECK (kind IN ('add', 'edit', 'restore', 'import', 'undo')),
  made_at      TEXT NOT NULL,
  account_rowid INTEGER,                               -- NULL: an import, or a person who is gone
  import_rowid INTEGER REFERENCES import_run (rowid),
  comment      TEXT CHECK (length(comment) <= 500),
  before       TEXT,
  PRIMARY KEY (device_rowid, number)
) WITHOUT ROWID;
CREATE INDEX revision_by_import ON revision (import_rowid, device_rowid) WHERE import_rowid IS NOT NULL;

-- The one sequence of everything that changed on the public map, written in the transaction of the
-- change. ETags, the point index, feeds and snapshot differences stand on it.
CREATE TABLE change (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  device_rowid INTEGER NOT NULL,                       -- no reference: it outlives the device
  kind         TEXT NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
  changed_at   TEXT NOT NULL
);
CREATE INDEX change_by_device ON change (device_rowid, sequence);
