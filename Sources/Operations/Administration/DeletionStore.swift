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

  /// The id of the last deleted device of a name, as long as its content is stored.
  func lastDeleted(named name: String, _ connection: borrowing Connection) throws -> String? {
    try connection.text(
      """
      SELECT tombstone.id FROM tombstone_content JOIN tombstone USING (id)
      WHERE name = ? ORDER BY deleted_at DESC, tombstone.id DESC
      """, [.text(name)])
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
    try connection.first(
      """
      SELECT name, category, status, hidden, account.username, device.created_at, longitude,
        latitude,
        (SELECT count(*) FROM photo
          WHERE photo.device_rowid = device.rowid AND photo.state <> 'deleted'),
        (SELECT count(*) FROM verdict WHERE verdict.device_rowid = device.rowid)
      FROM device LEFT JOIN account ON account.rowid = device.account_rowid
      WHERE device.rowid = ?
      """, [.integer(rowid)]
    ) { row in
      Device(
        name: row.text(0), category: row.text(1), status: row.text(2), isHidden: row.bool(3),
        author: row.optionalText(4), createdAt: row.text(5),
        point: row.isNull(6) ? nil : (row.double(6), row.double(7)), photos: row.int(8),
        verdicts: row.int(9))
    }
  }
}
