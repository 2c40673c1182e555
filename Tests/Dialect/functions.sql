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
