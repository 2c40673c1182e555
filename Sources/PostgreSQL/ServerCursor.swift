internal import CPostgreSQL

/// A statement whose rows are fetched in pieces, so that several statements can be read side by side.
///
/// Only inside a transaction, which also ends it.
package final class ServerCursor {
  private let connection: ServerConnection
  private let sql: String
  private let chunk: Int
  private var name = ""
  /// The current piece, and the next row in it.
  private var piece: StatementResult?
  private var place = 0

  /// - Parameters:
  ///   - sql: the statement, with `?` for each value.
  ///   - values: its values.
  ///   - chunk: the most rows in memory.
  ///   - connection: in a transaction.
  /// - Throws: ``ServerFault``.
  package init(
    _ sql: String, _ values: [BoundValue] = [], chunk: Int = 1_000, on connection: ServerConnection
  ) throws {
    (self.sql, self.connection, self.chunk) = (sql, connection, max(1, chunk))
    try open(values)
  }

  /// The next row, valid until the following call. Nil at the end.
  package func next() throws -> ResultRow? {
    if let piece, place >= piece.rowCount {
      if piece.rowCount < chunk { return nil }
      self.piece = nil
    }
    if piece == nil {
      // Not kept, because the columns belong to the cursor.
      piece = try connection.run("FETCH \(chunk) FROM \(name)", [], isKept: false)
      place = 0
    }
    guard let piece, place < piece.rowCount else { return nil }
    defer { place += 1 }
    // The cursor keeps the piece until the following call.
    return piece.withRow(place) { $0 }
  }

  /// Begins again with other values.
  package func restart(_ values: [BoundValue]) throws {
    try close()
    try open(values)
  }

  /// Ends it before its transaction.
  package func close() throws { try connection.control("CLOSE \(name)") }

  private func open(_ values: [BoundValue]) throws(ServerFault) {
    connection.cursorCount += 1
    name = "rows_\(connection.cursorCount)"
    piece = nil
    try connection.run("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values, isKept: false)
  }
}
