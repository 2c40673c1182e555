internal import CSpatiaLite

/// A connection for use inside a `read` or `write`, with methods to run SQL.
///
/// Valid only inside the closure that receives it. Values are bound to `?` and never inserted into
/// the SQL. The SQL is constant text, so that it is prepared once per connection.
package struct Connection {
  let session: Session

  /// Runs a statement to its end and ignores its rows.
  package func execute(_ sql: String, _ arguments: [SQLValue] = []) throws {
    try session.run(sql, arguments)
  }

  /// Passes each row to `body` as SQLite finds it.
  package func forEach(
    _ sql: String, _ arguments: [SQLValue] = [], _ body: (Row) throws -> Void
  ) throws {
    try session.withStatement(sql, arguments) { statement in
      while try statement.step(on: session.handle) {
        try body(Row(statement: statement.handle))
      }
    }
  }

  /// Runs a statement with one `?` once per key, for example for row ids from an index.
  ///
  /// The prepared statement is looked up once, not once per row.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - keys: the successive values of its `?`.
  ///   - body: receives the position of the key in `keys` and a row found for it.
  /// - Throws: ``DatabaseFault``, and errors from `body`.
  package func forEach(
    _ sql: String, keys: [Int64], _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws {
    try session.withStatement(sql, [.null]) { statement in
      for (place, key) in keys.enumerated() {
        try statement.restart(with: key, on: session.handle)
        while try statement.step(on: session.handle) {
          try body(place, Row(statement: statement.handle))
        }
      }
    }
  }

  /// Runs a statement whose two `?` are the ends of a range, once per range.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - ranges: the successive values of its first and second `?`.
  ///   - body: receives the position of the range in `ranges` and a row found for it. Returns whether to continue
  ///     with further rows of that range.
  /// - Throws: ``DatabaseFault``, and errors from `body`.
  package func forEach(
    _ sql: String, ranges: [ClosedRange<Int64>],
    _ body: (_ place: Int, _ row: Row) throws -> Bool
  ) throws {
    try session.withStatement(sql, [.null, .null]) { statement in
      for (place, range) in ranges.enumerated() {
        try statement.restart(with: range.lowerBound, range.upperBound, on: session.handle)
        while try statement.step(on: session.handle) {
          guard try body(place, Row(statement: statement.handle)) else { break }
        }
      }
    }
  }

  /// All rows, decoded.
  package func rows<T>(
    _ sql: String, _ arguments: [SQLValue] = [], decode: (Row) throws -> T
  ) throws -> [T] {
    var rows: [T] = []
    try forEach(sql, arguments) { rows.append(try decode($0)) }
    return rows
  }

  /// The first row, decoded, or nil. Further rows are not read.
  package func first<T>(
    _ sql: String, _ arguments: [SQLValue] = [], decode: (Row) throws -> T
  ) throws -> T? {
    try session.withStatement(sql, arguments) { statement in
      guard try statement.step(on: session.handle) else { return nil }
      return try decode(Row(statement: statement.handle))
    }
  }

  /// The first column of the first row, or nil when there is no row.
  package func scalar(_ sql: String, _ arguments: [SQLValue] = []) throws -> SQLValue? {
    try first(sql, arguments) { $0.value(0) }
  }

  /// The first column of the first row as an integer. Nil when there is no row or the value is
  /// NULL.
  package func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
    try first(sql, arguments) { $0.optionalInt(0) } ?? nil
  }

  /// The first column of the first row as text. Nil when there is no row or the value is NULL.
  package func text(_ sql: String, _ arguments: [SQLValue] = []) throws -> String? {
    try first(sql, arguments) { $0.optionalText(0) } ?? nil
  }

  /// Runs `body` in a savepoint of a `write`. If it throws, only its changes are rolled back, the
  /// error is rethrown, and the transaction continues. Savepoints may be nested.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try session.savepoint(body)
  }

  /// Whether the transaction is still open. After some errors, such as a full disk, SQLite itself
  /// rolls back the whole transaction.
  var isInTransaction: Bool { sqlite3_get_autocommit(session.handle) == 0 }

  /// The row id of the last row inserted into an ordinary table on this connection.
  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(session.handle) }

  /// The number of rows changed by the last INSERT, UPDATE or DELETE, not counting triggers.
  package var changedRowCount: Int { Int(sqlite3_changes64(session.handle)) }

  /// The lines of the query plan, for tests that check the use of an index.
  package func explain(_ sql: String, _ arguments: [SQLValue] = []) throws -> [String] {
    // The columns are id, parent, notused, detail (https://sqlite.org/eqp.html).
    try rows("EXPLAIN QUERY PLAN " + sql, arguments) { $0.text(3) }
  }
}
