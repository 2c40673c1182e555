-- 0041_keep_findings_of_proposals.sql
-- What a comparison of a proposed list with the map found, so that not every look at the list repeats it. Only the ids of
-- devices are kept: names and places are read when they are shown, if the device is still public.

ALTER TABLE proposal ADD COLUMN compared_at TEXT;                       -- NULL: not compared since it was opened
ALTER TABLE proposal_row ADD COLUMN far INTEGER NOT NULL DEFAULT 0 CHECK (far IN (0, 1)); -- from the other rows
-- [["id", metres]]; NULL: none.
ALTER TABLE proposal_row ADD COLUMN duplicates TEXT CHECK (duplicates IS NULL OR json_valid(duplicates));
