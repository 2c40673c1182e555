/// A connection for use inside a `read` or `write`, with methods to run SQL.
///
/// Valid only inside the closure that receives it. Values are bound to `?` and never inserted into
/// the SQL. The SQL is constant text, so that it is prepared once per connection.
package struct Connection {
  /// The session of one of the two engines.
  enum Engine {
    case sqlite(Session)
    case postgresql(ServerSession)
  }

  let engine: Engine
  var plan: ReadPlan

  init(session: Session, _ plan: ReadPlan = ReadPlan()) {
    (engine, self.plan) = (.sqlite(session), plan)
  }

  init(session: ServerSession, _ plan: ReadPlan = ReadPlan()) {
    (engine, self.plan) = (.postgresql(session), plan)
  }

  /// Runs a statement to its end and ignores its rows.
  package func execute(_ sql: String, _ arguments: [SQLValue] = []) throws {
    switch engine {
    case .sqlite(let session): try session.run(sql, arguments)
    case .postgresql(let session): try session.execute(sql, arguments)
    }
  }

  /// Runs the statements that `body` executes; PostgreSQL gets them in one round trip. `body` must not use
  /// ``lastInsertedRowID`` and ``changedRowCount``, and the fault of a statement may come with a later one.
  package func together(_ body: () throws -> Void) throws {
    switch engine {
    case .sqlite: try body()
    case .postgresql(let session): try session.together(body)
    }
  }

  /// Runs a statement to its end with the values of several lists, one list after the other. This is
  /// faster than joining long lists for each of many rows.
  package func execute(_ sql: String, joining parts: [[SQLValue]]) throws {
    switch engine {
    case .sqlite(let session): try session.run(sql, joining: parts)
    case .postgresql(let session): try session.execute(sql, Array(parts.joined()))
    }
  }

  /// Passes each row to `body`. SQLite finds it only then; PostgreSQL has found all of them.
  package func forEach(
    _ sql: String, _ arguments: [SQLValue] = [], _ body: (Row) throws -> Void
  ) throws {
    switch engine {
    case .sqlite(let session): try session.forEach(sql, arguments, body)
    case .postgresql(let session):
      try session.forEach(sql, arguments, isLast: plan.isOneQuery || plan.isLast, body)
    }
  }

  /// Runs a statement with one `?` once per key, for example for row ids from an index.
  ///
  /// The prepared statement is looked up once, not once per row.
  ///
  /// - Parameters:
  ///   - sql: a SELECT.
  ///   - keys: the successive values of its `?`.
  ///   - body: receives the position of the key in `keys` and a row found for it.
  /// - Throws: ``DatabaseFault``, and errors from `body`.
  package func forEach(
    _ sql: String, keys: [Int64], _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws {
    switch engine {
    case .sqlite(let session): try session.forEach(sql, keys: keys, body)
    case .postgresql(let session): try session.forEach(sql, keys: keys, body)
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

  /// The first row, decoded, or nil. SQLite does not read further rows.
  package func first<T>(
    _ sql: String, _ arguments: [SQLValue] = [], decode: (Row) throws -> T
  ) throws -> T? {
    switch engine {
    case .sqlite(let session): try session.first(sql, arguments, decode)
    case .postgresql(let session):
      try session.first(sql, arguments, isLast: plan.isOneQuery || plan.isLast, decode)
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
    switch engine {
    case .sqlite(let session): try session.savepoint(body)
    case .postgresql(let session): try session.savepoint(body)
    }
  }

  /// Whether the transaction is still open. After some errors, such as a full disk, the engine itself
  /// rolls back the whole transaction.
  var isInTransaction: Bool {
    switch engine {
    case .sqlite(let session): session.isTransactionOpen
    case .postgresql(let session): session.isTransactionOpen
    }
  }

  /// The row id of the last row that ``execute(_:_:)`` inserted into an ordinary table on this connection.
  package var lastInsertedRowID: Int64 {
    switch engine {
    case .sqlite(let session): session.lastInsertedRowID
    case .postgresql(let session): session.lastInsertedRowID
    }
  }

  /// The number of rows changed by the last INSERT, UPDATE or DELETE, not counting triggers.
  package var changedRowCount: Int {
    switch engine {
    case .sqlite(let session): session.changedRowCount
    case .postgresql(let session): session.changedRowCount
    }
  }

  /// The lines of the query plan, for tests that check the use of an index.
  package func explain(_ sql: String, _ arguments: [SQLValue] = []) throws -> [String] {
    switch engine {
    // The columns are id, parent, notused, detail (https://sqlite.org/eqp.html).
    case .sqlite: try rows("EXPLAIN QUERY PLAN " + sql, arguments) { $0.text(3) }
    case .postgresql: try rows("EXPLAIN " + sql, arguments) { $0.text(0) }
    }
  }
}

/// A range of keys, and the number of its first rows to read.
package struct KeyRange: Sendable {
  package var low, high: Int64
  package var maximum: Int

  package init(_ keys: ClosedRange<Int64>, maximum: Int) {
    (low, high) = (keys.lowerBound, keys.upperBound)
    self.maximum = maximum
  }
}
