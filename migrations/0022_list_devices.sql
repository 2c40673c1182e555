-- 0022_list_devices.sql
-- What a list shows of each public device, ready to be sent, in the order of the map: the devices of a
-- city lie on few pages of the file, and those of a category there side by side. `device` remains the
-- only truth; triggers keep this in step within the same transaction.
--
-- `key` is, from its highest bit: the row and column of a cell of a twentieth of a degree (some five
-- kilometres), six bits of the category's number, and the lower 32 bits of the device's rowid.
-- `ListingKey` computes the same.

CREATE TABLE device_listing (
  key            INTEGER PRIMARY KEY,
  operator_rowid INTEGER, -- said by the row of the operator, whatever becomes of it
  listed         TEXT NOT NULL -- values as JSON, one after the other, each but the first after U+001F
);

-- What should stand in `device_listing`, whose order of values is that of `DeviceProperty.ofLists`. No
-- control character stands in JSON as it is, so U+001F is never part of a value.
CREATE VIEW device_to_list AS
SELECT device.rowid AS device_rowid,
  (((CAST((latitude + 90.0) * 20.0 AS INTEGER) * 7200 + CAST((longitude + 180.0) * 20.0 AS INTEGER)) << 6
    | (category.number & 63)) << 32) | (device.rowid & 4294967295) AS key,
  operator_rowid,
  json_quote(device.id)
    -- As `JSONWriter.coordinate` writes it; -0.0 becomes 0 by the sum.
    || char(31) || rtrim(rtrim(printf('%.7f', longitude + 0.0), '0'), '.')
    || char(31) || rtrim(rtrim(printf('%.7f', latitude + 0.0), '0'), '.')
    || char(31) || json_quote(device.name)
    || char(31) || json_quote(device.category)
    || char(31) || data_collected
    || char(31) || '"' || status || '"'
    || char(31) || '"' || precision || '"'
    || char(31) || '"' || created_at || '"'
    || char(31) || '"' || updated_at || '"'
    || char(31) || COALESCE('"' || last_confirmed || '"', 'null') AS listed
FROM device JOIN category ON category.code = device.category
WHERE device.hidden = 0;

INSERT INTO device_listing (key, operator_rowid, listed)
SELECT key, operator_rowid, listed FROM device_to_list ORDER BY key;

CREATE TRIGGER device_listing_insert AFTER INSERT ON device BEGIN
  INSERT INTO device_listing (key, operator_rowid, listed)
  SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
END;

CREATE TRIGGER device_listing_update AFTER UPDATE OF
  id, longitude, latitude, precision, name, category, data_collected, status, hidden, operator_rowid,
  created_at, updated_at, last_confirmed
ON device BEGIN
  DELETE FROM device_listing WHERE key =
    (((CAST((old.latitude + 90.0) * 20.0 AS INTEGER) * 7200 + CAST((old.longitude + 180.0) * 20.0 AS INTEGER)) << 6
      | (SELECT number & 63 FROM category WHERE code = old.category)) << 32) | (old.rowid & 4294967295);
  INSERT INTO device_listing (key, operator_rowid, listed)
  SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
END;

CREATE TRIGGER device_listing_delete AFTER DELETE ON device BEGIN
  DELETE FROM device_listing WHERE key =
    (((CAST((old.latitude + 90.0) * 20.0 AS INTEGER) * 7200 + CAST((old.longitude + 180.0) * 20.0 AS INTEGER)) << 6
      | (SELECT number & 63 FROM category WHERE code = old.category)) << 32) | (old.rowid & 4294967295);
END;
