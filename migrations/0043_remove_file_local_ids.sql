-- 0043_remove_file_local_ids.sql
-- Editors of OpenStreetMap number new elements from -1 downwards, so `node/-5` names another element in each file. Imports
-- stored such names as references; they are no longer read (docs/reference/import.md). Its device stays.

-- The references are public, so clients that follow changes must read these devices again.
INSERT INTO change (device_rowid, kind, changed_at)
SELECT DISTINCT device.rowid, 'changed', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
FROM device_key JOIN device ON device.rowid = device_key.device_rowid
WHERE hidden = 0 AND (key LIKE 'node/-%' OR key LIKE 'way/-%' OR key LIKE 'relation/-%');

UPDATE device SET source_key = NULL
WHERE source_key LIKE 'node/-%' OR source_key LIKE 'way/-%' OR source_key LIKE 'relation/-%';

DELETE FROM device_key WHERE key LIKE 'node/-%' OR key LIKE 'way/-%' OR key LIKE 'relation/-%';
