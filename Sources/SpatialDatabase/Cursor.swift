/// A statement whose rows are read one at a time, so that several statements can be read in
/// parallel.
///
/// Valid only while its connection is in use.
package final class Cursor {
  private let session: Session
  private let statement: Statement

  init(_ sql: String, _ arguments: [SQLValue], on session: Session) throws {
    self.session = session
    statement = try session.lend(sql, arguments)
  }

  deinit { session.giveBack(statement) }

  /// The next row, valid until the following call. Nil at the end.
  package func next() throws -> Row? {
    try statement.step(on: session.handle) ? Row(statement: statement.handle) : nil
  }

  /// Restarts the statement with `key` as the first value.
  package func restart(with key: Int64) throws {
    try statement.restart(with: key, on: session.handle)
  }
}

extension Connection {
  /// A cursor over the rows of a statement. Release it before the connection.
  package func cursor(_ sql: String, _ arguments: [SQLValue] = []) throws -> Cursor {
    try Cursor(sql, arguments, on: session)
  }
}
