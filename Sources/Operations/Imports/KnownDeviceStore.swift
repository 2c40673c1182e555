import JSON
import SpatialDatabase

/// Devices of the map that an import compares with its file.
struct KnownDeviceStore {
  /// The query of ``devices(of:after:west:east:south:north:limit:_:)``.
  static let standing = """
    SELECT rowid, source_key FROM device
    WHERE source_rowid = ? AND rowid > ? AND hidden = 0
      AND status IN ('reported', 'confirmed', 'disputed')
      AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?
    ORDER BY rowid LIMIT ?
    """

  /// A portion of the devices of a source that are on the map in a box, and their keys in the source.
  func devices(
    of source: Int64, after last: Int64, west: Double, east: Double, south: Double, north: Double,
    limit: Int, _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, key: String?)] {
    try connection.rows(
      Self.standing,
      [
        .integer(source), .integer(last), .real(west), .real(east), .real(south), .real(north),
        SQLValue(limit),
      ]
    ) { ($0.int(0), $0.optionalText(1)) }
  }

  /// The devices with some keys in one namespace.
  func devices(
    named keys: [String], _ namespace: String, _ connection: borrowing Connection
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

  /// All keys of a device in one namespace; merged devices have several.
  func keys(
    of device: Int64, _ namespace: String, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      "SELECT key FROM device_key WHERE device_rowid = ? AND namespace = ?",
      [.integer(device), .text(namespace)]
    ) { $0.text(0) }
  }

  /// A public device with an exact position, and its source.
  func exact(
    _ device: Int64, _ connection: borrowing Connection
  ) throws -> (rowid: Int64, source: Int64?)? {
    try connection.first(
      "SELECT source_rowid FROM device WHERE rowid = ? AND precision = 'exact' AND hidden = 0",
      [.integer(device)]
    ) { (device, $0.optionalInt(0)) }
  }

  func source(_ code: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT rowid FROM source WHERE code = ?", [.text(code)])
  }

  func hasDevices(ofSource code: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM device
      WHERE source_rowid = (SELECT rowid FROM source WHERE code = ?) LIMIT 1
      """, [.text(code)]) != nil
  }

  /// The English names of categories by code.
  func categoryNames(_ connection: borrowing Connection) throws -> [String: String] {
    let names = try connection.rows(
      "SELECT code, label FROM translation WHERE scheme = 'categories' AND language = 'en'"
    ) { ($0.text(0), $0.text(1)) }
    return Dictionary(names) { first, _ in first }
  }
}
