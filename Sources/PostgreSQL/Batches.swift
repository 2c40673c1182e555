internal import CPostgreSQL
internal import Glibc

// Several statements in one round trip (pipeline mode, PostgreSQL documentation §34.5).
extension ServerConnection {
  /// A statement of a batch with its values.
  package typealias Item = (sql: String, values: [BoundValue])

  /// Runs statements one after the other without a wait in between. Inside a transaction the first failure ends it;
  /// outside, all of them form a transaction.
  ///
  /// - Parameters:
  ///   - items: the statements.
  ///   - limit: the longest time, for a batch outside of a transaction. Nil for the transaction's limit.
  ///   - body: receives each row with the position of its statement, after all statements have run.
  /// - Returns: the number of rows that each statement changed.
  /// - Throws: ``ServerFault`` of the first statement that fails, and errors from `body`.
  @discardableResult
  package func batch(
    _ items: [Item], limit: Duration? = nil,
    _ body: (_ place: Int, _ row: ResultRow) throws -> Void = { _, _ in }
  ) throws -> [Int] {
    ahead.removeAll()
    if let limit { deadline = .now + limit }
    defer { if limit != nil { deadline = nil } }
    let results = try results(of: items)
    for (place, result) in results.enumerated() { try result.forEach { try body(place, $0) } }
    return results.map(\.changedRowCount)
  }

  /// Runs queries in one round trip and keeps their results. A later query with the same text and values gets its
  /// result from here, once. ``execute(_:_:)``, batches and the end of a transaction discard the results that are left;
  /// a changing statement with `RETURNING` that runs as a query does not, so none may run before they are used.
  ///
  /// - Parameters:
  ///   - items: the queries.
  ///   - isLast: whether the read ends with them, see ``forEach(_:_:isLast:_:)``.
  /// - Throws: ``ServerFault`` of the first query that fails.
  package func readAhead(_ items: [Item], isLast: Bool = false) throws {
    let results = try results(of: items, isLast: isLast && isReading)
    ahead = zip(items, results).map { (item: $0, result: $1) }
  }

  /// Whether a result was read ahead.
  package func isAhead(_ sql: String, _ values: [BoundValue]) -> Bool {
    ahead.contains { $0.item.sql == sql && $0.item.values == values }
  }

  /// A result that was read ahead.
  func takeAhead(_ sql: String, _ values: [BoundValue]) -> StatementResult? {
    guard let place = ahead.firstIndex(where: { $0.item.sql == sql && $0.item.values == values })
    else { return nil }
    return ahead.remove(at: place).result
  }

  /// The size of the messages of a statement without its values, about.
  private static let messageSize = 64
  /// The bytes that are worth a packet of their own, before the last statement is queued.
  private static let packet = 16_384

  /// Runs statements in one round trip, after the statements that begin the read. If the server has ended the
  /// connection before, the read begins on a new one.
  ///
  /// - Parameters:
  ///   - wanted: the requested statements.
  ///   - isKept: whether the prepared statements stay for the next use.
  ///   - isLast: whether the read ends with them.
  /// - Returns: the results of `wanted`.
  /// - Throws: ``ServerFault`` of the first one that fails.
  func results(
    of wanted: [Item], isKept: Bool = true, isLast: Bool = false
  ) throws(ServerFault) -> [StatementResult] {
    guard !opening.isEmpty else { return try tryOnce(wanted, isKept: isKept, isLast: isLast) }
    do throws(ServerFault) {
      return try tryOnce(wanted, isKept: isKept, isLast: isLast)
    } catch {
      guard error.kind == .connectionLost else { throw error }
      try replace()
      opening = beginning
      return try tryOnce(wanted, isKept: isKept, isLast: isLast)
    }
  }

  private func tryOnce(
    _ wanted: [Item], isKept: Bool, isLast: Bool
  ) throws(ServerFault) -> [StatementResult] {
    guard let first = wanted.first ?? opening.first else { return [] }
    try confirmUse(first.sql)
    // A single statement is its own transaction, which reads one snapshot, too.
    let isAlone = isLast && wanted.count == 1 && opening.count == 1 && limits.read != nil
    let before = isAlone ? [] : opening
    let items = before + wanted + (isLast && !isAlone ? [Self.commit] : [])
    // Before the pipeline, because the types of parameters must be known.
    let statements = try items.enumerated().map { place, item throws(ServerFault) in
      let isWanted = before.count..<before.count + wanted.count ~= place
      return try prepared(item.sql, isKept: isKept || !isWanted)
    }
    // A value that cannot be bound is found before anything is sent.
    let buffers = try zip(items, statements).map { pair throws(ServerFault) in
      try pair.1.encode(pair.0.values)
    }
    opening = []
    let results = try pipeline { () throws(ServerFault) in
      var queued = 0
      for (statement, buffer) in zip(statements, buffers) {
        try send(statement, buffer)
        queued += Self.messageSize + buffer.byteCount
        if queued > Self.packet {
          try keepSending()
          queued = 0
        }
      }
    }
    if let failed = results.firstIndex(where: { !$0.isSuccess }), items.indices.contains(failed) {
      let fault = results[failed].fault(sql: items[failed].sql)
      forget(statements[failed], after: fault)
      throw fault
    }
    guard results.count == items.count else { throw ServerFault.lost(sql: first.sql) }
    if isLast { opening = beginning }
    return Array(results[before.count..<before.count + wanted.count])
  }

  /// Sends the statements that `body` queues, and collects the results in order. A failed statement is one of the
  /// results.
  func pipeline(
    _ body: () throws(ServerFault) -> Void
  ) throws(ServerFault) -> [StatementResult] {
    guard PQenterPipelineMode(handle) == 1 else { throw refusedToSend(nil) }
    try body()
    guard PQpipelineSync(handle) == 1 else { throw refusedToSend(nil) }
    return try pipelineResults()
  }

  private func pipelineResults() throws(ServerFault) -> [StatementResult] {
    var results: [StatementResult] = []
    while true {
      try awaitResult()
      guard let next = PQgetResult(handle) else {
        // Nil separates the results of two statements.
        if isBroken { throw ServerFault.lost() }
        continue
      }
      let result = StatementResult(next)
      if result.status == PGRES_PIPELINE_SYNC { break }
      if isBroken { throw result.fault(sql: nil) }
      results.append(result)
    }
    guard PQexitPipelineMode(handle) == 1 else { throw refusedToSend(nil) }
    return results
  }

  /// Sends queued statements while there are many, and reads results meanwhile: otherwise the buffers of both sides
  /// could fill up, and each would wait for the other.
  private func keepSending() throws(ServerFault) {
    while PQflush(handle) > 0 {
      guard Self.awaitEvent(PQsocket(handle), POLLIN | POLLOUT, until: deadline) else {
        abandon()
        throw ServerFault(.interrupted, "the transaction exceeded its time limit")
      }
      guard PQconsumeInput(handle) == 1 else { return }
    }
  }
}
