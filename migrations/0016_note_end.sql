-- 0016_note_end.sql
-- When a device ceased to stand, so that what was there on a day of the past can be counted. The status
-- says whether; triggers note when, whoever sets it.

ALTER TABLE device ADD COLUMN ended_at TEXT
  CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ended_at));

-- What ended before: by the last revision that ended it, or when it was added where none did.
UPDATE device SET ended_at = COALESCE(
  (SELECT max(made_at) FROM revision
   WHERE revision.device_rowid = device.rowid
     AND json_extract(before, '$.status') IN ('reported', 'confirmed', 'disputed')),
  created_at)
WHERE status IN ('removed', 'not_a_device');

CREATE TRIGGER device_end_insert AFTER INSERT ON device
WHEN new.status IN ('removed', 'not_a_device') AND new.ended_at IS NULL BEGIN
  UPDATE device SET ended_at = created_at WHERE rowid = new.rowid;
END;
CREATE TRIGGER device_end_update AFTER UPDATE OF status ON device
WHEN (new.status IN ('removed', 'not_a_device')) <> (old.status IN ('removed', 'not_a_device')) BEGIN
  UPDATE device SET ended_at = CASE WHEN new.status IN ('removed', 'not_a_device') THEN updated_at END
  WHERE rowid = new.rowid;
END;
