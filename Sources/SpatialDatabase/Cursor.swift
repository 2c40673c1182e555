/// A statement whose rows are asked for one at a time, so that several can be read in step.
///
/// Valid only while the connection it came from is lent.
package final class Cursor {
  private let session: Session
  private let statement: Statement

  init(_ sql: String, _ arguments: [SQLValue], on session: Session) throws {
    self.session = session
    statement = try session.lend(sql, arguments)
  }

  deinit { session.giveBack(statement) }

  /// The next row, valid until the one after it is asked for; nil at the end.
  package func next() throws -> Row? {
    try statement.step(on: session.handle) ? Row(statement: statement.handle) : nil
  }

  /// Begins again with `key` as the first value.
  package func restart(with key: Int64) throws {
    try statement.restart(with: key, on: session.handle)
  }
}

extension Connection {
  /// A cursor over the rows of a statement; let go of it before the connection.
  package func cursor(_ sql: String, _ arguments: [SQLValue] = []) throws -> Cursor {
    try Cursor(sql, arguments, on: session)
  }
}
