package import SpatialDatabase

/// The full-text index of devices, which search uses: name, operator and description.
///
/// It is always written by this type, and always from the stored rows, never from the text of a
/// request. An operator is matched without regard to case, so a request may spell the name
/// differently. The check of the index uses the same statement to compute the expected content.
package enum FullText {
  /// The expected full text of devices: `rowid`, `name`, `operator`, `description`.
  package static let wanted = """
    SELECT device.rowid AS rowid, search_text(device.name) AS name,
      search_text(operator.name) AS operator, search_text(device.description) AS description
    FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
    """

  /// Adds the full text of one device, by rowid.
  package static let insertion = """
    INSERT INTO device_text (rowid, name, operator, description) \(wanted) WHERE device.rowid = ?
    """
  /// Erases the full text of one device, by rowid.
  package static let erasure = "DELETE FROM device_text WHERE rowid = ?"

  private static let addition = """
    INSERT INTO device_text (rowid, name, operator, description) \(wanted)
    WHERE device.rowid > ? ORDER BY device.rowid
    """

  /// Adds the full text of a new device.
  static func add(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(insertion, [.integer(rowid)])
  }

  /// Adds the full text of all devices after a row; they must not have any yet.
  package static func add(after rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(addition, [.integer(rowid)])
  }

  /// Updates the full text of a device from its row.
  static func write(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(erasure, [.integer(rowid)])
    try add(rowid, connection)
  }
}
