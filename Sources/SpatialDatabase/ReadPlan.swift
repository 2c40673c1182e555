/// The caller's knowledge about the queries of a read, independent of the engine. SQLite saves statements with it,
/// PostgreSQL round trips. The results are the same without it.
package struct ReadPlan: Sendable {
  /// Whether each query finds its rows by a key or an index.
  var isQuick = false
  /// Whether the read usually makes one query.
  var isOneQuery = false
  /// Whether the read usually ends with the next query. A further query sees a later snapshot.
  package var isLast = false
  /// Whether the requested rows of a ``ClusteredTable`` are most of the rows between them.
  package var isDense = false

  package init() {}

  /// The plan of a quick read.
  init(isOneQuery: Bool) {
    isQuick = true
    self.isOneQuery = isOneQuery
  }
}

extension Connection {
  /// The same connection, for queries with another plan.
  package func with(_ plan: ReadPlan) -> Connection {
    var connection = self
    connection.plan = plan
    connection.plan.isQuick = self.plan.isQuick
    connection.plan.isOneQuery = self.plan.isOneQuery
    return connection
  }

  /// Announces queries that the caller is about to make with the same text and arguments: PostgreSQL runs them in one
  /// round trip.
  ///
  /// - Parameter queries: each result is returned once. The next change discards the results that are left.
  /// - Throws: ``DatabaseFault``.
  package func expect(_ queries: [Database.Item]) throws {
    if case .postgresql(let session) = engine { try session.readAhead(queries) }
  }
}

/// A table whose rows with neighbouring keys are often read together, and the rows of another table that belong to
/// them.
package struct ClusteredTable: Sendable {
  /// Keys with the same upper half are neighbours.
  private static let half: Int64 = 32
  /// The minimum number of neighbours for a scan.
  private static let run = 4
  /// Rows skipped per requested row before a scan gives up and the rest is read by key: a step costs about a fifth of a
  /// lookup.
  private static let skipped = 4

  fileprivate let rows, firstRows, others: String

  /// - Parameters:
  ///   - rows: `SELECT key, … FROM … WHERE key BETWEEN ? AND ?`.
  ///   - firstRows: the same with further columns, NULL, and `ORDER BY key LIMIT ?`.
  ///   - others: `SELECT NULL, … WHERE … = ?` with the columns of `firstRows`, of the other table.
  package init(rows: String, firstRows: String, others: String) {
    (self.rows, self.firstRows, self.others) = (rows, firstRows, others)
  }

  /// Ranges of `keys` that are read with one scan.
  fileprivate static func spans(of keys: [Int64]) -> [ClosedRange<Int>] {
    var spans: [ClosedRange<Int>] = []
    var first = 0
    while first < keys.count {
      let cell = keys[first] >> half
      var end = first + 1
      while end < keys.count, keys[end] >> half == cell { end += 1 }
      if end - first >= run {
        spans.append(first...end - 1)
      } else {
        spans += (first..<end).map { $0...$0 }
      }
      first = end
    }
    return spans
  }

  fileprivate static func range(_ span: ClosedRange<Int>, of keys: [Int64]) -> KeyRange {
    KeyRange(
      keys[span.lowerBound]...keys[span.upperBound],
      maximum: span.count == 1 ? 1 : skipped * (span.count + 1))
  }

  fileprivate static func isTooFar(_ steps: Int, found: Int) -> Bool {
    steps > skipped * (found + 2)
  }
}

extension Connection {
  /// Passes the rows of a table with these keys to `body`, and rows of the other table that the engine could find at
  /// the same time to `other`. The caller reads the others of these afterwards.
  ///
  /// SQLite scans neighbours: rows of a city are adjacent. A PostgreSQL scan cannot be ended before all its rows are
  /// sent. So PostgreSQL scans only dense rows, and finds all with one statement, in one round trip with the others: a
  /// further round trip takes longer than this saves, and a join would send the same other row for many rows.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - keys: in ascending order.
  ///   - others: the keys in the other table that are known, all different.
  ///   - body: receives the position of a key and its row, with the columns of `rows`.
  ///   - other: receives a row of the other table, with the columns of `firstRows`.
  /// - Throws: ``DatabaseFault``.
  package func forEach(
    of table: ClusteredTable, keys: [Int64], others: [Int64],
    _ body: (_ place: Int, _ row: Row) throws -> Void, other: (_ row: Row) throws -> Void
  ) throws {
    switch engine {
    case .sqlite(let session):
      let left = try scan(table, keys, ClusteredTable.spans(of: keys), session, body)
      if !left.isEmpty { _ = try scan(table, keys, left.map { $0...$0 }, session, body) }
    case .postgresql(let session):
      let each = keys.indices.map { $0...$0 }
      let spans = plan.isDense ? ClusteredTable.spans(of: keys) : each
      var isFound = Array(repeating: false, count: spans.count == each.count ? 0 : keys.count)
      try lookUp(table, keys, spans, others, session) { place, row in
        if isFound.indices.contains(place) { isFound[place] = true }
        try body(place, row)
      } other: {
        try other($0)
      }
      let left = isFound.indices.filter { !isFound[$0] }
      guard !left.isEmpty else { return }
      let some = left.map { keys[$0] }
      try lookUp(
        table, some, some.indices.map { $0...$0 }, [], session, { try body(left[$0], $1) },
        other: other)
    }
  }

  private func lookUp(
    _ table: ClusteredTable, _ keys: [Int64], _ spans: [ClosedRange<Int>], _ others: [Int64],
    _ session: ServerSession, _ body: (_ place: Int, _ row: Row) throws -> Void,
    other: (_ row: Row) throws -> Void
  ) throws {
    var next = 0
    try session.forEach(
      table.firstRows, ranges: spans.map { ClusteredTable.range($0, of: keys) },
      and: table.others, keys: others, isLast: plan.isLast
    ) { row in
      guard let key = row.optionalInt(0) else { return try other(row) }
      // The rows usually come in the order of the ranges.
      if next > 0, keys[next - 1] >= key { next = 0 }
      while next < keys.count, keys[next] < key { next += 1 }
      if next < keys.count, keys[next] == key { try body(next, row) }
    }
  }

  /// Scans ranges of `keys` and returns the positions of the rows that were too far apart.
  private func scan(
    _ table: ClusteredTable, _ keys: [Int64], _ spans: [ClosedRange<Int>], _ session: Session,
    _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws -> [Int] {
    var left: [Int] = []
    var place = 0
    var next = 0
    var steps = 0
    try session.forEach(
      table.rows, ranges: spans.map { keys[$0.lowerBound]...keys[$0.upperBound] }
    ) { span, row in
      let last = spans[span].upperBound
      if span != place || steps == 0 {
        (place, next, steps) = (span, spans[span].lowerBound, 0)
      }
      steps += 1
      let key = row.int(0)
      while next <= last, keys[next] < key { next += 1 }
      guard next <= last else { return false }
      if keys[next] == key {
        try body(next, row)
        next += 1
      }
      if next <= last, ClusteredTable.isTooFar(steps, found: next - spans[span].lowerBound) {
        left += next...last
        return false
      }
      return next <= last
    }
    return left
  }
}
