internal import CPostgreSQL
internal import Glibc

// Running statements.
extension ServerConnection {
  /// Runs a statement and ignores its rows.
  ///
  /// - Returns: the number of rows that it changed, without triggers.
  @discardableResult
  package func execute(_ sql: String, _ values: [BoundValue] = []) throws -> Int {
    ahead.removeAll()
    return try run(sql, values).changedRowCount
  }

  /// Runs a statement with `RETURNING` of one integer.
  ///
  /// - Returns: the number of rows that it changed, without triggers, and the integer of the last one.
  package func executeReturning(
    _ sql: String, _ values: [BoundValue]
  ) throws -> (changed: Int, last: Int64?) {
    ahead.removeAll()
    let result = try run(sql, values)
    let count = result.rowCount
    return (result.changedRowCount, count > 0 ? result.withRow(count - 1) { $0.int(0) } : nil)
  }

  /// Runs constant SQL without values, which may be several statements.
  package func executeScript(_ sql: String) throws { try control(sql) }

  /// Passes each row to `body`. The whole result is in memory before, so that `body` may run other statements; for long
  /// results there is ``stream(_:_:chunk:_:)``.
  ///
  /// - Parameters:
  ///   - sql: the statement, with `?` for each value.
  ///   - values: its values.
  ///   - isLast: whether the caller expects to run no other statement in this read, which then ends in the same round
  ///     trip. Another statement is possible, but sees a later snapshot. Writes ignore it.
  ///   - body: receives each row.
  /// - Throws: ``ServerFault``, and errors from `body`.
  package func forEach(
    _ sql: String, _ values: [BoundValue] = [], isLast: Bool = false,
    _ body: (ResultRow) throws -> Void
  ) throws {
    try run(sql, values, isLast: isLast && isReading).forEach(body)
  }

  /// All rows, decoded.
  package func rows<T>(
    _ sql: String, _ values: [BoundValue] = [], decode: (ResultRow) throws -> T
  ) throws -> [T] {
    var rows: [T] = []
    try forEach(sql, values) { rows.append(try decode($0)) }
    return rows
  }

  /// The first row, decoded, or nil. `isLast` as in ``forEach(_:_:isLast:_:)``.
  package func first<T>(
    _ sql: String, _ values: [BoundValue] = [], isLast: Bool = false,
    decode: (ResultRow) throws -> T
  ) throws -> T? {
    let result = try run(sql, values, isLast: isLast && isReading)
    guard result.rowCount > 0 else { return nil }
    return try result.withRow(0, decode)
  }

  /// Like ``forEach(_:_:_:)``, with at most `chunk` rows in memory. Only inside a transaction; `body` may run other
  /// statements.
  package func stream(
    _ sql: String, _ values: [BoundValue] = [], chunk: Int = 1_000,
    _ body: (ResultRow) throws -> Void
  ) throws {
    let cursor = try ServerCursor(sql, values, chunk: chunk, on: self)
    while let row = try cursor.next() { try body(row) }
    try cursor.close()
  }

  /// Runs a statement with bound values.
  ///
  /// - Parameters:
  ///   - sql: the statement, with `?` for each value.
  ///   - values: its values.
  ///   - isKept: whether the prepared statement stays for the next use.
  ///   - isLast: whether the read ends with it, see ``forEach(_:_:isLast:_:)``.
  /// - Returns: the whole result.
  /// - Throws: ``ServerFault`` of the server, or of kind `value` or `statement` if the values do not fit.
  @discardableResult
  func run(
    _ sql: String, _ values: [BoundValue], isKept: Bool = true, isLast: Bool = false
  ) throws(ServerFault) -> StatementResult {
    try confirmUse(sql)
    if let result = takeAhead(sql, values) { return result }
    if !opening.isEmpty || isLast {
      return try results(of: [(sql, values)], isKept: isKept, isLast: isLast)[0]
    }
    let statement = try prepared(sql, isKept: isKept)
    let buffer = try statement.encode(values)
    do throws(ServerFault) {
      try send(statement, buffer)
      return try result(of: sql)
    } catch {
      forget(statement, after: error)
      throw error
    }
  }

