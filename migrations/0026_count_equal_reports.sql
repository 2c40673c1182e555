-- 0026_count_equal_reports.sql
-- A report that says of a thing what an open report says already is counted there, not kept once more.

ALTER TABLE flag ADD COLUMN times INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1);
