internal import CSpatiaLite

/// A connection lent to a `read` or `write`, with the SQL that runs on it.
///
/// Valid only inside the closure it was lent to. Values are bound to `?`, never written into the
/// SQL; the SQL is constant text, so that it is prepared once per connection.
package struct Connection {
  let session: Session

  /// Runs a statement to its end; rows it answers are ignored.
  package func execute(_ sql: String, _ arguments: [SQLValue] = []) throws {
    try session.run(sql, arguments)
  }

  /// Hands each row to `body` as SQLite finds it.
  package func forEach(
    _ sql: String, _ arguments: [SQLValue] = [], _ body: (Row) throws -> Void
  ) throws {
    try session.withStatement(sql, arguments) { statement in
      while try statement.step(on: session.handle) {
        try body(Row(statement: statement.handle))
      }
    }
  }

  /// Runs a statement with one `?` once for each key, such as the row ids that an index found.
  ///
  /// It is looked up and lent once, which a page of rows would otherwise pay for each.
  ///
  /// - Parameters:
  ///   - sql: what to run.
  ///   - keys: what its `?` is in turn.
  ///   - body: takes the place of the key in `keys`, and a row found for it.
  /// - Throws: ``DatabaseFault``, and what `body` throws.
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

  /// Runs a statement whose two `?` are the ends of a range, once for each range.
  ///
  /// - Parameters:
  ///   - sql: what to run.
  ///   - ranges: what its first and second `?` are in turn.
  ///   - body: takes the place of the range in `ranges` and a row found for it, and answers whether it
  ///     wants further rows of that range.
  /// - Throws: ``DatabaseFault``, and what `body` throws.
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

  /// The first row, decoded, or nil. Further rows are not looked for.
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

  /// The first column of the first row as a whole number; nil when there is no row or it is NULL.
  package func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
    try first(sql, arguments) { $0.optionalInt(0) } ?? nil
  }

  /// The first column of the first row as text; nil when there is no row or it is NULL.
  package func text(_ sql: String, _ arguments: [SQLValue] = []) throws -> String? {
    try first(sql, arguments) { $0.optionalText(0) } ?? nil
  }

  /// The statement that made the trigger, index, table or view of this name; nil where there is none.
  /// `type` is which of them, as `sqlite_schema` has it.
  package func definition(of type: String, _ name: String) throws -> String? {
    try text(
      "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?", [.text(type), .text(name)])
  }

  /// Runs `body` as one item among others of a `write`: if it throws, its changes alone are undone
  /// and the error is passed on; the transaction goes on. May be nested.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try session.savepoint(body)
  }

  /// Whether the transaction still stands: after some faults, a full disk among them, SQLite itself
  /// rolls all of it back.
  var isInTransaction: Bool { sqlite3_get_autocommit(session.handle) == 0 }

  /// The row id of the last row inserted into an ordinary table on this connection.
  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(session.handle) }

  /// How many rows the last INSERT, UPDATE or DELETE changed, triggers not counted.
  package var changedRowCount: Int { Int(sqlite3_changes64(session.handle)) }

  /// The lines of the query plan, for tests that hold a query to its index.
  package func explain(_ sql: String, _ arguments: [SQLValue] = []) throws -> [String] {
    // The columns are id, parent, notused, detail (https://sqlite.org/eqp.html).
    try rows("EXPLAIN QUERY PLAN " + sql, arguments) { $0.text(3) }
  }
}
