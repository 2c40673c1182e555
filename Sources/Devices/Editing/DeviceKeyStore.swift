package import Import
import JSON
package import SpatialDatabase

/// The table `device_key`: the identifiers of devices in lists and registers.
package struct DeviceKeyStore: Sendable {
  package typealias Key = ImportedDevice.Key

  /// Device, namespace and key of all identifiers from a device on, in the order of the devices.
  package static let inOrder = """
    SELECT device_rowid, namespace, key FROM device_key
    WHERE device_rowid >= ? ORDER BY device_rowid, namespace, key
    """

  /// The condition of a device that is known in OpenStreetMap.
  package static let isInOpenStreetMap =
    "EXISTS (SELECT 1 FROM device_key WHERE device_rowid = device.rowid AND namespace = 'osm')"

  package init() {}

  /// The first identifier of a device in OpenStreetMap, and the version of its object.
  package func openStreetMap(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> (key: String, version: Int64?)? {
    try connection.first(
      "SELECT key, version FROM device_key WHERE device_rowid = ? AND namespace = 'osm' ORDER BY key",
      [.integer(device)]
    ) { (key: $0.text(0), version: $0.optionalInt(1)) }
  }

  /// The device with a key; nil if no device has it.
  package func device(_ key: Key, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer(
      "SELECT device_rowid FROM device_key WHERE namespace = ? AND key = ?",
      [.text(key.namespace), .text(key.key)])
  }

  /// The devices with some keys in one namespace.
  package func devices(
    named keys: [String], in namespace: String, _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    var devices: [String: Int64] = [:]
    try connection.forEach(
      """
      SELECT key, device_rowid FROM device_key
      WHERE namespace = ? AND key IN (SELECT value FROM json_each(?))
      """, [.text(namespace), .text(JSONText.strings(keys))]
    ) { devices[$0.text(0)] = $0.int(1) }
    return devices
  }

  /// The keys of a device; merged devices have several in one namespace.
  package func keys(of device: Int64, _ connection: borrowing Connection) throws -> [Key] {
    try connection.rows(
      "SELECT namespace, key FROM device_key WHERE device_rowid = ?", [.integer(device)]
    ) { Key(namespace: $0.text(0), key: $0.text(1)) }
  }

  /// The keys of a device in one namespace.
  package func keys(
    of device: Int64, in namespace: String, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      "SELECT key FROM device_key WHERE device_rowid = ? AND namespace = ?",
      [.integer(device), .text(namespace)]
    ) { $0.text(0) }
  }

  /// Adds a key to a device, or notes its version if it exists.
  ///
  /// - Returns: whether it is new.
  package func add(
    _ key: Key, to device: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.execute(
      """
      INSERT INTO device_key (namespace, key, device_rowid, version) VALUES (?, ?, ?, ?)
      ON CONFLICT (namespace, key) DO NOTHING
      """,
      [.text(key.namespace), .text(key.key), .integer(device), SQLValue(key.version)])
    if connection.changedRowCount > 0 { return true }
    if key.version != nil {
      try connection.execute(
        """
        UPDATE device_key SET version = ?
        WHERE namespace = ? AND key = ? AND version IS DISTINCT FROM ?
        """,
        [SQLValue(key.version), .text(key.namespace), .text(key.key), SQLValue(key.version)])
    }
    return false
  }

  /// Replaces the identifier of a device in the list that it comes from. Its keys in some namespaces no longer exist
  /// there and are deleted.
  package func renew(
    _ sourceKey: String?, of device: Int64, without namespaces: Set<String>,
    _ connection: borrowing Connection
  ) throws {
    for namespace in namespaces {
      try connection.execute(
        "DELETE FROM device_key WHERE device_rowid = ? AND namespace = ?",
        [.integer(device), .text(namespace)])
    }
    try connection.execute(
      "UPDATE device SET source_key = ? WHERE rowid = ?", [SQLValue(sourceKey), .integer(device)])
  }

  /// Moves keys from one device to another; keys of other devices stay.
  package func move(
    _ keys: [Key], from device: Int64, to other: Int64, _ connection: borrowing Connection
  ) throws {
    for key in keys {
      try connection.execute(
        """
        UPDATE device_key SET device_rowid = ? WHERE namespace = ? AND key = ? AND device_rowid = ?
        """, [.integer(other), .text(key.namespace), .text(key.key), .integer(device)])
    }
  }
}
