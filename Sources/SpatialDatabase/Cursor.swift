internal import PostgreSQL

/// A statement whose rows are read one at a time, so that several statements can be read in
/// parallel.
///
/// Valid only while its connection is in use.
package final class Cursor {
  private enum Source {
    case sqlite(Session, Statement)
    /// The values without the first.
    case postgresql(ServerCursor, [BoundValue])
  }

  private let source: Source

  fileprivate init(_ sql: String, _ arguments: [SQLValue], on engine: Connection.Engine) throws {
    switch engine {
    case .sqlite(let session): source = .sqlite(session, try session.lend(sql, arguments))
    case .postgresql(let session):
      let values = arguments.map(BoundValue.init)
      source = .postgresql(try session.cursor(sql, values), Array(values.dropFirst()))
    }
  }

  deinit {
    if case .sqlite(let session, let statement) = source { session.giveBack(statement) }
  }

  /// The next row, valid until the following call. Nil at the end.
  package func next() throws -> Row? {
    switch source {
    case .sqlite(let session, let statement):
      try statement.step(on: session.handle) ? Row(statement: statement.handle) : nil
    case .postgresql(let cursor, _): try translatingFaults { try cursor.next().map(Row.init) }
    }
  }

  /// Restarts the statement with `key` as the first value.
  package func restart(with key: Int64) throws {
    switch source {
    case .sqlite(let session, let statement):
      try statement.restart(with: key, on: session.handle)
    case .postgresql(let cursor, let others):
      try translatingFaults { try cursor.restart([.integer(key)] + others) }
    }
  }
}

extension Connection {
  /// A cursor over the rows of a statement. Release it before the connection.
  package func cursor(_ sql: String, _ arguments: [SQLValue] = []) throws -> Cursor {
    try Cursor(sql, arguments, on: engine)
  }
}
