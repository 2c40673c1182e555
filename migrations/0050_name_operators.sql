-- 0050_name_operators.sql
-- Decisions of moderators about the names of operators. Without one, names with the same normal form are one
-- operator. Who decided, and why, is in `audit`.

CREATE TABLE operator_ruling (
  rowid     INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE CHECK (length(id) = 36),              -- UUIDv7
  kind      TEXT NOT NULL CHECK (kind IN ('merge', 'split', 'withhold')),
  key       TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 400),       -- the normal form; of a split the whole spelling
  into_key  TEXT CHECK (length(into_key) BETWEEN 1 AND 400),           -- the operator that a merge leads to
  made_at   TEXT NOT NULL,
  undone_at TEXT,                                                      -- NULL: in effect
  CHECK ((kind = 'merge') = (into_key IS NOT NULL))
);
CREATE UNIQUE INDEX operator_ruling_standing ON operator_ruling (kind, key) WHERE undone_at IS NULL;
