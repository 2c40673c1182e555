-- 0037_propose_lists.sql
-- Lists of devices that contributors propose. Nothing of them is public until a moderator accepts it.

CREATE TABLE proposal (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),            -- UUIDv7
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,   -- NULL: the account was deleted
  file          TEXT NOT NULL,                                           -- its name
  bytes         INTEGER NOT NULL CHECK (bytes >= 0),                     -- as sent
  format        TEXT NOT NULL,
  mapping       TEXT NOT NULL CHECK (json_valid(mapping)),
  source_name   TEXT NOT NULL,
  licence       TEXT NOT NULL,
  attribution   TEXT NOT NULL,
  url           TEXT,
  comment       TEXT,                                                    -- of the contributor
  read_rows     INTEGER NOT NULL,                                        -- rows of the file
  skipped       INTEGER NOT NULL,                                        -- rows that the mapping leaves out
  refused       INTEGER NOT NULL,                                        -- rows that are no devices
  devices       INTEGER NOT NULL CHECK (devices BETWEEN 1 AND 500),
  flagged       INTEGER NOT NULL,
  state         TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'refused')),
  created_at    TEXT NOT NULL,
  expires_at    TEXT NOT NULL,                                           -- erased after this moment
  decided_at    TEXT,                                                    -- NULL: open
  decided_by    INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  reason        TEXT,
  accepted      INTEGER,                                                 -- number of rows; NULL: open
  import_rowid  INTEGER REFERENCES import_run (rowid) ON DELETE SET NULL -- the import of the accepted rows
);
CREATE INDEX proposal_by_account ON proposal (account_rowid, rowid);
CREATE INDEX proposal_by_state ON proposal (state, rowid);
CREATE INDEX proposal_by_end ON proposal (expires_at);
CREATE INDEX proposal_by_decider ON proposal (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX proposal_by_import ON proposal (import_rowid) WHERE import_rowid IS NOT NULL;

-- A row of a proposal, as the device that it becomes when it is accepted.
CREATE TABLE proposal_row (
  rowid          INTEGER PRIMARY KEY,
  proposal_rowid INTEGER NOT NULL REFERENCES proposal (rowid) ON DELETE CASCADE,
  number         INTEGER NOT NULL CHECK (number BETWEEN 1 AND 500),
  file_row       INTEGER NOT NULL,                                       -- counted from 1
  name           TEXT NOT NULL,
  category       TEXT NOT NULL,
  status         TEXT NOT NULL,
  longitude      REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),   -- the true point
  latitude       REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  device         TEXT NOT NULL CHECK (json_valid(device)),               -- all properties
  notes          TEXT NOT NULL CHECK (json_valid(notes)),                -- flags of the mapping
  accepted       INTEGER CHECK (accepted IN (0, 1)),                     -- NULL: open
  UNIQUE (proposal_rowid, number)
);
