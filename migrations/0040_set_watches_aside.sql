-- 0040_set_watches_aside.sql
-- A watch whose filter cannot be evaluated, or takes too long, is set aside alone. It tells nothing until its owner changes
-- its filter or its area.

ALTER TABLE watch ADD COLUMN failed_at TEXT;
