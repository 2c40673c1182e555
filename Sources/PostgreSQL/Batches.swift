internal import CPostgreSQL
internal import Glibc

// Several statements in one round trip (pipeline mode, §34.5 of PostgreSQL's documentation).
extension ServerConnection {
  /// A statement of a batch with its values.
  package typealias Item = (sql: String, values: [BoundValue])

  /// Runs statements one after the other without a wait in between. Inside a transaction the first failure ends it;
  /// outside, all of them form a transaction.
  ///
  /// - Parameters:
  ///   - items: the statements.
  ///   - limit: the longest time, for a batch outside of a transaction. Nil for that of the transaction.
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

  /// Runs queries in one round trip and keeps their results. A later query with the same text and values gets its result
  /// from here, once. ``execute(_:_:)``, batches and the end of a transaction discard the results that are left; a changing
  /// statement with `RETURNING` that runs as a query does not, so none may run before they are used.
  ///
  /// - Throws: ``ServerFault`` of the first query that fails.
  package func readAhead(_ items: [Item]) throws {
    let results = try results(of: items)
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

  private func results(of items: [Item]) throws(ServerFault) -> [StatementResult] {
    guard let first = items.first else { return [] }
    try confirmUse(first.sql)
    // Before the pipeline, because the types of parameters must be known.
    let statements = try items.map { item throws(ServerFault) in try prepared(item.sql) }
    // A value that cannot be bound is found before anything is sent.
    let buffers = try zip(items, statements).map { pair throws(ServerFault) in
      try pair.1.encode(pair.0.values)
    }
    let results = try pipeline { () throws(ServerFault) in
      for (statement, buffer) in zip(statements, buffers) {
        try send(statement, buffer)
        try keepSending()
      }
    }
    if let failed = results.firstIndex(where: { !$0.isSuccess }), items.indices.contains(failed) {
      let fault = results[failed].fault(sql: items[failed].sql)
      forget(statements[failed], after: fault)
      throw fault
    }
    guard results.count == items.count else { throw ServerFault.lost(sql: first.sql) }
    return results
  }

  /// Sends the statements that `body` queues, and collects the results in order. A failed statement is one of the results.
  func pipeline(
    _ body: () throws(ServerFault) -> Void
  ) throws(ServerFault) -> [StatementResult] {
    guard PQenterPipelineMode(handle) == 1 else { throw refusedToSend(nil) }
    return try interruptible { () throws(ServerFault) -> [StatementResult] in
      try body()
      guard PQpipelineSync(handle) == 1 else { throw refusedToSend(nil) }
      return try pipelineResults()
    }
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
