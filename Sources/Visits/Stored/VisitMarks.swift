import SpatialDatabase

/// The state behind `/api/visits/now` for some accounts, as texts that differ after each change.
enum VisitMarks {
  static let queries = [
    """
    SELECT account_rowid, id, ends_at FROM visit_offer
    WHERE state = 'pending' AND account_rowid IN (\(accounts))
    """,
    """
    SELECT visitor_rowid, id || state || state_at, coalesce(planned_for, '') || coalesce(reminded_at, '')
    FROM visit_request WHERE closed_at IS NULL AND visitor_rowid IN (\(accounts)) ORDER BY rowid
    """,
    """
    SELECT account_rowid, cell || ' ' || paused, coalesce(free_from, '') || coalesce(free_until, '')
    FROM visit_volunteer WHERE account_rowid IN (\(accounts))
    """,
  ]

  private static let accounts = "SELECT CAST(value AS BIGINT) FROM json_each(?)"

  static func of(
    _ accounts: Set<Int64>, _ connection: borrowing Connection
  ) throws -> [Int64: String] {
    let list = "[" + accounts.sorted().map(String.init).joined(separator: ",") + "]"
    var marks = Dictionary(uniqueKeysWithValues: accounts.map { ($0, "") })
    for query in queries {
      try connection.forEach(query, [.text(list)]) { row in
        marks[row.int(0), default: ""] += "\(row.text(1)) \(row.text(2));"
      }
    }
    return marks
  }
}
