import PrivacyMap
import SpatialDatabase

/// The figures of the overview for admins.
struct OverviewStore {
  func hiddenDevices(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM device WHERE hidden <> 0") ?? 0
  }

  func deletedDevices(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM tombstone") ?? 0
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

  /// Rows of a table since a day, by the first `length` characters of their time.
  func rows(
    of table: String, since start: String, by length: Int, _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    let rows = try connection.rows(
      """
      SELECT substr(created_at, 1, ?), count(*) FROM \(table) WHERE created_at >= ? GROUP BY 1
      """, [SQLValue(length), .text(start)]
    ) { ($0.text(0), $0.int(1)) }
    return Dictionary(rows) { first, _ in first }
  }

  func mail(
    _ connection: borrowing Connection
  ) throws -> (waiting: Int64, failed: Int64, oldestAt: String?) {
    (
      try connection.integer("SELECT count(*) FROM mail") ?? 0,
      try connection.integer(
        "SELECT count(*) FROM job WHERE kind = 'mail' AND failed_at IS NOT NULL") ?? 0,
      try connection.text("SELECT min(created_at) FROM mail")
    )
  }

  /// Jobs that are not repeated after their failure, by kind.
  func failedJobs(
    _ connection: borrowing Connection
  ) throws -> [(kind: String, count: Int64, lastAt: String)] {
    try connection.rows(
      """
      SELECT kind, count(*), max(failed_at) FROM job WHERE failed_at IS NOT NULL
      GROUP BY kind ORDER BY kind LIMIT 20
      """
    ) { ($0.text(0), $0.int(1), $0.text(2)) }
  }

  func jobs(
    at now: Timestamp, _ connection: borrowing Connection
  ) throws -> (waiting: Int64, scheduled: Int64, failed: Int64) {
    let now = SQLValue.text(now.text)
    return (
      try connection.integer(
        "SELECT count(*) FROM job WHERE failed_at IS NULL AND due_at <= ?", [now]) ?? 0,
      try connection.integer(
        "SELECT count(*) FROM job WHERE failed_at IS NULL AND due_at > ?", [now]) ?? 0,
      try connection.integer("SELECT count(*) FROM job WHERE failed_at IS NOT NULL") ?? 0
    )
  }

  /// The latest imports.
  func imports(
    _ connection: borrowing Connection
  ) throws -> [(
    id: Int64, file: String, state: String, startedAt: String, finishedAt: String?, rows: Int64,
    added: Int64
  )] {
    try connection.rows(
      """
      SELECT rowid, file, state, started_at, finished_at, rows, added FROM import_run
      WHERE dry_run = 0 ORDER BY rowid DESC LIMIT 5
      """
    ) { row in
      (
        row.int(0), row.text(1), row.text(2), row.text(3), row.optionalText(4), row.int(5),
        row.int(6)
      )
    }
  }

  /// The file of the database.
  func path(_ connection: borrowing Connection) throws -> String {
    try connection.text("SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
  }

  func lastError(ofJob kind: String, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT last_error FROM job WHERE kind = ?", [.text(kind)])
  }
}
