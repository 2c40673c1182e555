-- The tables that Farol writes when a device is added, for PostGIS: the same columns, checks and indexes. The R*Tree is
-- a GiST index, the full text a GIN index.

CREATE EXTENSION postgis;
CREATE TABLE category (code text PRIMARY KEY, number int NOT NULL);
CREATE TABLE account (rowid bigserial PRIMARY KEY, token bytea UNIQUE NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE operator (rowid bigserial PRIMARY KEY, name text CHECK (length(name) BETWEEN 1 AND 200), kind text NOT NULL
  CHECK (kind IN ('public', 'company', 'household', 'unknown')), contact text, privacy_policy text, data_protection_contact text);
CREATE INDEX operator_by_name ON operator (name);
CREATE TABLE device (
  rowid bigserial PRIMARY KEY, id uuid NOT NULL UNIQUE, revision int NOT NULL DEFAULT 1,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120), category text NOT NULL REFERENCES category (code),
  status text NOT NULL DEFAULT 'reported' CHECK (status IN ('reported', 'confirmed', 'disputed', 'removed', 'not_a_device')),
  hidden int NOT NULL DEFAULT 0, longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  precision text NOT NULL CHECK (precision IN ('exact', '100m', '1km', 'area')), approximate boolean NOT NULL DEFAULT false,
  country text CHECK (length(country) = 2), description text CHECK (length(description) <= 2000), manufacturer text, model text,
  units int CHECK (units BETWEEN 1 AND 10000), level text, height double precision,
  setting text CHECK (setting IN ('public', 'outdoor', 'indoor')), zone text, bearings jsonb NOT NULL DEFAULT '[]',
  field_of_view double precision, mount text, data_collected jsonb NOT NULL DEFAULT '[]', purposes jsonb NOT NULL DEFAULT '[]',
  identifiability text, processing text, storage text, retention text, shared_with jsonb NOT NULL DEFAULT '[]', legal_basis text,
  signage text, operator_rowid bigint REFERENCES operator (rowid), choices jsonb NOT NULL DEFAULT '[]',
  assumed jsonb NOT NULL DEFAULT '[]', source_rowid bigint, source_key text, started_on text, observed_on date,
  last_confirmed timestamptz, stale_on date NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  public_point geometry(Point, 4326) NOT NULL, account_rowid bigint REFERENCES account (rowid),
  base_status text NOT NULL DEFAULT 'reported', country_uncertain boolean NOT NULL DEFAULT false, ended_at timestamptz,
  words tsvector NOT NULL);
CREATE INDEX device_box ON device USING gist (public_point);
CREATE INDEX device_words ON device USING gin (words);
CREATE INDEX device_by_updated_at ON device (updated_at, rowid);
CREATE INDEX device_by_created_at ON device (created_at, rowid);
CREATE INDEX device_by_last_confirmed ON device (last_confirmed, rowid) WHERE last_confirmed IS NOT NULL;
CREATE INDEX device_by_source ON device (source_rowid) WHERE source_rowid IS NOT NULL;
CREATE INDEX device_by_account ON device (account_rowid) WHERE account_rowid IS NOT NULL;
CREATE INDEX device_hidden ON device (hidden) WHERE hidden <> 0;
CREATE INDEX device_by_name ON device (name, rowid);
CREATE INDEX device_by_operator ON device (operator_rowid, rowid) WHERE operator_rowid IS NOT NULL;
CREATE TABLE device_location (device_rowid bigint PRIMARY KEY REFERENCES device (rowid) ON DELETE CASCADE,
  longitude double precision NOT NULL, latitude double precision NOT NULL);
CREATE TABLE device_choice (device_rowid bigint NOT NULL REFERENCES device (rowid) ON DELETE CASCADE, position int NOT NULL,
  kind text NOT NULL, channel text, target text, instructions text, deadline_days int, checked_on date,
  PRIMARY KEY (device_rowid, position));
CREATE TABLE revision (device_rowid bigint NOT NULL REFERENCES device (rowid) ON DELETE CASCADE, number int NOT NULL,
  kind text NOT NULL, made_at timestamptz NOT NULL, account_rowid bigint REFERENCES account (rowid), import_rowid bigint, comment text,
  before jsonb, PRIMARY KEY (device_rowid, number));
CREATE INDEX revision_by_account ON revision (account_rowid, made_at) WHERE account_rowid IS NOT NULL;
CREATE TABLE change (sequence bigserial PRIMARY KEY, device_rowid bigint NOT NULL, kind text NOT NULL, changed_at timestamptz NOT NULL);
CREATE INDEX change_by_device ON change (device_rowid, sequence);
CREATE TABLE device_listing (device_rowid bigint PRIMARY KEY REFERENCES device (rowid) ON DELETE CASCADE, listed text NOT NULL);
