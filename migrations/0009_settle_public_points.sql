-- 0009_settle_public_points.sql
-- What claims are computed from, and one grid in three sizes that lie in one another.

-- The status that a moderator or a list gave. Claims move `status` away from it, and it is what stands
-- again where they say nothing.
ALTER TABLE device ADD COLUMN base_status TEXT NOT NULL DEFAULT 'reported'
  CHECK (base_status IN ('reported', 'confirmed', 'disputed', 'removed', 'not_a_device'));
UPDATE device SET base_status = status;

-- When what somebody vouched for was changed, so that the word no longer counts.
ALTER TABLE verdict ADD COLUMN lapsed_at TEXT;

-- The grid of `Precision` in the program, now cut so that a coarser cell is made of whole finer ones:
-- 2,002 rows of ten kilometres, 100 by 100 small cells in each of their cells. Public points of before
-- move to it once. The Earth's circumference is 360 degrees of 111,195.08 metres (Moritz 2000, GRS 80).
CREATE TEMP TABLE settled_point AS
WITH place AS (
  SELECT device_rowid,
    CASE precision WHEN '100m' THEN 1 WHEN '1km' THEN 10 ELSE 100 END AS side,
    round(device_location.longitude * 1e7) / 1e7 AS longitude,
    round(device_location.latitude * 1e7) / 1e7 AS latitude
  FROM device JOIN device_location ON device_rowid = device.rowid
  WHERE precision <> 'exact'
), strip AS (
  SELECT *, min(CAST(floor((latitude + 90) / (180.0 / 200200)) AS INTEGER), 200199) AS line
  FROM place
), cut AS (
  SELECT *, 100 * max(1, CAST(floor(360 * 111195.08023353292 / 10000 * cos(radians(
    max(abs(-90 + line / 100 * 100 * (180.0 / 200200)),
      abs(-90 + (line / 100 * 100 + 100) * (180.0 / 200200)))))) AS INTEGER)) AS columns
  FROM strip
), cell AS (
  SELECT *, min(CAST(floor((longitude + 180) / (360.0 / columns)) AS INTEGER), columns - 1) AS place
  FROM cut
)
SELECT device_rowid,
  round((-180 + (place / side * side + side / 2.0) * (360.0 / columns)) * 1e7) / 1e7 AS longitude,
  round((-90 + (line / side * side + side / 2.0) * (180.0 / 200200)) * 1e7) / 1e7 AS latitude
FROM cell;
CREATE UNIQUE INDEX settled_point_by_device ON settled_point (device_rowid);
UPDATE device SET longitude = settled_point.longitude, latitude = settled_point.latitude
FROM settled_point
WHERE settled_point.device_rowid = device.rowid AND
  (device.longitude <> settled_point.longitude OR device.latitude <> settled_point.latitude);
UPDATE device SET public_point = MakePoint(longitude, latitude, 4326) WHERE precision <> 'exact';
DROP TABLE settled_point;
