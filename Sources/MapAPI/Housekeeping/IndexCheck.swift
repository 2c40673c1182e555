import PrivacyMap
package import SpatialDatabase

/// Looks for whatever in a database does not agree with the rest of it.
package struct IndexCheck {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// Statements that find what should not be; each counts.
  private static let checks: [(sql: String, finding: String)] = [
    (
      """
      SELECT count(*) FROM device LEFT JOIN device_box ON device_box.rowid = device.rowid
      WHERE device_box.rowid IS NULL OR device.longitude NOT BETWEEN device_box.west AND device_box.east
        OR device.latitude NOT BETWEEN device_box.south AND device_box.north
      """, "devices are not where the box tree has them"
    ),
    (
      "SELECT count(*) FROM device_box WHERE rowid NOT IN (SELECT rowid FROM device)",
      "boxes belong to no device"
    ),
    (
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT rowid FROM device_text)",
      "devices have no full text"
    ),
    (
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM device_location)",
      "devices have no true position"
    ),
    (
      """
      SELECT count(*) FROM device WHERE revision <>
        (SELECT max(number) FROM revision WHERE device_rowid = device.rowid)
      """, "devices are of another revision than their history"
    ),
    (
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM change)",
      "devices are missing from the change sequence"
    ),
    (
      """
      SELECT count(*) FROM revision_location LEFT JOIN revision USING (device_rowid, number)
      WHERE revision.number IS NULL
      """, "former positions belong to no revision"
    ),
    (
      "SELECT count(*) FROM tombstone WHERE id IN (SELECT id FROM device)",
      "devices are on the map and deleted"
    ),
    (
      "SELECT count(*) FROM tombstone_content WHERE erase_on < date('now', '-7 days')",
      "deleted devices should have been erased a week ago"
    ),
  ]

  /// How many devices are shown elsewhere than their true place and their precision say.
  private static func astray(_ connection: borrowing Connection) throws -> Int {
    var count = 0
    try connection.forEach(
      """
      SELECT precision, device.longitude, device.latitude, device_location.longitude,
        device_location.latitude
      FROM device JOIN device_location ON device_rowid = device.rowid
      """
    ) { row in
      guard let precision = Precision(rawValue: row.text(0)) else { return }
      let point = precision.publicPoint(
        for: .clamped(longitude: row.double(3), latitude: row.double(4)))
      if point.longitude != row.double(1) || point.latitude != row.double(2) { count += 1 }
    }
    return count
  }

  /// What is wrong, one sentence each; empty when nothing is.
  package func findings() throws -> [String] {
    var findings = try database.integrityCheck()
    try database.readPrivate(limit: .none) { connection in
      for check in Self.checks {
        let count = try connection.integer(check.sql) ?? 0
        if count > 0 { findings.append("\(count) \(check.finding)") }
      }
      let astray = try Self.astray(connection)
      if astray > 0 { findings.append("\(astray) devices are shown elsewhere than they should be") }
    }
    return findings
  }
}
