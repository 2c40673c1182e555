-- 0001_create_taxonomy.sql
-- The words that devices are described with. They are data: whoever runs an instance adds a category
-- with a row and its translations. `number` is a term's place in the point index; it is given once
-- and never reused.

CREATE TABLE category (
  code         TEXT PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 60),
  number       INTEGER NOT NULL UNIQUE CHECK (number BETWEEN 0 AND 254),
  position     INTEGER NOT NULL,                       -- order of display
  icon         TEXT NOT NULL,
  household    INTEGER NOT NULL CHECK (household IN (0, 1)), -- stands in homes: precision 1km unless chosen
  stale_months INTEGER NOT NULL CHECK (stale_months BETWEEN 1 AND 600),
  collects     TEXT NOT NULL,                          -- JSON array of `data` codes it typically collects
  dpv          TEXT NOT NULL,                          -- JSON array of W3C DPV terms
  osm          TEXT NOT NULL,                          -- JSON: OpenStreetMap tags
  origin       TEXT NOT NULL CHECK (origin IN ('seed', 'instance'))
);

CREATE TABLE term (
  scheme   TEXT NOT NULL CHECK (length(scheme) BETWEEN 1 AND 60),
  code     TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 60),
  number   INTEGER NOT NULL CHECK (number BETWEEN 0 AND 9999),
  position INTEGER NOT NULL,
  parent   TEXT,
  icon     TEXT,
  dpv      TEXT NOT NULL,                              -- JSON array of W3C DPV terms
  osm      TEXT NOT NULL,                              -- JSON: OpenStreetMap tags
  more     TEXT NOT NULL,                              -- JSON object: what only this scheme says (sources …)
  origin   TEXT NOT NULL CHECK (origin IN ('seed', 'instance')),
  PRIMARY KEY (scheme, code),
  UNIQUE (scheme, number)
);

CREATE TABLE translation (
  scheme     TEXT NOT NULL,                            -- 'categories' or the scheme of a term
  code       TEXT NOT NULL,
  language   TEXT NOT NULL CHECK (length(language) BETWEEN 2 AND 10),
  label      TEXT NOT NULL,
  plural     TEXT,
  definition TEXT NOT NULL,
  PRIMARY KEY (scheme, code, language)
);
