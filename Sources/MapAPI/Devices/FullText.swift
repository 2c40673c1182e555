import SpatialDatabase

/// The full text of devices, which search finds them by: name, operator and description.
///
/// It is always written here and always from the stored rows, never from what a request says: an
/// operator is found again without regard to case, so a request may spell the name differently. The
/// same statement tells a check what the full text should be.
enum FullText {
  /// The full text of devices as it should be: `rowid`, `name`, `operator`, `description`.
  static let wanted = """
    SELECT device.rowid AS rowid, search_text(device.name) AS name,
      search_text(operator.name) AS operator, search_text(device.description) AS description
    FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
    """

  /// Adds the full text of one device, by its row.
  static let insertion = """
    INSERT INTO device_text (rowid, name, operator, description) \(wanted) WHERE device.rowid = ?
    """
  /// Erases the full text of one device, by its row.
  static let erasure = "DELETE FROM device_text WHERE rowid = ?"

  private static let addition = """
    INSERT INTO device_text (rowid, name, operator, description) \(wanted)
    WHERE device.rowid > ? ORDER BY device.rowid
    """

  /// Adds the full text of a new device.
  static func add(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(insertion, [.integer(rowid)])
  }

  /// Adds the full text of all devices after a row, which have none yet.
  static func add(after rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(addition, [.integer(rowid)])
  }

  /// Brings the full text of a device up to date with its row.
  static func write(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(erasure, [.integer(rowid)])
    try add(rowid, connection)
  }
}
