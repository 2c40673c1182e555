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
  ]

  /// What is wrong, one sentence each; empty when nothing is.
  package func findings() throws -> [String] {
    var findings = try database.integrityCheck()
    try database.readPrivate(limit: .none) { connection in
      for check in Self.checks {
        let count = try connection.integer(check.sql) ?? 0
        if count > 0 { findings.append("\(count) \(check.finding)") }
      }
    }
    return findings
  }
}
