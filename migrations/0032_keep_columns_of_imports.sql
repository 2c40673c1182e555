-- The columns of a list that its mapping used, did not use, and missed: {"used", "unused", "missing"}.
ALTER TABLE import_run ADD COLUMN columns TEXT CHECK (columns IS NULL OR json_valid(columns));
