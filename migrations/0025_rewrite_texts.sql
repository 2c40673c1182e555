-- 0025_rewrite_texts.sql
-- The full text of a new device kept the spelling of the operator that its sender used, while the
-- operator is stored under the spelling that came first. Such texts are written again from what is
-- stored; all others stay untouched.

CREATE TEMP TABLE drifted_text AS
SELECT device.rowid AS device_rowid FROM device
LEFT JOIN operator ON operator.rowid = device.operator_rowid
LEFT JOIN device_text_content AS content ON content.id = device.rowid
WHERE content.c0 IS NOT search_text(device.name)
  OR content.c1 IS NOT search_text(operator.name)
  OR content.c2 IS NOT search_text(device.description);

DELETE FROM device_text WHERE rowid IN (SELECT device_rowid FROM drifted_text);

INSERT INTO device_text (rowid, name, operator, description)
SELECT device.rowid, search_text(device.name), search_text(operator.name),
  search_text(device.description)
FROM drifted_text JOIN device ON device.rowid = drifted_text.device_rowid
LEFT JOIN operator ON operator.rowid = device.operator_rowid
ORDER BY device.rowid;

DROP TABLE drifted_text;
