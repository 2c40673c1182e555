-- Written by `make postgresql-schema` from the migrations of SQLite (Tests/Dialect/baseline.py).

-- Functions of SQLite that statements of Farol call and PostgreSQL lacks, with the same results for the values that
-- Farol stores. A database on PostgreSQL will have them, as one on SQLite has `casefold` and `search_text`.

CREATE EXTENSION pgcrypto;
CREATE FUNCTION randomblob(count bigint) RETURNS bytea LANGUAGE sql VOLATILE AS 'SELECT gen_random_bytes(count::int)';

-- Dates are texts: `2026-11-26`, `2026-11-26T08:30:00Z`. A text that is no date gives NULL.
CREATE FUNCTION farol_time(at text) RETURNS timestamp LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF at = 'now' THEN RETURN date_trunc('milliseconds', now() AT TIME ZONE 'UTC'); END IF;
  IF at !~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$' THEN RETURN NULL; END IF;
  RETURN rtrim(at, 'Z')::timestamp;
EXCEPTION WHEN datetime_field_overflow OR invalid_datetime_format THEN RETURN NULL;
END $$;

-- Immutable for stored values; only 'now' is not, and no constraint or index has it.
CREATE FUNCTION date(at text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(farol_time(at), 'YYYY-MM-DD') $$;
CREATE FUNCTION date(at text, change text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(farol_time(at) + change::interval, 'YYYY-MM-DD') $$;

CREATE FUNCTION farol_format(format text, at timestamp) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(at, replace(replace(replace(replace(replace(replace(replace(replace(replace(
    format, 'T', '"T"'), 'Z', '"Z"'), '%Y', 'YYYY'), '%m', 'MM'), '%d', 'DD'), '%H', 'HH24'), '%M', 'MI'),
    '%S', 'SS'), '%f', 'SS.MS')) $$;
CREATE FUNCTION strftime(format text, at text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT farol_format(format, farol_time(at)) $$;
CREATE FUNCTION strftime(format text, at text, change text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT farol_format(format, farol_time(at) + change::interval) $$;
CREATE FUNCTION julianday(at text) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT extract(epoch FROM farol_time(at))::double precision / 86400 + 2440587.5 $$;

-- `min` and `max` of two values: NULL if one is NULL.
CREATE FUNCTION min(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least(a, b)';
CREATE FUNCTION max(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT greatest(a, b)';
CREATE FUNCTION min(a double precision, b double precision) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least(a, b)';
CREATE FUNCTION max(a double precision, b double precision) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT AS 'SELECT greatest(a, b)';
CREATE FUNCTION min(a text, b text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least(a, b)';
CREATE FUNCTION max(a text, b text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT greatest(a, b)';

-- Like C's fmod.
CREATE FUNCTION mod(a double precision, b double precision) RETURNS double precision
  LANGUAGE sql IMMUTABLE STRICT AS 'SELECT mod(a::numeric, b::numeric)::double precision';

-- Calculations of filters, by the steps of Sources/SpatialDatabase/Calculations.swift, so that both engines have the same
-- results. None of them fails: a result without a value, or one beyond 1e300, is NULL, and one below 1e-300 is 0. The
-- operators of PostgreSQL fail instead, so each limit is compared before the calculation.
CREATE FUNCTION farol_number(x double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN abs(x) <= 1e300::double precision
    THEN CASE WHEN abs(x) < 1e-300::double precision THEN 0::double precision ELSE x END END $$;
CREATE FUNCTION farol_plus(a double precision, b double precision) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  x double precision := farol_number(a);
  y double precision := farol_number(b);
BEGIN
  x := x + y;
  RETURN farol_number(x);
END $$;
CREATE FUNCTION farol_times(a double precision, b double precision) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  x double precision := farol_number(a);
  y double precision := farol_number(b);
BEGIN
  IF x IS NULL OR y IS NULL THEN RETURN NULL; END IF;
  IF abs(x) > 1 THEN
    IF abs(y) > 1e300::double precision / abs(x) THEN RETURN NULL; END IF;
  ELSIF x = 0 OR abs(y) < 1e-300::double precision / abs(x) THEN
    RETURN 0;
  END IF;
  x := x * y;
  RETURN farol_number(x);
END $$;
CREATE FUNCTION farol_divided(a double precision, b double precision) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  x double precision := farol_number(a);
  y double precision := farol_number(b);
BEGIN
  IF x IS NULL OR y IS NULL OR y = 0 THEN RETURN NULL; END IF;
  IF abs(y) < 1 THEN
    IF abs(x) > 1e300::double precision * abs(y) THEN RETURN NULL; END IF;
  ELSIF abs(x) < 1e-300::double precision * abs(y) THEN
    RETURN 0;
  END IF;
  x := x / y;
  RETURN farol_number(x);
END $$;
CREATE FUNCTION farol_remainder(a double precision, b double precision) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  quotient double precision := trunc(farol_divided(a, b));
BEGIN
  RETURN farol_plus(a, -farol_times(quotient, b));
END $$;
CREATE FUNCTION farol_power(a double precision, b double precision) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  x double precision := farol_number(a);
  y double precision := farol_number(b);
  exponent double precision;
BEGIN
  IF x IS NULL OR y IS NULL THEN RETURN NULL; END IF;
  IF y = 0 THEN RETURN 1; END IF;
  IF x = 0 THEN RETURN CASE WHEN y > 0 THEN 0 END; END IF;
  IF x < 0 AND y <> floor(y) THEN RETURN NULL; END IF;
  exponent := y * ln(abs(x));
  -- The logarithms of the limits.
  IF exponent > 690.7755 THEN RETURN NULL; END IF;
  IF exponent < -690.7755 THEN RETURN 0; END IF;
  x := power(x, y);
  RETURN farol_number(x);
END $$;

CREATE FUNCTION instr(whole text, part text) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT strpos(whole, part)';
CREATE FUNCTION substr(whole text, start integer, length bigint) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT pg_catalog.substr(whole, start, length::integer)';
CREATE FUNCTION farol_printf(format text, value numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN format ~ '^%0\d+d$'
    THEN lpad(trunc(value)::text, greatest(length(trunc(value)::text), substring(format FROM '\d+')::int), '0')
    ELSE round(value, substring(format FROM '^%\.(\d+)f$')::int)::text END $$;
CREATE FUNCTION printf(format text, value bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
  'SELECT farol_printf(format, value)';
CREATE FUNCTION printf(format text, value double precision) RETURNS text LANGUAGE sql IMMUTABLE AS
  'SELECT farol_printf(format, value::numeric)';

-- JSON is stored as text. A path is `$.name`, `$.name[0]`.
CREATE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN value::json IS NOT NULL;
EXCEPTION WHEN invalid_text_representation THEN RETURN false;
END $$;
CREATE FUNCTION json_quote(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(to_json(value)::text, 'null') $$;
CREATE FUNCTION farol_path(path text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT string_to_array(trim('.' FROM translate(substr(path, 2), '[]"', '.')), '.') $$;
CREATE FUNCTION json_type(value text, path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE json_typeof(value::json #> farol_path(path))
    WHEN 'string' THEN 'text'
    WHEN 'boolean' THEN value::json #>> farol_path(path)
    WHEN 'number' THEN CASE WHEN value::json #>> farol_path(path) ~ '[.eE]' THEN 'real' ELSE 'integer' END
    ELSE json_typeof(value::json #> farol_path(path)) END $$;
CREATE FUNCTION json_extract(value text, path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT value::json #>> farol_path(path) $$;
CREATE FUNCTION json_array_length(value text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE json_typeof(value::json) WHEN 'array' THEN json_array_length(value::json) ELSE 0 END $$;
CREATE FUNCTION farol_each(whole json) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE AS $$
  SELECT member.key, member.value
  FROM json_each_text(CASE json_typeof(whole) WHEN 'object' THEN whole ELSE '{}' END) AS member
  UNION ALL
  SELECT (place - 1)::text, element
  FROM json_array_elements_text(CASE json_typeof(whole) WHEN 'array' THEN whole ELSE '[]' END)
    WITH ORDINALITY AS listed (element, place) $$;
CREATE FUNCTION json_each(whole text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE AS
  'SELECT * FROM farol_each(whole::json)';
CREATE FUNCTION json_each(whole text, path text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE AS
  'SELECT * FROM farol_each(whole::json #> farol_path(path))';
CREATE FUNCTION farol_array(elements text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
  'SELECT array_to_json(elements)::text';
CREATE AGGREGATE json_group_array(text) (
  SFUNC = array_append, STYPE = text[], INITCOND = '{}', FINALFUNC = farol_array);

-- The program folds texts itself on SQLite (Sources/SpatialDatabase/CaseFolding.swift, SearchText.swift).
CREATE FUNCTION casefold(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(lower(upper(value COLLATE "und-x-icu")), 'ς', 'σ') COLLATE "C" $$;
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(coalesce(value, ''),
    '([\u0E00-\u0E7F\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uAC00-\uD7AF\U00020000-\U0003134F])',
    ' \1 ', 'g') $$;

-- `*` stands for any characters, `?` for one, `[…]` for one of a set. `glob` is a part of the statement that calls it, so
-- the expression of a pattern is made once for all rows.
CREATE FUNCTION farol_expression(pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  expression text := '^';
  part text;
BEGIN
  FOR part IN SELECT parts[1] FROM regexp_matches(pattern, '\[\^?\]?[^]]*\]|.', 'g') AS parts LOOP
    expression := expression || CASE
      WHEN part = '*' THEN '.*'
      WHEN part = '?' THEN '.'
      WHEN length(part) > 1 THEN replace(part, '\', '\\')
      WHEN part ~ '\W' THEN '\' || part
      ELSE part END;
  END LOOP;
  RETURN expression || '$';
END $$;
CREATE FUNCTION glob(pattern text, value text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  'SELECT value ~ farol_expression(pattern)';

-- SpatiaLite's names of PostGIS functions.
CREATE FUNCTION makepoint(longitude double precision, latitude double precision, srid int) RETURNS geometry
  LANGUAGE sql IMMUTABLE STRICT AS 'SELECT ST_SetSRID(ST_MakePoint(longitude, latitude), srid)';
CREATE FUNCTION st_minx(shape geometry) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT ST_XMin(shape)';
CREATE FUNCTION st_maxx(shape geometry) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT ST_XMax(shape)';
CREATE FUNCTION st_miny(shape geometry) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT ST_YMin(shape)';
CREATE FUNCTION st_maxy(shape geometry) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT ST_YMax(shape)';

-- SpatiaLite's relations of any two geometries. Those of PostGIS fail for some of them, such as a collection or a polygon that
-- crosses itself; SpatiaLite says that it cannot tell. A relation that is not known is NULL.
CREATE FUNCTION st_unaryunion(shape geometry) RETURNS geometry LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_UnaryUnion(shape, -1);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION intersects(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Intersects(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION equals(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Equals(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION touches(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Touches(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION within(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Within(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION overlaps(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Overlaps(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION crosses(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Crosses(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;
CREATE FUNCTION contains(a geometry, b geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN ST_Contains(a, b);
EXCEPTION WHEN internal_error OR invalid_parameter_value THEN RETURN NULL;
END $$;

-- The words of the full text, as FTS5's tokenizer `unicode61 remove_diacritics 2` finds them. A word of an index has at
-- most 2,046 bytes.
CREATE FUNCTION farol_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array(
    SELECT left(word, 255) FROM unnest(regexp_split_to_array(
      lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036F]', '', 'g') COLLATE "und-x-icu"),
      '[^[:alnum:]]+')) AS word
    WHERE word <> '') $$;
-- The query for words of which the last may be incomplete. NULL without a word, which finds nothing.
CREATE FUNCTION farol_query(typed text) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CAST(string_agg('''' || word || '''', ' & ') || ':*' AS tsquery) FROM unnest(farol_words(typed)) AS word $$;

CREATE TABLE category (
  code         text PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 60),
  number       bigint NOT NULL UNIQUE CHECK (number BETWEEN 0 AND 254),
  position     bigint NOT NULL,
  icon         text NOT NULL,
  household    bigint NOT NULL CHECK (household IN (0, 1)),
  stale_months bigint NOT NULL CHECK (stale_months BETWEEN 1 AND 600),
  collects     text NOT NULL,
  dpv          text NOT NULL,
  osm          text NOT NULL,
  origin       text NOT NULL CHECK (origin IN ('seed', 'instance')),
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE term (
  scheme   text NOT NULL CHECK (length(scheme) BETWEEN 1 AND 60),
  code     text NOT NULL CHECK (length(code) BETWEEN 1 AND 60),
  number   bigint NOT NULL CHECK (number BETWEEN 0 AND 9999),
  position bigint NOT NULL,
  parent   text,
  icon     text,
  dpv      text NOT NULL,
  osm      text NOT NULL,
  more     text NOT NULL,
  origin   text NOT NULL CHECK (origin IN ('seed', 'instance')),
  PRIMARY KEY (scheme, code),
  UNIQUE (scheme, number),
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE translation (
  scheme     text NOT NULL,
  code       text NOT NULL,
  language   text NOT NULL CHECK (length(language) BETWEEN 2 AND 10),
  label      text NOT NULL,
  plural     text,
  definition text NOT NULL,
  words text NOT NULL DEFAULT '[]',
  PRIMARY KEY (scheme, code, language),
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE source (
  rowid       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  code        text NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 60),
  name        text NOT NULL,
  licence     text NOT NULL,
  attribution text NOT NULL,
  url         text,
  share_alike bigint NOT NULL CHECK (share_alike IN (0, 1))
);

CREATE TABLE operator (
  rowid                   bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name                    text CHECK (length(name) BETWEEN 1 AND 200),
  kind                    text NOT NULL CHECK (kind IN ('public', 'company', 'household', 'unknown')),
  contact                 text,
  privacy_policy          text,
  data_protection_contact text,
  CHECK (kind <> 'household' OR
    (name IS NULL AND contact IS NULL AND data_protection_contact IS NULL AND privacy_policy IS NULL))
);

CREATE TABLE operator_alias (
  key            text PRIMARY KEY,
  operator_rowid bigint NOT NULL ,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE device (
  rowid                  bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id                     text NOT NULL UNIQUE CHECK (length(id) = 36),
  revision               bigint NOT NULL DEFAULT 1,
  name                   text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  category               text NOT NULL ,
  status                 text NOT NULL DEFAULT 'reported'
    CHECK (status IN ('reported', 'confirmed', 'disputed', 'removed', 'not_a_device')),
  hidden                 bigint NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1, 2)),
  longitude              double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude               double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  precision              text NOT NULL CHECK (precision IN ('exact', '100m', '1km', 'area')),
  approximate            bigint NOT NULL DEFAULT 0 CHECK (approximate IN (0, 1)),
  country                text CHECK (length(country) = 2),
  description            text CHECK (length(description) <= 2000),
  manufacturer           text,
  model                  text,
  units                  bigint CHECK (units BETWEEN 1 AND 10000),
  level                  text,
  height                 double precision,
  setting                text CHECK (setting IN ('public', 'outdoor', 'indoor')),
  zone                   text,
  bearings               text NOT NULL DEFAULT '[]',
  field_of_view          double precision CHECK (field_of_view > 0 AND field_of_view <= 360),
  mount                  text,
  data_collected         text NOT NULL DEFAULT '[]',
  purposes               text NOT NULL DEFAULT '[]',
  identifiability        text,
  processing             text,
  storage                text,
  retention              text,
  shared_with            text NOT NULL DEFAULT '[]',
  legal_basis            text,
  signage                text,
  operator_rowid         bigint ,
  choices                text NOT NULL DEFAULT '[]',
  assumed                text NOT NULL DEFAULT '[]',
  source_rowid           bigint ,
  source_key             text,
  started_on             text CHECK (length(started_on) <= 10),
  observed_on            text CHECK (observed_on IS NOT DISTINCT FROM date(observed_on)),
  last_confirmed         text CHECK (last_confirmed IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', last_confirmed)),
  stale_on               text NOT NULL CHECK (stale_on IS NOT DISTINCT FROM date(stale_on)),
  created_at             text NOT NULL CHECK (created_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  updated_at             text NOT NULL CHECK (updated_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', updated_at)),
  "public_point" geometry(Point, 4326) NOT NULL,
  account_rowid bigint ,
  base_status text NOT NULL DEFAULT 'reported'
  CHECK (base_status IN ('reported', 'confirmed', 'disputed', 'removed', 'not_a_device')),
  country_uncertain bigint NOT NULL DEFAULT 0
  CHECK (country_uncertain IN (0, 1)),
  ended_at text
  CHECK (ended_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', ended_at)),
  watch_cell bigint GENERATED ALWAYS AS (
  CASE
    WHEN latitude >= 87 THEN 719 * 1440
    WHEN latitude < -87 THEN 0
    ELSE CAST(trunc((latitude + 90) * 4) AS bigint) * 1440
      + CAST(trunc((longitude + 180) * 4) AS bigint) % 1440 / CASE
        WHEN latitude >= -44 AND latitude < 44 THEN 1
        WHEN latitude >= -68 AND latitude < 68 THEN 2
        WHEN latitude >= -79 AND latitude < 79 THEN 4
        WHEN latitude >= -84 AND latitude < 84 THEN 8
        ELSE 16
      END
  END) STORED
);

CREATE TABLE device_box (rowid bigint PRIMARY KEY, west double precision NOT NULL, east double precision NOT NULL, south double precision NOT NULL, north double precision NOT NULL, category_low double precision NOT NULL, category_high double precision NOT NULL);

CREATE INDEX device_box_by_place ON device_box USING gist (box(point(west, south), point(east, north)));

CREATE TABLE device_text (rowid bigint PRIMARY KEY, name text, operator text, description text, words tsvector GENERATED ALWAYS AS (array_to_tsvector(farol_words(coalesce(name, '') || ' ' || coalesce(operator, '') || ' ' || coalesce(description, '')))) STORED);

CREATE INDEX device_text_by_word ON device_text USING gin (words);

CREATE TABLE device_location (
  device_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  longitude    double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude     double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90)
);

CREATE TABLE device_choice (
  device_rowid  bigint NOT NULL ,
  position      bigint NOT NULL,
  kind          text NOT NULL,
  channel       text CHECK (channel IN ('url', 'email', 'post', 'on_device', 'in_person')),
  target        text,
  instructions  text,
  deadline_days bigint CHECK (deadline_days BETWEEN 0 AND 3650),
  checked_on    text CHECK (checked_on IS NOT DISTINCT FROM date(checked_on)),
  PRIMARY KEY (device_rowid, position),
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE device_key (
  namespace    text NOT NULL,
  key          text NOT NULL,
  device_rowid bigint NOT NULL ,
  version      bigint,
  PRIMARY KEY (namespace, key)
);

CREATE TABLE device_tag (
  device_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  tags         text NOT NULL
);

CREATE TABLE import_run (
  rowid       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  file        text NOT NULL,
  mapping     text NOT NULL,
  source_rowid bigint ,
  state       text NOT NULL CHECK (state IN ('running', 'done', 'failed', 'undone')),
  error       text,
  started_at  text NOT NULL,
  finished_at text,
  undone_at   text,
  rows        bigint NOT NULL DEFAULT 0,
  added       bigint NOT NULL DEFAULT 0,
  changed     bigint NOT NULL DEFAULT 0,
  unchanged   bigint NOT NULL DEFAULT 0,
  flagged     bigint NOT NULL DEFAULT 0,
  skipped     bigint NOT NULL DEFAULT 0,
  refused     bigint NOT NULL DEFAULT 0,
  account_rowid bigint ,
  dry_run bigint NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1)),
  matched bigint NOT NULL DEFAULT 0,
  gone bigint NOT NULL DEFAULT 0,
  columns text CHECK (columns IS NULL OR json_valid(columns)),
  mapping_file text CHECK (mapping_file IS NULL OR json_valid(mapping_file)),
  bytes bigint,
  withdrawn bigint,
  restored bigint,
  kept bigint,
  schedule_rowid bigint ,
  incomplete text
);

CREATE TABLE import_note (
  import_rowid bigint NOT NULL ,
  row          bigint NOT NULL,
  severity     text NOT NULL CHECK (severity IN ('flagged', 'skipped', 'refused')),
  field        text,
  code         text NOT NULL,
  detail       text NOT NULL,
  device_rowid bigint ,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE change (
  sequence     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  device_rowid bigint NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
  changed_at   text NOT NULL
);

CREATE TABLE job (
  rowid        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind         text NOT NULL,
  key          text UNIQUE,
  payload      text NOT NULL DEFAULT '{}',
  due_at       text NOT NULL,
  attempts     bigint NOT NULL DEFAULT 0,
  leased_until text,
  last_error   text,
  failed_at    text
);

CREATE TABLE audit (
  rowid    bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  actor    text NOT NULL,
  action   text NOT NULL,
  target   text,
  reason   text,
  acted_at text NOT NULL,
  action_rowid bigint 
);

CREATE TABLE setting (
  name       text PRIMARY KEY,
  value      text NOT NULL,
  changed_at text NOT NULL,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE account (
  rowid             bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id                text NOT NULL UNIQUE CHECK (length(id) = 36),
  username          text NOT NULL CHECK (length(username) BETWEEN 3 AND 40),
  username_key      text NOT NULL UNIQUE,
  email             text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_key         text NOT NULL,
  password_hash     text NOT NULL CHECK (starts_with(password_hash, '$argon2id$')),
  locale            text NOT NULL CHECK (length(locale) BETWEEN 2 AND 10),
  role              text NOT NULL DEFAULT 'contributor'
    CHECK (role IN ('contributor', 'operator', 'moderator', 'admin')),
  operator_rowid    bigint ,
  created_at        text NOT NULL CHECK (created_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  terms_accepted_at text NOT NULL,
  confirmed_at      text,
  accepted_edits    bigint NOT NULL DEFAULT 0 CHECK (accepted_edits >= 0),
  suspended_at      text,
  suspended_until   text,
  suspended_reason  text,
  totp_secret       bytea CHECK (length(totp_secret) = 20),
  totp_confirmed_at text,
  totp_last_step    bigint,
  totp_pending bytea CHECK (length(totp_pending) = 20),
  data_requests bigint NOT NULL DEFAULT 1
  CHECK (data_requests IN (0, 1)),
  username_look text
);

CREATE TABLE recovery_code (
  account_rowid bigint NOT NULL ,
  digest        bytea NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (account_rowid, digest)
);

CREATE TABLE session (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid bigint NOT NULL ,
  digest        bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  agent         text,
  created_at    text NOT NULL,
  last_seen_on  text NOT NULL CHECK (last_seen_on IS NOT DISTINCT FROM date(last_seen_on)),
  expires_at    text NOT NULL
);

CREATE TABLE personal_token (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid bigint NOT NULL ,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  scopes        text NOT NULL,
  digest        bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  created_at    text NOT NULL,
  last_used_on  text CHECK (last_used_on IS NOT DISTINCT FROM date(last_used_on)),
  expires_at    text NOT NULL
);

CREATE TABLE mail_token (
  digest        bytea PRIMARY KEY CHECK (length(digest) = 32),
  account_rowid bigint NOT NULL ,
  kind          text NOT NULL CHECK (kind IN ('confirm', 'email', 'reset')),
  email         text,
  created_at    text NOT NULL,
  expires_at    text NOT NULL
);

CREATE TABLE known_network (
  account_rowid bigint NOT NULL ,
  digest        bytea NOT NULL CHECK (length(digest) = 32),
  last_seen_on  text NOT NULL CHECK (last_seen_on IS NOT DISTINCT FROM date(last_seen_on)),
  PRIMARY KEY (account_rowid, digest)
);

CREATE TABLE mail (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  account_rowid bigint ,
  address       text NOT NULL,
  language      text NOT NULL,
  template      text NOT NULL,
  arguments     text NOT NULL,
  link          text,
  created_at    text NOT NULL,
  expires_at    text,
  list text,
  unsubscribe text
);

CREATE TABLE revision_location (
  device_rowid bigint NOT NULL ,
  number       bigint NOT NULL CHECK (number >= 1),
  longitude    double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude     double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  PRIMARY KEY (device_rowid, number)
);

CREATE TABLE revision (
  device_rowid  bigint NOT NULL ,
  number        bigint NOT NULL CHECK (number >= 1),
  kind          text NOT NULL
    CHECK (kind IN ('add', 'edit', 'restore', 'import', 'undo', 'revert', 'merge')),
  made_at       text NOT NULL,
  account_rowid bigint ,
  import_rowid  bigint ,
  comment       text CHECK (length(comment) <= 500),
  before        text CHECK (json_type(before, '$.place') IS NULL),
  PRIMARY KEY (device_rowid, number)
);

CREATE TABLE verdict (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  device_rowid  bigint NOT NULL ,
  claim         text NOT NULL CHECK (claim IN ('present', 'function', 'data', 'operator')),
  account_rowid bigint ,
  verdict       text NOT NULL CHECK (verdict IN ('confirm', 'dispute')),
  basis         text NOT NULL CHECK (basis IN ('seen', 'sign', 'document', 'operator', 'inferred')),
  note          text CHECK (length(note) <= 500),
  counts        bigint NOT NULL CHECK (counts IN (0, 1)),
  made_at       text NOT NULL,
  lapsed_at text,
  UNIQUE (device_rowid, claim, account_rowid)
);

CREATE TABLE photo (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  device_rowid  bigint NOT NULL ,
  account_rowid bigint ,
  position      bigint NOT NULL,
  alt           text NOT NULL CHECK (length(alt) <= 300),
  state         text NOT NULL CHECK (state IN ('public', 'waiting', 'hidden', 'deleted')),
  file          text NOT NULL UNIQUE,
  width         bigint NOT NULL CHECK (width BETWEEN 1 AND 20000),
  height        bigint NOT NULL CHECK (height BETWEEN 1 AND 20000),
  created_at    text NOT NULL,
  deleted_at    text,
  version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
  state_before text
  CHECK (state_before IN ('public', 'waiting', 'hidden'))
);

CREATE TABLE idempotency (
  account_rowid bigint NOT NULL ,
  key           text NOT NULL CHECK (length(key) BETWEEN 1 AND 100),
  digest        bytea NOT NULL CHECK (length(digest) = 32),
  status        bigint NOT NULL,
  device_id     text,
  made_at       text NOT NULL,
  PRIMARY KEY (account_rowid, key)
);

CREATE TABLE flag (
  rowid            bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id               text NOT NULL UNIQUE CHECK (length(id) = 36),
  kind             text NOT NULL CHECK (kind IN ('flag', 'report')),
  target_type      text NOT NULL CHECK (target_type IN ('device', 'photo', 'account')),
  target_id        text NOT NULL,
  device_rowid     bigint ,
  about_rowid      bigint ,
  account_rowid    bigint ,
  email            text CHECK (kind = 'report' OR email IS NULL),
  locale           text NOT NULL,
  reason           text NOT NULL CHECK (reason IN ('wrong_place', 'gone', 'never_there', 'duplicate',
    'personal_data', 'offensive', 'spam', 'copyright', 'other')),
  note             text CHECK (length(note) <= 1000),
  created_at       text NOT NULL,
  outcome          text CHECK (outcome IN ('upheld', 'dismissed')),
  closed_at        text,
  action_rowid     bigint ,
  times bigint NOT NULL DEFAULT 1 CHECK (times >= 1)
);

CREATE TABLE review (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  kind          text NOT NULL CHECK (kind IN ('contribution', 'photo', 'verdict')),
  device_rowid  bigint NOT NULL ,
  number        bigint,
  photo_rowid   bigint ,
  verdict_rowid bigint ,
  account_rowid bigint ,
  created_at    text NOT NULL,
  outcome       text CHECK (outcome IN ('accepted', 'refused')),
  closed_at     text,
  action_rowid  bigint 
);

CREATE TABLE moderation_action (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  action        text NOT NULL CHECK (action IN ('hide', 'restore', 'revert', 'redact', 'merge', 'warn',
    'suspend', 'unsuspend', 'dismiss', 'accept', 'delete')),
  target_type   text NOT NULL CHECK (target_type IN ('device', 'photo', 'account', 'review', 'flag')),
  target_id     text NOT NULL,
  account_rowid bigint ,
  role          text NOT NULL,
  reason        text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  undo          text NOT NULL DEFAULT '{}',
  made_at       text NOT NULL,
  undone_at     text,
  undone_by     bigint 
);

CREATE TABLE tombstone (
  id            text PRIMARY KEY CHECK (length(id) = 36),
  deleted_at    text NOT NULL,
  role          text NOT NULL,
  account_rowid bigint ,
  reason        text NOT NULL CHECK (reason IN ('admin', 'merged', 'personal_data', 'never_there',
    'duplicate', 'offensive', 'spam', 'copyright', 'other')),
  note          text,
  merged_into   text
);

CREATE TABLE tombstone_content (
  id        text PRIMARY KEY ,
  name      text NOT NULL,
  content   text NOT NULL,
  erase_on  text NOT NULL CHECK (erase_on IS NOT DISTINCT FROM date(erase_on))
);

CREATE TABLE account_number (
  last bigint NOT NULL,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE photo_version (
  photo_rowid bigint NOT NULL ,
  number      bigint NOT NULL CHECK (number >= 1),
  file        text NOT NULL UNIQUE,
  width       bigint NOT NULL CHECK (width BETWEEN 1 AND 20000),
  height      bigint NOT NULL CHECK (height BETWEEN 1 AND 20000),
  redacted_by bigint,
  erase_at    text NOT NULL,
  PRIMARY KEY (photo_rowid, number)
);

CREATE TABLE media_file (
  file     text PRIMARY KEY,
  photo_id text NOT NULL,
  bytes    bigint NOT NULL,
  erase_at text,
  sha256 text CHECK (length(sha256) = 64)
);

CREATE TABLE moderation_revision (
  action_rowid bigint NOT NULL ,
  device_rowid bigint NOT NULL ,
  number       bigint NOT NULL,
  PRIMARY KEY (action_rowid, device_rowid)
);

CREATE TABLE choice_reminder (
  choice_rowid bigint NOT NULL ,
  kind         text NOT NULL CHECK (kind IN ('before', 'on', 'after')),
  last_day     text NOT NULL,
  made_at      text NOT NULL,
  PRIMARY KEY (choice_rowid, kind, last_day)
);

CREATE TABLE country_fill (
  rowid        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (rowid = 1),
  map          text NOT NULL,
  device_rowid bigint NOT NULL,
  done         bigint NOT NULL CHECK (done IN (0, 1))
);

CREATE TABLE outcome (
  rowid       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind        text NOT NULL CHECK (kind IN ('operator', 'category')),
  key         text NOT NULL,
  name        text NOT NULL,
  people      bigint NOT NULL CHECK (people >= 10),
  asked       bigint NOT NULL CHECK (asked % 5 = 0 AND asked >= 10),
  honoured    bigint NOT NULL CHECK (honoured % 5 = 0),
  refused     bigint NOT NULL CHECK (refused % 5 = 0),
  overdue     bigint NOT NULL CHECK (overdue % 5 = 0),
  median_days bigint,
  as_of       text NOT NULL CHECK (as_of IS NOT DISTINCT FROM date(as_of)),
  UNIQUE (kind, key)
);

CREATE TABLE people_group (
  rowid    bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  grouping text NOT NULL,
  key      text NOT NULL,
  people   bigint NOT NULL CHECK (people >= 10),
  shown    bigint NOT NULL CHECK (shown % 5 = 0 AND shown >= 10),
  as_of    text NOT NULL CHECK (as_of IS NOT DISTINCT FROM date(as_of)),
  UNIQUE (grouping, key)
);

CREATE TABLE people_group_member (
  group_rowid   bigint NOT NULL ,
  account_rowid bigint NOT NULL ,
  PRIMARY KEY (group_rowid, account_rowid)
);

CREATE TABLE data_request (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  asker_rowid   bigint ,
  asked_rowid   bigint ,
  reason        text NOT NULL CHECK (length(reason) <= 2000),
  fields        text NOT NULL,
  days          bigint NOT NULL CHECK (days BETWEEN 1 AND 365),
  subscribe     bigint NOT NULL CHECK (subscribe IN (0, 1)),
  asked_at      text NOT NULL CHECK (asked_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', asked_at)),
  lapses_at     text NOT NULL CHECK (lapses_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', lapses_at)),
  state         text NOT NULL DEFAULT 'waiting' CHECK (state IN (
    'waiting', 'accepted', 'refused', 'lapsed', 'revoked', 'ended', 'withdrawn')),
  answered_at   text,
  note          text CHECK (length(note) <= 2000),
  granted       text,
  granted_from  text CHECK (granted_from IS NOT DISTINCT FROM date(granted_from)),
  granted_to    text CHECK (granted_to IS NOT DISTINCT FROM date(granted_to)),
  granted_until text CHECK (granted_until IS NOT DISTINCT FROM date(granted_until)),
  subscribed    bigint CHECK (subscribed IN (0, 1)),
  ended_at      text,
  asked_as text CHECK (length(asked_as) BETWEEN 1 AND 200)
);

CREATE TABLE data_request_look (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  request_rowid bigint NOT NULL ,
  at            text NOT NULL,
  fields        text NOT NULL,
  count         bigint NOT NULL CHECK (count >= 0)
);

CREATE TABLE organisation (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid bigint NOT NULL UNIQUE ,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  name_key      text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('public', 'company')),
  domain        text NOT NULL CHECK (length(domain) BETWEEN 3 AND 250),
  website       text,
  contact       text,
  data_protection_contact text,
  privacy_policy text,
  state         text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused')),
  check_method  text CHECK (check_method IN ('email', 'file', 'manual')),
  checked_at    text,
  check_note    text CHECK (length(check_note) <= 2100),
  mail_digest   bytea UNIQUE,
  mail_address  text,
  mail_ends_at  text,
  created_at    text NOT NULL CHECK (created_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  decided_at    text,
  reason        text CHECK (length(reason) <= 500),
  confirmed_contact text
);

CREATE TABLE organisation_claim (
  rowid              bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id                 text NOT NULL UNIQUE CHECK (length(id) = 36),
  device_rowid       bigint NOT NULL ,
  organisation_rowid bigint NOT NULL ,
  state              text NOT NULL CHECK (state IN ('standing', 'waiting', 'refused')),
  note               text CHECK (length(note) <= 500),
  made_at            text NOT NULL,
  decided_at         text,
  reason             text CHECK (length(reason) <= 500),
  UNIQUE (device_rowid, organisation_rowid)
);

CREATE TABLE operator_statement (
  claim_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  content     text NOT NULL,
  note        text CHECK (length(note) <= 2000),
  stated_at   text NOT NULL
);

CREATE TABLE request (
  rowid              bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id                 text NOT NULL UNIQUE CHECK (length(id) = 36),
  choice_rowid       bigint NOT NULL UNIQUE ,
  organisation_rowid bigint ,
  subject            text NOT NULL,
  body               text NOT NULL,
  sent_at            text NOT NULL
);

CREATE TABLE research_access (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid bigint NOT NULL ,
  project       text NOT NULL CHECK (length(project) BETWEEN 1 AND 120),
  purpose       text NOT NULL CHECK (length(purpose) BETWEEN 1 AND 2000),
  wanted_until  text NOT NULL CHECK (wanted_until IS NOT DISTINCT FROM date(wanted_until)),
  state         text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'granted', 'refused', 'revoked')),
  until         text CHECK (until IS NOT DISTINCT FROM date(until)),
  reason        text CHECK (length(reason) <= 500),
  asked_at      text NOT NULL,
  decided_at    text,
  CHECK (state <> 'granted' OR until IS NOT NULL),
  CHECK ((state = 'waiting') = (decided_at IS NULL))
);

CREATE TABLE snapshot (
  day             text PRIMARY KEY CHECK (day IS NOT DISTINCT FROM date(day)),
  made_at         text NOT NULL CHECK (made_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', made_at)),
  sequence        bigint NOT NULL,
  schema_version  bigint NOT NULL,
  licences        text NOT NULL,
  gone_at         text,
  checked_through bigint NOT NULL,
  checked_at      text NOT NULL
);

CREATE TABLE collection (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL CHECK (length(id) BETWEEN 2 AND 60),
  state         text NOT NULL CHECK (state IN ('loading', 'ready', 'gone')),
  title         text NOT NULL,
  description   text NOT NULL,
  licence       text NOT NULL,
  attribution   text NOT NULL,
  url           text,
  file          text NOT NULL,
  properties    text NOT NULL,
  time_property bigint,
  feature_count bigint NOT NULL DEFAULT 0,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  starts text,
  ends text,
  account_rowid bigint ,
  created_at    text NOT NULL
);

CREATE TABLE collection_feature (
  rowid            bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  collection_rowid bigint NOT NULL ,
  key              text NOT NULL,
  geometry geometry(Geometry, 4326),
  properties       text NOT NULL,
  UNIQUE (collection_rowid, key)
);

CREATE TABLE collection_feature_box (rowid bigint PRIMARY KEY, west double precision NOT NULL, east double precision NOT NULL, south double precision NOT NULL, north double precision NOT NULL);

CREATE INDEX collection_feature_box_by_place ON collection_feature_box USING gist (box(point(west, south), point(east, north)));

CREATE TABLE import_gone (
  import_rowid bigint NOT NULL ,
  device_rowid bigint NOT NULL ,
  PRIMARY KEY (import_rowid, device_rowid)
);

CREATE TABLE device_listing (
  key            bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  operator_rowid bigint,
  listed         text NOT NULL
);

CREATE TABLE profile_count (
  account_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  devices bigint NOT NULL DEFAULT 0 CHECK (devices >= 0),
  edits   bigint NOT NULL DEFAULT 0 CHECK (edits >= 0),
  claims  bigint NOT NULL DEFAULT 0 CHECK (claims >= 0),
  photos  bigint NOT NULL DEFAULT 0 CHECK (photos >= 0),
  upheld  bigint NOT NULL DEFAULT 0 CHECK (upheld >= 0)
);

CREATE TABLE publication (
  kind text PRIMARY KEY CHECK (kind IN ('outcomes', 'people', 'profiles')),
  day  text NOT NULL CHECK (day IS NOT DISTINCT FROM date(day))
);

CREATE TABLE outcome_member (
  outcome_rowid bigint NOT NULL ,
  person        bigint NOT NULL,
  standing      text NOT NULL CHECK (standing IN ('asked', 'honoured', 'refused', 'overdue')),
  days          bigint CHECK (days >= 0),
  since         bigint NOT NULL,
  PRIMARY KEY (outcome_rowid, person)
);

CREATE TABLE watch (
  rowid           bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id              text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid   bigint NOT NULL ,
  label           text NOT NULL CHECK (length(label) BETWEEN 1 AND 80),
  area            text NOT NULL,
  filter          text NOT NULL,
  events          text NOT NULL,
  properties      text NOT NULL,
  mail            text NOT NULL CHECK (mail IN ('none', 'at_once', 'daily', 'weekly')),
  hour            bigint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  weekday         bigint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  time_zone       text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  paused          bigint NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  mail_key        bytea NOT NULL UNIQUE CHECK (length(mail_key) = 16),
  feed_key        bytea UNIQUE CHECK (length(feed_key) = 16),
  webhook         text CHECK (length(webhook) <= 2000),
  webhook_key     bytea CHECK (length(webhook_key) = 16),
  webhook_ended_at text,
  created_at      text NOT NULL,
  renewed_at      text NOT NULL,
  reminded_at     text,
  since           bigint NOT NULL,
  version         bigint NOT NULL,
  mailed_through  bigint NOT NULL DEFAULT 0,
  mailed_at       text,
  mail_due_at     text,
  called_through  bigint NOT NULL DEFAULT 0,
  call_due_at     text,
  calls_failed    bigint NOT NULL DEFAULT 0,
  failing_since   text,
  test_id         text,
  failed_at text,
  webhook_proven_at text
);

CREATE TABLE watch_change (
  number                bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  sequence              bigint NOT NULL,
  happened_at           text NOT NULL,
  device_rowid          bigint,
  device_id             text,
  operators_before      text NOT NULL DEFAULT '[]',
  operators_after       text NOT NULL DEFAULT '[]',
  properties            text NOT NULL DEFAULT '[]',
  keys                  text NOT NULL,
  has_statement         bigint NOT NULL DEFAULT 0,
  is_confirmed_anew     bigint NOT NULL DEFAULT 0,
  is_compared           bigint NOT NULL DEFAULT 0,
  before_longitude      double precision,
  before_latitude       double precision,
  before_category       text,
  before_status         text,
  before_setting        text,
  before_precision      text,
  before_data_collected text,
  before_choices        text,
  before_stale_on       text,
  before_country        text,
  before_last_confirmed text,
  before_operator_rowid bigint,
  after_longitude       double precision,
  after_latitude        double precision,
  after_category        text,
  after_status          text,
  after_setting         text,
  after_precision       text,
  after_data_collected  text,
  after_choices         text,
  after_stale_on        text,
  after_country         text,
  after_last_confirmed  text,
  after_operator_rowid  bigint
);

CREATE TABLE watch_change_key (
  key    bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (key, number)
);

CREATE TABLE watch_sent (
  rowid       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  watch_rowid bigint NOT NULL ,
  channel     text NOT NULL CHECK (channel IN ('mail', 'webhook')),
  matches     bigint NOT NULL,
  outcome     text NOT NULL CHECK (outcome IN ('sent', 'failed', 'ended')),
  sent_at     text NOT NULL
);

CREATE TABLE watch_progress (
  rowid    bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (rowid = 1),
  sequence bigint NOT NULL,
  note     bigint NOT NULL,
  version  bigint NOT NULL
);

CREATE TABLE watch_note (
  number         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  sequence       bigint NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('before', 'statement', 'outcome')),
  device_rowid   bigint,
  operator_name  text,
  id             text,
  revision       bigint,
  longitude      double precision,
  latitude       double precision,
  category       text,
  status         text,
  setting        text,
  operator_rowid bigint,
  precision      text,
  data_collected text,
  choices        text,
  stale_on       text,
  country        text,
  last_confirmed text
);

CREATE TABLE mail_refusal (
  account_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  address       text NOT NULL,
  refused_at    text NOT NULL
);

CREATE TABLE import_schedule (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  url           text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
  mapping       text NOT NULL CHECK (json_valid(mapping)),
  source_name   text,
  licence       text,
  every         text NOT NULL CHECK (every IN ('day', 'week', 'month')),
  day           bigint NOT NULL CHECK (day BETWEEN 1 AND 28),
  hour          bigint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  enabled       bigint NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  ended_by      text CHECK (ended_by IN ('admin', 'failures', 'account')),
  account_rowid bigint ,
  created_at    text NOT NULL,
  due_at        text,
  queued_at     text,
  etag          text,
  last_modified text,
  digest        text,
  ran_at        text,
  outcome       text CHECK (outcome IN ('imported', 'unchanged', 'held', 'failed')),
  problem       text,
  facts         text CHECK (facts IS NULL OR json_valid(facts)),
  import_rowid  bigint ,
  failures      bigint NOT NULL DEFAULT 0,
  missing text CHECK (missing IN ('withdraw', 'remove')),
  missing_limit bigint NOT NULL DEFAULT 20 CHECK (missing_limit BETWEEN 1 AND 10000)
);

CREATE TABLE proposal (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid bigint ,
  file          text NOT NULL,
  bytes         bigint NOT NULL CHECK (bytes >= 0),
  format        text NOT NULL,
  mapping       text NOT NULL CHECK (json_valid(mapping)),
  source_name   text NOT NULL,
  licence       text NOT NULL,
  attribution   text NOT NULL,
  url           text,
  comment       text,
  read_rows     bigint NOT NULL,
  skipped       bigint NOT NULL,
  refused       bigint NOT NULL,
  devices       bigint NOT NULL CHECK (devices BETWEEN 1 AND 500),
  flagged       bigint NOT NULL,
  state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'refused')),
  created_at    text NOT NULL,
  expires_at    text NOT NULL,
  decided_at    text,
  decided_by    bigint ,
  reason        text,
  accepted      bigint,
  import_rowid  bigint ,
  compared_at text
);

CREATE TABLE proposal_row (
  rowid          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  proposal_rowid bigint NOT NULL ,
  number         bigint NOT NULL CHECK (number BETWEEN 1 AND 500),
  file_row       bigint NOT NULL,
  name           text NOT NULL,
  category       text NOT NULL,
  status         text NOT NULL,
  longitude      double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  latitude       double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  device         text NOT NULL CHECK (json_valid(device)),
  notes          text NOT NULL CHECK (json_valid(notes)),
  accepted       bigint CHECK (accepted IN (0, 1)),
  far bigint NOT NULL DEFAULT 0 CHECK (far IN (0, 1)),
  duplicates text CHECK (duplicates IS NULL OR json_valid(duplicates)),
  UNIQUE (proposal_rowid, number)
);

CREATE UNLOGGED TABLE counted_event (
  rowid       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  key         bytea NOT NULL CHECK (length(key) = 16),
  happened_at bigint NOT NULL,
  ends_at     text NOT NULL
);

CREATE TABLE lease (
  work    text PRIMARY KEY,
  holder  text NOT NULL,
  ends_at bigint NOT NULL
);

CREATE TABLE webhook_call (
  watch_rowid bigint NOT NULL ,
  number      bigint NOT NULL,
  PRIMARY KEY (watch_rowid, number)
);

CREATE TABLE media_content (
  file    text NOT NULL ,
  size    text NOT NULL CHECK (size IN ('large', 'thumb')),
  content bytea NOT NULL,
  PRIMARY KEY (file, size)
);

CREATE TABLE stored_file (
  sha256    text PRIMARY KEY CHECK (length(sha256) = 64),
  bytes     bigint NOT NULL,
  stored_at text NOT NULL
);

CREATE TABLE stored_part (
  sha256  text NOT NULL ,
  number  bigint NOT NULL CHECK (number >= 0),
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 65536),
  PRIMARY KEY (sha256, number)
);

CREATE TABLE tiles_file (
  made_at  text PRIMARY KEY,
  sequence bigint NOT NULL,
  bytes    bigint NOT NULL,
  sha256   text NOT NULL CHECK (length(sha256) = 64)
);

CREATE TABLE mail_failure (
  account_rowid bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  address       text NOT NULL,
  days          bigint NOT NULL,
  last_on       text NOT NULL
);

CREATE TABLE import_change (
  import_rowid bigint NOT NULL ,
  row          bigint NOT NULL,
  device_rowid bigint NOT NULL ,
  field        text NOT NULL,
  before       text,
  after        text,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE
);

CREATE TABLE snapshot_file (
  day          text NOT NULL ,
  format       text NOT NULL CHECK (format IN ('csv', 'geojson', 'parquet')),
  devices      bigint NOT NULL,
  bytes        bigint NOT NULL,
  sha256       text NOT NULL CHECK (length(sha256) = 64),
  edition      bigint NOT NULL DEFAULT 1,
  withdrawn    bigint NOT NULL DEFAULT 0,
  withdrawn_at text,
  PRIMARY KEY (day, format)
);

CREATE TABLE visit_volunteer (
  account_rowid  bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY ,
  id             text NOT NULL UNIQUE CHECK (length(id) = 36),
  cell           text NOT NULL CHECK (length(cell) BETWEEN 3 AND 10),
  cell_row       bigint NOT NULL CHECK (cell_row BETWEEN 0 AND 8999),
  radius         bigint NOT NULL CHECK (radius BETWEEN 1 AND 50),
  kinds          text NOT NULL DEFAULT '[]',
  offers_per_day bigint NOT NULL CHECK (offers_per_day BETWEEN 1 AND 20),
  until          text,
  weekly         text NOT NULL DEFAULT '[]',
  time_zone      text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  mail           bigint NOT NULL CHECK (mail IN (0, 1)),
  found          bigint NOT NULL CHECK (found IN (0, 1)),
  paused         bigint NOT NULL CHECK (paused IN (0, 1)),
  turn           bigint NOT NULL,
  free_from      text,
  free_until     text,
  found_at       text,
  renewed_at     text NOT NULL
);

CREATE TABLE visit_request (
  rowid          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id             text NOT NULL UNIQUE CHECK (length(id) = 36),
  device_rowid   bigint ,
  device_id      text NOT NULL CHECK (length(device_id) = 36),
  reason         text NOT NULL CHECK (reason IN ('still_there', 'photo_notice', 'check_details', 'mapping_day',
    'stale', 'disputed', 'single_report', 'approximate', 'no_photo')),
  asker_rowid    bigint ,
  visitor_rowid  bigint ,
  cell_row       bigint NOT NULL,
  state          text NOT NULL
    CHECK (state IN ('waiting', 'offered', 'open', 'accepted', 'planned', 'done', 'closed')),
  asked_at       text NOT NULL,
  state_at       text NOT NULL,
  due_at         text,
  planned_for    text,
  reminded_at    text,
  opened_at      text,
  offers         bigint NOT NULL DEFAULT 0 CHECK (offers >= 0),
  outcome        text CHECK (outcome IN ('confirmed', 'changed', 'gone', 'not_found', 'not_accessible', 'unsafe')),
  closed_at      text,
  closed_because text CHECK (closed_because IN ('withdrawn', 'moderated', 'expired', 'device_deleted',
    'device_merged', 'device_hidden', 'device_private'))
);

CREATE TABLE visit_offer (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  request_rowid bigint NOT NULL ,
  account_rowid bigint NOT NULL ,
  state         text NOT NULL CHECK (state IN ('pending', 'accepted', 'declined', 'lapsed', 'withdrawn')),
  offered_at    text NOT NULL,
  ends_at       text NOT NULL,
  answered_at   text,
  UNIQUE (request_rowid, account_rowid)
);

CREATE TABLE visit_figure (
  rowid      bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (rowid = 1),
  day        text NOT NULL,
  volunteers bigint NOT NULL CHECK (volunteers >= 0),
  askers     bigint NOT NULL CHECK (askers >= 0)
);

CREATE TABLE mapping_day (
  rowid             bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id                text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid     bigint ,
  title             text NOT NULL CHECK (length(title) BETWEEN 3 AND 100),
  purpose           text NOT NULL CHECK (length(purpose) BETWEEN 10 AND 2000),
  area              text NOT NULL CHECK (json_valid(area)),
  meeting_longitude double precision CHECK (meeting_longitude BETWEEN -180 AND 180),
  meeting_latitude  double precision CHECK (meeting_latitude BETWEEN -90 AND 90),
  meeting_words     text CHECK (length(meeting_words) <= 200),
  starts_at         text NOT NULL,
  ends_at           text NOT NULL,
  time_zone         text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 60),
  maximum           bigint NOT NULL CHECK (maximum BETWEEN 1 AND 500),
  kinds             text NOT NULL CHECK (json_valid(kinds)),
  languages         text NOT NULL CHECK (json_valid(languages)),
  state             text NOT NULL
    CHECK (state IN ('draft', 'waiting', 'approved', 'rejected', 'running', 'over', 'cancelled')),
  reason            text CHECK (length(reason) <= 500),
  created_at        text NOT NULL,
  changed_at        text NOT NULL,
  mails             bigint NOT NULL DEFAULT 0 CHECK (mails BETWEEN 0 AND 3),
  tagged_through    bigint NOT NULL DEFAULT 0,
  devices_before    bigint,
  devices_after     bigint,
  teams text NOT NULL DEFAULT '[]' CHECK (json_valid(teams)),
  CHECK (starts_at < ends_at)
);

CREATE TABLE mapping_day_participant (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  day_rowid     bigint NOT NULL ,
  account_rowid bigint NOT NULL ,
  state         text NOT NULL CHECK (state IN ('joined', 'waiting')),
  shows_name    bigint NOT NULL DEFAULT 0 CHECK (shows_name IN (0, 1)),
  joined_at     text NOT NULL,
  team text CHECK (length(team) BETWEEN 1 AND 40),
  UNIQUE (day_rowid, account_rowid)
);

CREATE TABLE mapping_day_contribution (
  rowid        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  day_rowid    bigint NOT NULL ,
  device_rowid bigint ,
  kind         text NOT NULL CHECK (kind IN ('added', 'confirmed', 'photographed', 'corrected')),
  category     text NOT NULL,
  made_at      text NOT NULL,
  team text CHECK (length(team) BETWEEN 1 AND 40),
  UNIQUE (day_rowid, kind, device_rowid)
);

CREATE TABLE mapping_day_mail (
  rowid          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  day_rowid      bigint NOT NULL ,
  kind           text NOT NULL CHECK (kind IN ('message', 'cancelled', 'thanks')),
  text           text CHECK (length(text) <= 2000),
  mailed_through bigint NOT NULL DEFAULT 0,
  made_at        text NOT NULL
);

CREATE TABLE operator_ruling (
  rowid     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id        text NOT NULL UNIQUE CHECK (length(id) = 36),
  kind      text NOT NULL CHECK (kind IN ('merge', 'split', 'withhold')),
  key       text NOT NULL CHECK (length(key) BETWEEN 1 AND 400),
  into_key  text CHECK (length(into_key) BETWEEN 1 AND 400),
  made_at   text NOT NULL,
  undone_at text,
  CHECK ((kind = 'merge') = (into_key IS NOT NULL))
);

CREATE TABLE common_request (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text NOT NULL UNIQUE CHECK (length(id) = 36),
  operator_key  text NOT NULL,
  operator_name text NOT NULL CHECK (length(operator_name) BETWEEN 1 AND 200),
  place         bigint NOT NULL DEFAULT 0,
  device_id     text NOT NULL CHECK (length(device_id) = 36),
  kind          text NOT NULL,
  country       text CHECK (length(country) = 2),
  period        text NOT NULL,
  opened_on     text NOT NULL CHECK (opened_on IS NOT DISTINCT FROM date(opened_on)),
  counted_on    text CHECK (counted_on IS NOT DISTINCT FROM date(counted_on)),
  shown_on      text CHECK (shown_on IS NOT DISTINCT FROM date(shown_on)),
  due_on        text CHECK (due_on IS NOT DISTINCT FROM date(due_on)),
  people        bigint NOT NULL DEFAULT 0 CHECK (people >= 0),
  honoured      bigint NOT NULL DEFAULT 0 CHECK (honoured >= 0),
  refused       bigint NOT NULL DEFAULT 0 CHECK (refused >= 0),
  overdue       bigint NOT NULL DEFAULT 0 CHECK (overdue >= 0),
  UNIQUE (operator_key, place, kind)
);

CREATE TABLE common_request_member (
  rowid         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  request_rowid bigint NOT NULL ,
  account_rowid bigint NOT NULL ,
  choice_id     text NOT NULL ,
  UNIQUE (request_rowid, account_rowid)
);

CREATE TABLE front_file (
  name    text PRIMARY KEY CHECK (length(name) BETWEEN 3 AND 100),
  content bytea NOT NULL,
  seen_at text NOT NULL
);

CREATE TABLE choice (
  rowid          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id             text NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid  bigint NOT NULL ,
  device_id      text NOT NULL CHECK (length(device_id) = 36),
  device         text NOT NULL,
  kind           text NOT NULL,
  "right"        text,
  letter         text,
  regime         text,
  country        text CHECK (length(country) = 2),
  language       text NOT NULL CHECK (length(language) BETWEEN 2 AND 10),
  first_period   text NOT NULL,
  more_period    text,
  deadline_basis text NOT NULL CHECK (deadline_basis IN ('statutory', 'courtesy', 'authority')),
  details        text NOT NULL DEFAULT '{}',
  note           text CHECK (length(note) <= 2000),
  reminders      bigint NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1)),
  created_at     text NOT NULL CHECK (created_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  updated_at     text NOT NULL CHECK (updated_at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', updated_at)),
  state          text NOT NULL DEFAULT 'wanted' CHECK (state IN (
    'wanted', 'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained',
    'withdrawn')),
  last_day       text CHECK (last_day IS NOT DISTINCT FROM date(last_day)),
  reply_key      bytea CHECK (length(reply_key) = 16),
  reply_link     bigint NOT NULL DEFAULT 1 CHECK (reply_link IN (0, 1))
);

CREATE TABLE choice_event (
  rowid        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  choice_rowid bigint NOT NULL ,
  event        text NOT NULL CHECK (event IN (
    'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained', 'withdrawn')),
  at           text NOT NULL CHECK (at IS NOT DISTINCT FROM strftime('%Y-%m-%dT%H:%M:%SZ', at)),
  said_by      text NOT NULL CHECK (said_by IN ('person', 'operator', 'farol')),
  note         text CHECK (length(note) <= 2000),
  reason       text CHECK (length(reason) <= 500),
  channel      text CHECK (channel IN ('email', 'url', 'post', 'farol', 'link')),
  received_on  text CHECK (received_on IS NOT DISTINCT FROM date(received_on)),
  noted_at     text NOT NULL
);

CREATE INDEX operator_by_name ON operator (name);

ALTER TABLE operator_alias ADD FOREIGN KEY (operator_rowid) REFERENCES operator (rowid) ON DELETE CASCADE;

CREATE INDEX operator_alias_by_operator ON operator_alias (operator_rowid);

ALTER TABLE device ADD FOREIGN KEY (category) REFERENCES category (code);

ALTER TABLE device ADD FOREIGN KEY (operator_rowid) REFERENCES operator (rowid);

ALTER TABLE device ADD FOREIGN KEY (source_rowid) REFERENCES source (rowid);

ALTER TABLE device ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX device_by_name ON device (name, rowid);

CREATE INDEX device_by_updated_at ON device (updated_at, rowid);

CREATE INDEX device_by_created_at ON device (created_at, rowid);

CREATE INDEX device_by_last_confirmed ON device (last_confirmed, rowid) WHERE last_confirmed IS NOT NULL;

CREATE INDEX device_by_source ON device (source_rowid) WHERE source_rowid IS NOT NULL;

CREATE INDEX device_by_operator ON device (operator_rowid, rowid) WHERE operator_rowid IS NOT NULL;

ALTER TABLE device_location ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE device_choice ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE device_key ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

CREATE INDEX device_key_by_device ON device_key (device_rowid);

ALTER TABLE device_tag ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE import_run ADD FOREIGN KEY (source_rowid) REFERENCES source (rowid);

ALTER TABLE import_run ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE import_run ADD FOREIGN KEY (schedule_rowid) REFERENCES import_schedule (rowid) ON DELETE SET NULL;

ALTER TABLE import_note ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid) ON DELETE CASCADE;

ALTER TABLE import_note ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

CREATE INDEX import_note_by_run ON import_note (import_rowid, row);

CREATE INDEX change_by_device ON change (device_rowid, sequence);

CREATE INDEX job_by_due ON job (due_at) WHERE failed_at IS NULL;

ALTER TABLE audit ADD FOREIGN KEY (action_rowid) REFERENCES moderation_action (rowid);

ALTER TABLE account ADD FOREIGN KEY (operator_rowid) REFERENCES operator (rowid);

CREATE UNIQUE INDEX account_by_confirmed_email ON account (email_key) WHERE confirmed_at IS NOT NULL;

CREATE INDEX account_by_email ON account (email_key);

CREATE INDEX account_unconfirmed ON account (created_at) WHERE confirmed_at IS NULL;

CREATE INDEX account_by_role ON account (role) WHERE role <> 'contributor';

ALTER TABLE recovery_code ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

ALTER TABLE session ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX session_by_account ON session (account_rowid);

CREATE INDEX session_by_expiry ON session (expires_at);

ALTER TABLE personal_token ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX personal_token_by_account ON personal_token (account_rowid);

CREATE INDEX personal_token_by_expiry ON personal_token (expires_at);

ALTER TABLE mail_token ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX mail_token_by_account ON mail_token (account_rowid, kind);

CREATE INDEX mail_token_by_expiry ON mail_token (expires_at);

ALTER TABLE known_network ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX known_network_by_day ON known_network (last_seen_on);

ALTER TABLE mail ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX mail_by_account ON mail (account_rowid) WHERE account_rowid IS NOT NULL;

CREATE INDEX device_by_account ON device (account_rowid) WHERE account_rowid IS NOT NULL;

ALTER TABLE revision_location ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE revision ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE revision ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE revision ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid);

CREATE INDEX revision_by_import ON revision (import_rowid, device_rowid) WHERE import_rowid IS NOT NULL;

CREATE INDEX revision_by_account ON revision (account_rowid, made_at) WHERE account_rowid IS NOT NULL;

ALTER TABLE verdict ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE verdict ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX verdict_by_account ON verdict (account_rowid) WHERE account_rowid IS NOT NULL;

ALTER TABLE photo ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE photo ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX photo_by_device ON photo (device_rowid, position);

CREATE INDEX photo_by_account ON photo (account_rowid) WHERE account_rowid IS NOT NULL;

CREATE INDEX photo_by_deletion ON photo (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE idempotency ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX idempotency_by_time ON idempotency (made_at);

ALTER TABLE flag ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE SET NULL;

ALTER TABLE flag ADD FOREIGN KEY (about_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE flag ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE flag ADD FOREIGN KEY (action_rowid) REFERENCES moderation_action (rowid);

CREATE INDEX flag_open ON flag (target_type, target_id) WHERE outcome IS NULL;

CREATE INDEX flag_about ON flag (about_rowid) WHERE about_rowid IS NOT NULL;

CREATE INDEX flag_by_account ON flag (account_rowid) WHERE account_rowid IS NOT NULL;

CREATE INDEX flag_by_time ON flag (created_at);

ALTER TABLE review ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE review ADD FOREIGN KEY (photo_rowid) REFERENCES photo (rowid) ON DELETE CASCADE;

ALTER TABLE review ADD FOREIGN KEY (verdict_rowid) REFERENCES verdict (rowid) ON DELETE CASCADE;

ALTER TABLE review ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE review ADD FOREIGN KEY (action_rowid) REFERENCES moderation_action (rowid);

CREATE INDEX review_open ON review (created_at) WHERE outcome IS NULL;

CREATE INDEX review_by_device ON review (device_rowid) WHERE outcome IS NULL;

CREATE INDEX review_by_account ON review (account_rowid) WHERE outcome IS NULL;

ALTER TABLE moderation_action ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE moderation_action ADD FOREIGN KEY (undone_by) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX moderation_action_by_target ON moderation_action (target_type, target_id);

ALTER TABLE tombstone ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE tombstone_content ADD FOREIGN KEY (id) REFERENCES tombstone (id) ON DELETE CASCADE;

CREATE INDEX tombstone_content_by_name ON tombstone_content (name);

CREATE INDEX tombstone_content_by_day ON tombstone_content (erase_on);

ALTER TABLE photo_version ADD FOREIGN KEY (photo_rowid) REFERENCES photo (rowid) ON DELETE CASCADE;

CREATE INDEX photo_version_by_erasure ON photo_version (erase_at);

CREATE INDEX media_file_by_photo ON media_file (photo_id);

CREATE UNIQUE INDEX flag_once ON flag (account_rowid, target_type, target_id)
  WHERE outcome IS NULL AND account_rowid IS NOT NULL;

CREATE INDEX flag_by_device ON flag (device_rowid) WHERE device_rowid IS NOT NULL;

CREATE INDEX flag_by_action ON flag (action_rowid) WHERE action_rowid IS NOT NULL;

CREATE INDEX flag_with_email ON flag (created_at) WHERE email IS NOT NULL;

CREATE INDEX review_by_action ON review (action_rowid) WHERE action_rowid IS NOT NULL;

CREATE INDEX review_by_photo ON review (photo_rowid) WHERE photo_rowid IS NOT NULL;

CREATE INDEX review_by_verdict ON review (verdict_rowid) WHERE verdict_rowid IS NOT NULL;

CREATE INDEX moderation_action_by_account ON moderation_action (account_rowid)
  WHERE account_rowid IS NOT NULL;

CREATE INDEX audit_by_action ON audit (action_rowid) WHERE action_rowid IS NOT NULL;

CREATE INDEX audit_by_target ON audit (target, rowid);

ALTER TABLE moderation_revision ADD FOREIGN KEY (action_rowid) REFERENCES moderation_action (rowid) ON DELETE CASCADE;

ALTER TABLE moderation_revision ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

CREATE INDEX moderation_revision_by_device ON moderation_revision (device_rowid);

CREATE INDEX device_hidden ON device (hidden) WHERE hidden <> 0;

ALTER TABLE choice_reminder ADD FOREIGN KEY (choice_rowid) REFERENCES choice (rowid) ON DELETE CASCADE;

ALTER TABLE people_group_member ADD FOREIGN KEY (group_rowid) REFERENCES people_group (rowid) ON DELETE CASCADE;

ALTER TABLE people_group_member ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX people_group_member_by_account ON people_group_member (account_rowid);

ALTER TABLE data_request ADD FOREIGN KEY (asker_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE data_request ADD FOREIGN KEY (asked_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX data_request_by_asker ON data_request (asker_rowid, rowid);

CREATE INDEX data_request_by_asked ON data_request (asked_rowid, rowid);

CREATE INDEX data_request_waiting ON data_request (lapses_at) WHERE state = 'waiting';

CREATE INDEX data_request_accepted ON data_request (granted_until) WHERE state = 'accepted';

CREATE INDEX data_request_over ON data_request (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE data_request_look ADD FOREIGN KEY (request_rowid) REFERENCES data_request (rowid) ON DELETE CASCADE;

CREATE INDEX data_request_look_by_request ON data_request_look (request_rowid, rowid);

ALTER TABLE organisation ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE UNIQUE INDEX organisation_by_domain ON organisation (domain) WHERE state = 'approved';

CREATE INDEX organisation_by_name ON organisation (name_key, rowid) WHERE state = 'approved';

CREATE INDEX organisation_by_state ON organisation (state, rowid);

ALTER TABLE organisation_claim ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

ALTER TABLE organisation_claim ADD FOREIGN KEY (organisation_rowid) REFERENCES organisation (rowid) ON DELETE CASCADE;

CREATE UNIQUE INDEX organisation_claim_standing ON organisation_claim (device_rowid)
  WHERE state = 'standing';

CREATE INDEX organisation_claim_waiting ON organisation_claim (rowid) WHERE state = 'waiting';

CREATE INDEX organisation_claim_by_organisation ON organisation_claim (organisation_rowid, state);

ALTER TABLE operator_statement ADD FOREIGN KEY (claim_rowid) REFERENCES organisation_claim (rowid) ON DELETE CASCADE;

ALTER TABLE request ADD FOREIGN KEY (choice_rowid) REFERENCES choice (rowid) ON DELETE CASCADE;

ALTER TABLE request ADD FOREIGN KEY (organisation_rowid) REFERENCES organisation (rowid) ON DELETE SET NULL;

CREATE INDEX request_by_organisation ON request (organisation_rowid, rowid)
  WHERE organisation_rowid IS NOT NULL;

ALTER TABLE research_access ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX research_access_by_account ON research_access (account_rowid, state, until);

CREATE UNIQUE INDEX research_access_waiting ON research_access (account_rowid) WHERE state = 'waiting';

CREATE INDEX research_access_in_order ON research_access ((state <> 'waiting'), rowid DESC);

ALTER TABLE collection ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE UNIQUE INDEX collection_by_id ON collection (id) WHERE state = 'ready';

CREATE INDEX collection_by_account ON collection (account_rowid) WHERE account_rowid IS NOT NULL;

ALTER TABLE collection_feature ADD FOREIGN KEY (collection_rowid) REFERENCES collection (rowid) ON DELETE CASCADE;

CREATE INDEX collection_feature_by_collection ON collection_feature (collection_rowid, rowid);

ALTER TABLE import_gone ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid) ON DELETE CASCADE;

ALTER TABLE import_gone ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

CREATE INDEX import_gone_by_device ON import_gone (device_rowid);

CREATE VIEW device_to_list AS
SELECT device.rowid AS device_rowid,
  (((CAST(trunc((latitude + 90.0) * 20.0) AS bigint) * 7200 + CAST(trunc((longitude + 180.0) * 20.0) AS bigint)) << 6
    | (category.number & 63)) << 32) | (device.rowid & 4294967295) AS key,
  operator_rowid,
  json_quote(device.id)
     
    || chr(31) || rtrim(rtrim(printf('%.7f', longitude + 0.0), '0'), '.')
    || chr(31) || rtrim(rtrim(printf('%.7f', latitude + 0.0), '0'), '.')
    || chr(31) || json_quote(device.name)
    || chr(31) || json_quote(device.category)
    || chr(31) || data_collected
    || chr(31) || '"' || status || '"'
    || chr(31) || '"' || precision || '"'
    || chr(31) || '"' || created_at || '"'
    || chr(31) || '"' || updated_at || '"'
    || chr(31) || COALESCE('"' || last_confirmed || '"', 'null') AS listed
FROM device JOIN category ON category.code = device.category
WHERE device.hidden = 0;

CREATE INDEX account_by_look ON account (username_look);

CREATE INDEX account_without_look ON account (rowid) WHERE username_look IS NULL;

ALTER TABLE profile_count ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

ALTER TABLE outcome_member ADD FOREIGN KEY (outcome_rowid) REFERENCES outcome (rowid) ON DELETE CASCADE;

CREATE INDEX outcome_member_by_person ON outcome_member (person);

CREATE INDEX device_by_watch_cell ON device (watch_cell, updated_at) WHERE hidden = 0;

ALTER TABLE watch ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX watch_by_account ON watch (account_rowid, rowid);

CREATE INDEX watch_by_version ON watch (version);

CREATE INDEX watch_by_mail ON watch (mail, mail_due_at) WHERE mail_due_at IS NOT NULL;

CREATE INDEX watch_by_call ON watch (call_due_at) WHERE call_due_at IS NOT NULL;

CREATE INDEX watch_by_pause ON watch (paused);

CREATE INDEX watch_by_renewal ON watch (renewed_at);

CREATE INDEX watch_change_by_time ON watch_change (happened_at);

ALTER TABLE watch_sent ADD FOREIGN KEY (watch_rowid) REFERENCES watch (rowid) ON DELETE CASCADE;

CREATE INDEX watch_sent_by_watch ON watch_sent (watch_rowid, rowid);

CREATE INDEX watch_sent_by_time ON watch_sent (sent_at);

ALTER TABLE mail_refusal ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX import_note_by_device ON import_note (device_rowid) WHERE device_rowid IS NOT NULL;

ALTER TABLE import_schedule ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE import_schedule ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid) ON DELETE SET NULL;

CREATE INDEX import_schedule_by_due ON import_schedule (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX import_schedule_by_account ON import_schedule (account_rowid);

CREATE INDEX import_schedule_by_import ON import_schedule (import_rowid) WHERE import_rowid IS NOT NULL;

CREATE INDEX import_run_by_schedule ON import_run (schedule_rowid) WHERE schedule_rowid IS NOT NULL;

ALTER TABLE proposal ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE proposal ADD FOREIGN KEY (decided_by) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE proposal ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid) ON DELETE SET NULL;

CREATE INDEX proposal_by_account ON proposal (account_rowid, rowid);

CREATE INDEX proposal_by_state ON proposal (state, rowid);

CREATE INDEX proposal_by_end ON proposal (expires_at);

CREATE INDEX proposal_by_decider ON proposal (decided_by) WHERE decided_by IS NOT NULL;

CREATE INDEX proposal_by_import ON proposal (import_rowid) WHERE import_rowid IS NOT NULL;

ALTER TABLE proposal_row ADD FOREIGN KEY (proposal_rowid) REFERENCES proposal (rowid) ON DELETE CASCADE;

CREATE INDEX counted_event_by_key ON counted_event (key, happened_at);

CREATE INDEX counted_event_by_end ON counted_event (ends_at);

ALTER TABLE webhook_call ADD FOREIGN KEY (watch_rowid) REFERENCES watch (rowid) ON DELETE CASCADE;

ALTER TABLE media_content ADD FOREIGN KEY (file) REFERENCES media_file (file) ON DELETE CASCADE;

ALTER TABLE stored_part ADD FOREIGN KEY (sha256) REFERENCES stored_file (sha256) ON DELETE CASCADE;

ALTER TABLE mail_failure ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

ALTER TABLE import_change ADD FOREIGN KEY (import_rowid) REFERENCES import_run (rowid) ON DELETE CASCADE;

ALTER TABLE import_change ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE CASCADE;

CREATE INDEX import_change_by_run ON import_change (import_rowid, row);

CREATE INDEX import_change_by_device ON import_change (device_rowid);

ALTER TABLE snapshot_file ADD FOREIGN KEY (day) REFERENCES snapshot (day) ON DELETE CASCADE;

ALTER TABLE visit_volunteer ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX visit_volunteer_by_zone ON visit_volunteer (cell, turn);

CREATE INDEX visit_volunteer_by_row ON visit_volunteer (cell_row, cell);

CREATE INDEX visit_volunteer_by_turn ON visit_volunteer (turn);

CREATE INDEX visit_volunteer_by_renewal ON visit_volunteer (renewed_at);

ALTER TABLE visit_request ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE SET NULL;

ALTER TABLE visit_request ADD FOREIGN KEY (asker_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

ALTER TABLE visit_request ADD FOREIGN KEY (visitor_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE UNIQUE INDEX visit_request_by_device ON visit_request (device_rowid) WHERE closed_at IS NULL;

CREATE INDEX visit_request_of_device ON visit_request (device_rowid, closed_at);

CREATE INDEX visit_request_by_asker ON visit_request (asker_rowid, rowid);

CREATE INDEX visit_request_by_visitor ON visit_request (visitor_rowid, rowid);

CREATE INDEX visit_request_by_due ON visit_request (due_at) WHERE closed_at IS NULL;

CREATE INDEX visit_request_by_state ON visit_request (state, rowid);

CREATE INDEX visit_request_by_end ON visit_request (closed_at) WHERE closed_at IS NOT NULL;

ALTER TABLE visit_offer ADD FOREIGN KEY (request_rowid) REFERENCES visit_request (rowid) ON DELETE CASCADE;

ALTER TABLE visit_offer ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE UNIQUE INDEX visit_offer_pending ON visit_offer (request_rowid) WHERE state = 'pending';

CREATE UNIQUE INDEX visit_offer_pending_of ON visit_offer (account_rowid) WHERE state = 'pending';

CREATE INDEX visit_offer_by_account ON visit_offer (account_rowid, offered_at);

CREATE INDEX visit_offer_by_time ON visit_offer (offered_at);

ALTER TABLE mapping_day ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE SET NULL;

CREATE INDEX mapping_day_by_state ON mapping_day (state, starts_at, rowid);

CREATE INDEX mapping_day_by_account ON mapping_day (account_rowid, rowid) WHERE account_rowid IS NOT NULL;

ALTER TABLE mapping_day_participant ADD FOREIGN KEY (day_rowid) REFERENCES mapping_day (rowid) ON DELETE CASCADE;

ALTER TABLE mapping_day_participant ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX mapping_day_participant_by_state ON mapping_day_participant (day_rowid, state, rowid);

CREATE INDEX mapping_day_participant_by_account ON mapping_day_participant (account_rowid, rowid);

ALTER TABLE mapping_day_contribution ADD FOREIGN KEY (day_rowid) REFERENCES mapping_day (rowid) ON DELETE CASCADE;

ALTER TABLE mapping_day_contribution ADD FOREIGN KEY (device_rowid) REFERENCES device (rowid) ON DELETE SET NULL;

CREATE INDEX mapping_day_contribution_by_day ON mapping_day_contribution (day_rowid, rowid);

CREATE INDEX mapping_day_contribution_by_device ON mapping_day_contribution (device_rowid)
  WHERE device_rowid IS NOT NULL;

ALTER TABLE mapping_day_mail ADD FOREIGN KEY (day_rowid) REFERENCES mapping_day (rowid) ON DELETE CASCADE;

CREATE INDEX mapping_day_mail_by_day ON mapping_day_mail (day_rowid);

CREATE UNIQUE INDEX operator_ruling_standing ON operator_ruling (kind, key) WHERE undone_at IS NULL;

CREATE INDEX common_request_by_device ON common_request (device_id);

ALTER TABLE common_request_member ADD FOREIGN KEY (request_rowid) REFERENCES common_request (rowid) ON DELETE CASCADE;

ALTER TABLE common_request_member ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

ALTER TABLE common_request_member ADD FOREIGN KEY (choice_id) REFERENCES choice (id) ON DELETE CASCADE;

CREATE INDEX common_request_member_by_account ON common_request_member (account_rowid, rowid);

CREATE INDEX common_request_member_by_choice ON common_request_member (choice_id);

ALTER TABLE choice ADD FOREIGN KEY (account_rowid) REFERENCES account (rowid) ON DELETE CASCADE;

CREATE INDEX choice_by_account ON choice (account_rowid, rowid);

CREATE INDEX choice_by_device ON choice (device_id);

CREATE INDEX choice_running ON choice (last_day) WHERE state IN ('sent', 'acknowledged', 'extended');

CREATE UNIQUE INDEX choice_by_reply_key ON choice (reply_key);

ALTER TABLE choice_event ADD FOREIGN KEY (choice_rowid) REFERENCES choice (rowid) ON DELETE CASCADE;

CREATE INDEX choice_event_by_choice ON choice_event (choice_rowid, rowid);

CREATE FUNCTION device_box_insert() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
INSERT INTO device_box
  SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
  FROM category WHERE code = new.category;
RETURN NULL;
END$body$;

CREATE TRIGGER device_box_insert AFTER INSERT ON device FOR EACH ROW EXECUTE FUNCTION device_box_insert();

CREATE FUNCTION device_box_update() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM device_box WHERE rowid = old.rowid;
INSERT INTO device_box
  SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
  FROM category WHERE code = new.category;
RETURN NULL;
END$body$;

CREATE TRIGGER device_box_update AFTER UPDATE OF longitude, latitude, category ON device FOR EACH ROW EXECUTE FUNCTION device_box_update();

CREATE FUNCTION device_box_delete() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM device_box WHERE rowid = old.rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER device_box_delete AFTER DELETE ON device FOR EACH ROW EXECUTE FUNCTION device_box_delete();

CREATE FUNCTION device_text_delete() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM device_text WHERE rowid = old.rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER device_text_delete AFTER DELETE ON device FOR EACH ROW EXECUTE FUNCTION device_text_delete();

CREATE FUNCTION audit_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
RAISE EXCEPTION 'the audit log is append-only';
RETURN NEW;
END$body$;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_never_changed();

CREATE FUNCTION audit_is_never_erased() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
RAISE EXCEPTION 'the audit log is append-only';
RETURN OLD;
END$body$;

CREATE TRIGGER audit_is_never_erased BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_never_erased();

CREATE FUNCTION audit_is_never_replaced() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF EXISTS (SELECT 1 FROM audit WHERE rowid = new.rowid) THEN
RAISE EXCEPTION 'the audit log is append-only';
END IF;
RETURN NEW;
END$body$;

CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_never_replaced();

CREATE FUNCTION account_number_is_given_once() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
UPDATE account_number SET last = max(last, new.rowid);
RETURN NULL;
END$body$;

CREATE TRIGGER account_number_is_given_once AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION account_number_is_given_once();

CREATE FUNCTION account_leaves_data_requests() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM data_request
  WHERE (asker_rowid = old.rowid AND asked_rowid IS NULL)
    OR (asked_rowid = old.rowid AND asker_rowid IS NULL);
UPDATE data_request
  SET reason = CASE WHEN asker_rowid = old.rowid THEN '' ELSE reason END,
    note = CASE WHEN asked_rowid = old.rowid THEN NULL ELSE note END,
    state = CASE WHEN state IN ('waiting', 'accepted') THEN 'ended' ELSE state END,
    ended_at = coalesce(ended_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
  WHERE asker_rowid = old.rowid OR asked_rowid = old.rowid;
RETURN OLD;
END$body$;

CREATE TRIGGER account_leaves_data_requests BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_leaves_data_requests();

CREATE FUNCTION device_end_insert() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF new.status IN ('removed', 'not_a_device') AND new.ended_at IS NULL THEN
UPDATE device SET ended_at = created_at WHERE rowid = new.rowid;
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER device_end_insert AFTER INSERT ON device FOR EACH ROW EXECUTE FUNCTION device_end_insert();

CREATE FUNCTION device_end_update() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF (new.status IN ('removed', 'not_a_device')) <> (old.status IN ('removed', 'not_a_device')) THEN
UPDATE device SET ended_at = CASE WHEN new.status IN ('removed', 'not_a_device') THEN updated_at END
  WHERE rowid = new.rowid;
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER device_end_update AFTER UPDATE OF status ON device FOR EACH ROW EXECUTE FUNCTION device_end_update();

CREATE FUNCTION collection_feature_delete() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM collection_feature_box WHERE rowid = old.rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER collection_feature_delete AFTER DELETE ON collection_feature FOR EACH ROW EXECUTE FUNCTION collection_feature_delete();

CREATE FUNCTION device_listing_insert() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
INSERT INTO device_listing (key, operator_rowid, listed)
  SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER device_listing_insert AFTER INSERT ON device FOR EACH ROW EXECUTE FUNCTION device_listing_insert();

CREATE FUNCTION device_listing_update() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM device_listing WHERE key =
    (((CAST(trunc((old.latitude + 90.0) * 20.0) AS bigint) * 7200 + CAST(trunc((old.longitude + 180.0) * 20.0) AS bigint)) << 6
      | (SELECT number & 63 FROM category WHERE code = old.category)) << 32) | (old.rowid & 4294967295);
INSERT INTO device_listing (key, operator_rowid, listed)
  SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER device_listing_update AFTER UPDATE OF id, longitude, latitude, precision, name, category, data_collected, status, hidden, operator_rowid,
  created_at, updated_at, last_confirmed ON device FOR EACH ROW EXECUTE FUNCTION device_listing_update();

CREATE FUNCTION device_listing_delete() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
DELETE FROM device_listing WHERE key =
    (((CAST(trunc((old.latitude + 90.0) * 20.0) AS bigint) * 7200 + CAST(trunc((old.longitude + 180.0) * 20.0) AS bigint)) << 6
      | (SELECT number & 63 FROM category WHERE code = old.category)) << 32) | (old.rowid & 4294967295);
RETURN NULL;
END$body$;

CREATE TRIGGER device_listing_delete AFTER DELETE ON device FOR EACH ROW EXECUTE FUNCTION device_listing_delete();

CREATE FUNCTION account_address_ends_mail_tokens() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF old.email_key <> new.email_key THEN
DELETE FROM mail_token WHERE account_rowid = new.rowid;
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER account_address_ends_mail_tokens AFTER UPDATE OF email_key ON account FOR EACH ROW EXECUTE FUNCTION account_address_ends_mail_tokens();

CREATE FUNCTION account_takes_words() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
UPDATE revision SET comment = NULL
  WHERE account_rowid = old.rowid AND comment IS NOT NULL;
UPDATE verdict SET note = NULL WHERE account_rowid = old.rowid AND note IS NOT NULL;
RETURN OLD;
END$body$;

CREATE TRIGGER account_takes_words BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_takes_words();

CREATE FUNCTION account_leaves_outcomes() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
UPDATE outcome_member
  SET person = (SELECT min(person, 0) - 1 FROM outcome_member ORDER BY person LIMIT 1)
  WHERE person = old.rowid;
RETURN OLD;
END$body$;

CREATE TRIGGER account_leaves_outcomes BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_leaves_outcomes();

CREATE FUNCTION account_leaves_asked_name() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
UPDATE data_request SET asked_as = NULL WHERE asked_rowid = old.rowid AND asked_as IS NOT NULL;
RETURN OLD;
END$body$;

CREATE TRIGGER account_leaves_asked_name BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_leaves_asked_name();

CREATE FUNCTION watch_note_before() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF old.hidden = 0 AND EXISTS (SELECT 1 FROM watch WHERE paused = 0) THEN
INSERT INTO watch_note (sequence, kind, device_rowid, id, revision, longitude, latitude, category, status,
    setting, operator_rowid, precision, data_collected, choices, stale_on, country, last_confirmed)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'before', old.rowid, old.id, old.revision,
    old.longitude, old.latitude, old.category, old.status, old.setting, old.operator_rowid, old.precision,
    old.data_collected, old.choices, old.stale_on, old.country, old.last_confirmed);
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER watch_note_before AFTER UPDATE OF hidden, revision, longitude, latitude, category, status,
  setting, operator_rowid, data_collected, choices, last_confirmed ON device FOR EACH ROW EXECUTE FUNCTION watch_note_before();

CREATE FUNCTION watch_note_removal() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF old.hidden = 0 AND EXISTS (SELECT 1 FROM watch WHERE paused = 0) THEN
INSERT INTO watch_note (sequence, kind, device_rowid, id, revision, longitude, latitude, category, status,
    setting, operator_rowid, precision, data_collected, choices, stale_on, country, last_confirmed)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'before', old.rowid, old.id, old.revision,
    old.longitude, old.latitude, old.category, old.status, old.setting, old.operator_rowid, old.precision,
    old.data_collected, old.choices, old.stale_on, old.country, old.last_confirmed);
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER watch_note_removal AFTER DELETE ON device FOR EACH ROW EXECUTE FUNCTION watch_note_removal();

CREATE FUNCTION watch_note_statement() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF EXISTS (SELECT 1 FROM watch WHERE paused = 0) THEN
INSERT INTO watch_note (sequence, kind, device_rowid)
  SELECT (SELECT coalesce(max(sequence), 0) FROM change), 'statement', device_rowid
  FROM organisation_claim WHERE rowid = new.claim_rowid;
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER watch_note_statement AFTER INSERT ON operator_statement FOR EACH ROW EXECUTE FUNCTION watch_note_statement();

CREATE FUNCTION watch_note_new_statement() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF EXISTS (SELECT 1 FROM watch WHERE paused = 0) THEN
INSERT INTO watch_note (sequence, kind, device_rowid)
  SELECT (SELECT coalesce(max(sequence), 0) FROM change), 'statement', device_rowid
  FROM organisation_claim WHERE rowid = new.claim_rowid;
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER watch_note_new_statement AFTER UPDATE ON operator_statement FOR EACH ROW EXECUTE FUNCTION watch_note_new_statement();

CREATE FUNCTION watch_note_outcome() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
IF new.kind = 'operator' AND EXISTS (SELECT 1 FROM watch WHERE paused = 0) THEN
INSERT INTO watch_note (sequence, kind, operator_name)
  VALUES ((SELECT coalesce(max(sequence), 0) FROM change), 'outcome', new.name);
END IF;
RETURN NULL;
END$body$;

CREATE TRIGGER watch_note_outcome AFTER INSERT ON outcome FOR EACH ROW EXECUTE FUNCTION watch_note_outcome();

CREATE FUNCTION choice_leaves_outcomes() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
UPDATE outcome_member
  SET person = (SELECT min(person, 0) - 1 FROM outcome_member ORDER BY person LIMIT 1)
  WHERE person = old.account_rowid;
RETURN NULL;
END$body$;

CREATE TRIGGER choice_leaves_outcomes AFTER DELETE ON choice FOR EACH ROW EXECUTE FUNCTION choice_leaves_outcomes();

CREATE FUNCTION choice_event_stays() RETURNS trigger LANGUAGE plpgsql AS $body$BEGIN
RAISE EXCEPTION 'an event of the ledger is never changed';
RETURN NEW;
END$body$;

CREATE TRIGGER choice_event_stays BEFORE UPDATE ON choice_event FOR EACH ROW EXECUTE FUNCTION choice_event_stays();

INSERT INTO account_number (last) VALUES (0);

INSERT INTO watch_progress (rowid, sequence, note, version) VALUES (1, 0, 0, 0);

INSERT INTO visit_figure (rowid, day, volunteers, askers) VALUES (1, '1970-01-01', 0, 0);
