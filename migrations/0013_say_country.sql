-- 0013_say_country.sql
-- The country of a device follows from its public point. Rows that were there before, or before the map
-- of countries was made anew, are gone through in portions.

-- Near a border or a coast, at sea, or where states disagree.
ALTER TABLE device ADD COLUMN country_uncertain INTEGER NOT NULL DEFAULT 0
  CHECK (country_uncertain IN (0, 1));

-- How far the going through has come.
CREATE TABLE country_fill (
  rowid        INTEGER PRIMARY KEY CHECK (rowid = 1),
  map          TEXT NOT NULL,               -- digest of the map of countries
  device_rowid INTEGER NOT NULL,            -- the last row done
  done         INTEGER NOT NULL CHECK (done IN (0, 1))
);
