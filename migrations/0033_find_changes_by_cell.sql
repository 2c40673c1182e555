-- 0033_find_changes_by_cell.sql
-- The coarse cell of a device, so that a browser can ask what changed in a region without telling the
-- server which part of it the person watches (docs/explanation/local-watches.md). `WatchCell` computes the
-- same number.
--
-- Rows are a quarter of a degree high and counted from the south pole, 1440 numbers each. Towards the
-- poles cells get wider, so that none is narrower than 20 km; each cap beyond 87 degrees is one cell.

ALTER TABLE device ADD COLUMN watch_cell INTEGER GENERATED ALWAYS AS (
  CASE
    WHEN latitude >= 87 THEN 719 * 1440
    WHEN latitude < -87 THEN 0
    ELSE CAST((latitude + 90) * 4 AS INTEGER) * 1440
      + CAST((longitude + 180) * 4 AS INTEGER) % 1440 / CASE
        WHEN latitude >= -44 AND latitude < 44 THEN 1
        WHEN latitude >= -68 AND latitude < 68 THEN 2
        WHEN latitude >= -79 AND latitude < 79 THEN 4
        WHEN latitude >= -84 AND latitude < 84 THEN 8
        ELSE 16
      END
  END) VIRTUAL;

CREATE INDEX device_by_watch_cell ON device (watch_cell, updated_at) WHERE hidden = 0;
