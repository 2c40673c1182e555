import Devices
import Pictures
import SpatialDatabase

/// Devices that an admin selects for deletion.
struct DeletionStore {
  /// The ids of all devices with exactly this name.
  func devices(
    named name: String, limit: Int, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      "SELECT id FROM device WHERE name = ? ORDER BY rowid LIMIT ?",
      [.text(name), SQLValue(limit)]
    ) { $0.text(0) }
  }

  /// A device with counts of the contributions to it.
  struct Device {
    let name, category, status: String
    let isHidden: Bool
    let author: String?
    let createdAt: String
    let point: (longitude: Double, latitude: Double)?
    let photos, verdicts: Int64
  }

  func device(_ rowid: Int64, _ connection: borrowing Connection) throws -> Device? {
    let photos = try PhotoTable().count(of: rowid, connection)
    let verdicts = try VerificationStore.count(of: rowid, connection)
    return try connection.first(
      """
      SELECT name, category, status, hidden, account.username, device.created_at, longitude,
        latitude
      FROM device LEFT JOIN account ON account.rowid = device.account_rowid
      WHERE device.rowid = ?
      """, [.integer(rowid)]
    ) { row in
      Device(
        name: row.text(0), category: row.text(1), status: row.text(2), isHidden: row.bool(3),
        author: row.optionalText(4), createdAt: row.text(5),
        point: row.isNull(6) ? nil : (row.double(6), row.double(7)), photos: photos,
        verdicts: verdicts)
    }
  }
}