  /// Forgets a statement if the schema has changed, or the server has forgotten it: the next use prepares it again.
  func forget(_ statement: PreparedStatement, after fault: ServerFault) {
    if ["0A000", "26000"].contains(fault.sqlState) { statements.remove(statement) }
  }

  /// Runs constant SQL without values, which may be several statements.
  ///
  /// - Returns: the result of the last one.
  @discardableResult
  func control(_ sql: String) throws(ServerFault) -> StatementResult {
    ahead.removeAll()
    try confirmUse(sql)
    try open()
    guard PQsendQuery(handle, sql) == 1 else { throw refusedToSend(sql) }
    return try result(of: sql)
  }

  /// Refuses to use a connection that is broken or past its deadline.
  func confirmUse(_ sql: String) throws(ServerFault) {
    settle()
    if isBroken { throw ServerFault.lost(sql: sql) }
    if let deadline, deadline < .now {
      throw ServerFault(.interrupted, "the transaction exceeded its time limit", sql: sql)
    }
  }

  func send(_ statement: PreparedStatement, _ buffer: ParameterBuffer) throws(ServerFault) {
    let isSent = buffer.withPointers { values, lengths, formats in
      PQsendQueryPrepared(
        handle, statement.name, Int32(lengths.count), values, lengths, formats,
        statement.isBinary ? 1 : 0)
    }
    guard isSent == 1 else { throw refusedToSend(statement.sql) }
  }

  func refusedToSend(_ sql: String?) -> ServerFault {
    if isBroken { return .lost(sql: sql) }
    abandon()
    return ServerFault(.connectionLost, "libpq did not accept a statement", sql: sql)
  }

  /// The result of the statement that was sent, or of the last of several statements.
  func result(of sql: String) throws(ServerFault) -> StatementResult {
    var last: StatementResult?
    var fault: ServerFault?
    while true {
      try awaitResult()
      guard let next = PQgetResult(handle) else { break }
      let result = StatementResult(next)
      switch result.status {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = result
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        abandon()
        throw ServerFault(.statement, "COPY is not supported", sql: sql)
      default: fault = fault ?? result.fault(sql: sql)
      }
    }
    if let fault { throw fault }
    guard let last else { throw ServerFault.lost(sql: sql) }
    return last
  }

  /// Sends the output that libpq holds back, and reads until a result is complete. Cancels the statement at the
  /// deadline. Gives the connection up if the server does not react, or, without a deadline, if it is silent and shows
  /// no sign of life.
  func awaitResult() throws(ServerFault) {
    var end = deadline ?? .now + limits.silence
    var cancellation: Cancellation?
    while true {
      let unsent = PQflush(handle)
      // libpq closes the socket when the connection ends, and then reports the reason as a result.
      if (unsent == 0 && PQisBusy(handle) == 0) || PQsocket(handle) < 0 {
        if cancellation?.isDelivered(within: patience ?? limits.cancel) == false { abandon() }
        return
      }
      // Reading also while sending: the server might wait until its results are read.
      let isInTime = Self.awaitEvent(
        PQsocket(handle), unsent > 0 ? POLLIN | POLLOUT : POLLIN, until: end)
      if isInTime {
        if PQconsumeInput(handle) == 0 || unsent < 0 { return }
      } else if cancellation != nil {
        abandon()
        throw ServerFault(.unresponsive, "the server did not react to a cancelled statement")
      } else if deadline != nil {
        cancellation = Cancellation(of: handle)
        end = .now + (patience ?? limits.cancel)
      } else if isAlive {
        end = .now + limits.silence
      } else {
        abandon()
        throw ServerFault(.connectionLost, "PostgreSQL at \(host) no longer answers")
      }
    }
  }

  /// Whether the server's machine still accepts connections. A paused machine does not, although its kernel confirms
  /// all that it receives. Two attempts, because a bad network may lose one.
  private var isAlive: Bool {
    let limit = ("connect_timeout", "\(limits.signOfLife.wholeMilliseconds / 1_000)")
    let parameters = host.parameters(limits) + [limit]
    return (1...2).contains { _ in
      Self.withPointers(to: parameters) { PQpingParams($0, $1, 0) } != PQPING_NO_RESPONSE
    }
  }
}
