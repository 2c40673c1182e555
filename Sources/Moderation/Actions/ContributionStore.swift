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

  func photos(
    of person: Int64, _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, state: String)] {
    try connection.rows(
      "SELECT rowid, state FROM photo WHERE account_rowid = ? AND state IN ('public', 'waiting')",
      [.integer(person)]
    ) { ($0.int(0), $0.text(1)) }
  }

  func verdicts(of person: Int64, _ connection: borrowing Connection) throws -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM verdict WHERE account_rowid = ? AND counts = 1", [.integer(person)]
    ) { $0.int(0) }
  }

  /// Sets whether a verdict counts.
  ///
  /// - Returns: the device of the verdict; nil if there is no such verdict.
  func setCounts(
    _ counts: SQLValue, of verdict: Int64, _ connection: borrowing Connection
  ) throws -> Int64? {
    let device = try connection.integer(
      "SELECT device_rowid FROM verdict WHERE rowid = ?", [.integer(verdict)])
    guard let device else { return nil }
    try connection.execute(
      "UPDATE verdict SET counts = ? WHERE rowid = ?", [counts, .integer(verdict)])
    return device
  }
}
