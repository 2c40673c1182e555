#if DEBUG
  internal import CSpatiaLite
  internal import Locking

  /// Checks in debug builds, and so in every test, that the statements of quick reads find their rows by a key or an
  /// index.
  ///
  /// Such a statement must not go through a table, except for one that stays small, and must not search a text. A
  /// database with statistics of its tables (`ANALYZE`) is not checked: there SQLite goes through a table that has few
  /// rows now.
  enum PlanCheck {
    /// Tables that only the operator of an instance, a new version or the night fills, a few rows at a time.
    private static let small: Set<String> = [
      "category", "collection", "setting", "snapshot", "snapshot_file", "source", "term",
      "tiles_file",
    ]

    private static let checked = Locked<Set<String>>([])

    /// - Throws: ``DatabaseFault`` of kind `statement`, with the step of the plan.
    static func confirm(_ sql: String, on connection: OpaquePointer) throws {
      let start = sql.drop { $0.isWhitespace }.prefix(6).uppercased()
      guard start == "SELECT" || start.hasPrefix("WITH"),
        !checked.withLock({ $0.contains(sql) }), try !hasStatistics(connection)
      else { return }
      checked.withLock { _ = $0.insert(sql) }
      let statement = try Statement.prepare(
        "EXPLAIN QUERY PLAN " + sql, on: connection, isKept: false)
      defer { sqlite3_finalize(statement.handle) }
      while try statement.step(on: connection) {
        guard let text = sqlite3_column_text(statement.handle, 3) else { continue }
        let step = String(cString: text)
        guard isSlow(step, in: sql) else { continue }
        checked.withLock { _ = $0.remove(sql) }
        throw DatabaseFault(.statement, "a quick read must not \(step)", sql: sql)
      }
    }

    private static func hasStatistics(_ connection: OpaquePointer) throws -> Bool {
      let statement = try Statement.prepare(
        "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'", on: connection, isKept: false)
      defer { sqlite3_finalize(statement.handle) }
      return try statement.step(on: connection)
    }

    private static func isSlow(_ step: String, in sql: String) -> Bool {
      let words = step.split(separator: " ")
      guard words.count > 1, words[0] == "SCAN" else { return false }
      // A subquery, or values of the statement itself.
      if words[1].hasPrefix("(") || words[1] == "CONSTANT" || words[1].hasPrefix("json_") {
        return false
      }
      let name = words[1]
      // A plan names tables by their aliases. A subquery's alias has separate steps.
      if sql.contains(") AS \(name)")
        || small.contains(where: { $0 == name || sql.contains("\($0) AS \(name)") })
      {
        return false
      }
      // The plan of an R*Tree ends with its conditions; the plan of a full-text search begins with the letter M.
      if words.contains("VIRTUAL") {
        return step.contains(":M") || step.hasSuffix(" 0:") || step.hasSuffix(" 2:")
      }
      return true
    }
  }
#endif
