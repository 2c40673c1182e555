import SpatialDatabase

/// The contributions of a person.
struct ContributionStore {
  func revisions(of person: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM revision WHERE account_rowid = ?", [.integer(person)]) ?? 0
  }

  func devices(
    of person: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      """
      SELECT DISTINCT device_rowid FROM revision WHERE account_rowid = ? AND device_rowid > ?
      ORDER BY device_rowid LIMIT ?
      """, [.integer(person), .integer(last), SQLValue(limit)]
    ) { $0.int(0) }
  }
}
