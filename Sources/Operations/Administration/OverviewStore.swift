import PrivacyMap
import SpatialDatabase

/// The figures of the overview for admins.
struct OverviewStore {
  func hiddenDevices(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM device WHERE hidden <> 0") ?? 0
  }

  /// The number of accounts in each state and of each role.
  func accounts(
    at now: Timestamp, _ connection: borrowing Connection
  ) throws -> [(name: String, count: Int64)] {
    let counts = try connection.first(
      """
      SELECT count(*) FILTER (WHERE confirmed_at IS NOT NULL),
        count(*) FILTER (WHERE confirmed_at IS NULL),
        count(*) FILTER (WHERE suspended_at IS NOT NULL
          AND (suspended_until IS NULL OR suspended_until > ?)),
        count(*) FILTER (WHERE role = 'operator'), count(*) FILTER (WHERE role = 'moderator'),
        count(*) FILTER (WHERE role = 'admin')
      FROM account
      """, [.text(now.text)]
    ) { row in (0..<6).map { row.int($0) } }
    let names = ["confirmed", "unconfirmed", "suspended", "operators", "moderators", "admins"]
    return Array(zip(names, counts ?? []))
  }

  /// Rows of a table created since a day, by day (YYYY-MM-DD).
  func rowsByDay(
    of table: String, since start: String, _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    let rows = try connection.rows(
      """
      SELECT substr(created_at, 1, 10), count(*) FROM \(table) WHERE created_at >= ? GROUP BY 1
      """, [.text(start)]
    ) { ($0.text(0), $0.int(1)) }
    return Dictionary(rows) { first, _ in first }
  }
}
