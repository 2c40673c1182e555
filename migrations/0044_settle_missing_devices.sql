-- 0044_settle_missing_devices.sql
-- A list may say that it is incomplete; a scheduled import may take devices off the map that its list no longer has.

ALTER TABLE import_run ADD COLUMN incomplete TEXT;
ALTER TABLE import_schedule ADD COLUMN missing TEXT CHECK (missing IN ('withdraw', 'remove'));
ALTER TABLE import_schedule ADD COLUMN missing_limit INTEGER NOT NULL DEFAULT 20 CHECK (missing_limit BETWEEN 1 AND 10000);
