import SpatialDatabase

/// Devices of the map that an import compares with its file.
struct KnownDeviceStore {
  /// The query of ``devices(of:after:limit:_:)``.
  static let standing = """
    SELECT rowid, source_key, longitude, latitude FROM device
    WHERE source_rowid = ? AND rowid > ? AND hidden = 0
      AND status IN ('reported', 'confirmed', 'disputed')
    ORDER BY rowid LIMIT ?
    """

  /// A portion of the devices of a source that are on the map, their keys in the source and their public points.
  func devices(
    of source: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, key: String?, longitude: Double, latitude: Double)] {
    try connection.rows(
      Self.standing, [.integer(source), .integer(last), SQLValue(limit)]
    ) { ($0.int(0), $0.optionalText(1), $0.double(2), $0.double(3)) }
  }

  /// The query of ``isBrought(_:by:_:)``.
  static let brought = """
    SELECT 1 FROM revision JOIN import_run ON import_run.rowid = revision.import_rowid
    WHERE device_rowid = ? AND import_run.mapping = ? LIMIT 1
    """

  /// Whether an import with a mapping added or changed a device.
  func isBrought(
    _ device: Int64, by mapping: String, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(Self.brought, [.integer(device), .text(mapping)]) != nil
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
}
