internal import Locking
internal import PostgreSQL

/// One transaction on PostgreSQL, see ``Connection``.
final class ServerSession {
  private let connection: ServerConnection
  private let identities: Identities
  /// Whether results are read in pieces, because they may be long.
  private let readsInPieces: Bool
  private(set) var lastInsertedRowID: Int64 = 0
  private(set) var changedRowCount = 0
  /// The statements of ``together(_:)`` that have not been sent; nil outside of it.
  private var gathered: [ServerConnection.Item]?

  /// The column of each table whose value PostgreSQL gives out itself, by the name of the table.
  typealias Identities = [Substring: String]

  /// The most keys or ranges of one statement.
  private static let maxKeys = 1_000

  init(_ connection: ServerConnection, identities: Identities, readsInPieces: Bool = false) {
    (self.connection, self.identities) = (connection, identities)
    self.readsInPieces = readsInPieces
  }

  func execute(_ sql: String, _ arguments: [SQLValue]) throws {
    let values = arguments.map(BoundValue.init)
    if gathered != nil { return gathered?.append((sql, values)) ?? () }
    try translatingFaults {
      guard let column = identity(inserted: sql) else {
        return changedRowCount = try connection.execute(sql, values)
      }
      let (changed, last) = try connection.executeReturning("\(sql) RETURNING \(column)", values)
      changedRowCount = changed
      if let last { lastInsertedRowID = last }
    }
  }

  /// Gathers the statements that `body` executes and sends them together, at its end or before a query.
  func together(_ body: () throws -> Void) throws {
    guard gathered == nil else { return try body() }
    gathered = []
    defer { gathered = nil }
    try body()
    try send()
  }

  /// Sends the gathered statements.
  private func send() throws {
    guard let items = gathered, !items.isEmpty else { return }
    gathered = []
    try translatingFaults { _ = try connection.batch(items) }
  }

  func readAhead(_ items: [Database.Item]) throws {
    try send()
    try translatingFaults {
      try connection.readAhead(items.map { ($0.sql, $0.arguments.map(BoundValue.init)) })
    }
  }

  /// The column to return from an `INSERT INTO table`. Nil for other statements, and if the statement returns columns
  /// itself.
  private func identity(inserted sql: String) -> String? {
    let words = sql.prefix(120).split(maxSplits: 3, whereSeparator: { $0.isWhitespace })
    guard words.count > 2, words[0] == "INSERT", words[1] == "INTO",
      let column = identities[words[2].prefix { $0 != "(" }]
    else { return nil }
    return sql.contains("RETURNING") ? nil : column
  }

  func forEach(
    _ sql: String, _ arguments: [SQLValue], isLast: Bool = false, _ body: (Row) throws -> Void
  ) throws {
    let values = arguments.map(BoundValue.init)
    try send()
    try translatingFaults {
      if readsInPieces, !connection.isAhead(sql, values),
        sql.prefix(40).drop(while: \.isWhitespace).hasPrefix("SELECT")
      {
        try connection.stream(sql, values) { try body(Row($0)) }
      } else {
        try connection.forEach(sql, values, isLast: isLast) { try body(Row($0)) }
      }
    }
  }

  func first<T>(
    _ sql: String, _ arguments: [SQLValue], isLast: Bool = false, _ decode: (Row) throws -> T
  ) throws -> T? {
    try send()
    return try translatingFaults {
      try connection.first(sql, arguments.map(BoundValue.init), isLast: isLast) {
        try decode(Row($0))
      }
    }
  }

  /// One statement for many ranges and keys, whose rows come in any order.
  func forEach(
    _ sql: String, ranges: [KeyRange], and other: String, keys: [Int64], isLast: Bool,
    _ body: (Row) throws -> Void
  ) throws {
    let statement = Self.rewritten("\(sql) \(other)", as: "ranges and keys") { _ in
      """
      SELECT found.*
      FROM unnest((\(Self.listOfKeys)), (\(Self.listOfKeys)), (\(Self.listOfKeys))) AS given (low, high, most)
      CROSS JOIN LATERAL (
        \(Self.replacing(sql, with: ["given.low", "given.high", "given.most"]))
      ) AS found
      UNION ALL
      \(Self.replacing(other, with: ["ANY(CAST((\(Self.listOfKeys)) AS BIGINT[]))"]))
      """
    }
    try send()
    let count = max(ranges.count, keys.count)
    for start in stride(from: 0, to: count, by: Self.maxKeys) {
      let part = ranges.dropFirst(start).prefix(Self.maxKeys)
      let values = [
        part.map(\.low), part.map(\.high), part.map { Int64($0.maximum) },
        Array(keys.dropFirst(start).prefix(Self.maxKeys)),
      ].map { BoundValue.integers($0) }
      try translatingFaults {
        try connection.forEach(statement, values, isLast: isLast && start + Self.maxKeys >= count) {
          try body(Row($0))
        }
      }
    }
  }

  /// One statement for many keys. The row number keeps the order of the rows of one key, and makes PostgreSQL run the
  /// statement once for each key.
  func forEach(
    _ sql: String, keys: [Int64], _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws {
    let statement = Self.rewritten(sql, as: "keys") { sql in
      """
      SELECT found.*, given.place
      FROM unnest((\(Self.listOfKeys))) WITH ORDINALITY AS given (key, place)
      CROSS JOIN LATERAL (
        SELECT each.*, row_number() OVER () AS number FROM (
          \(Self.replacing(sql, with: ["given.key"]))
        ) AS each) AS found
      ORDER BY given.place, found.number
      """
    }
    try send()
    for start in stride(from: 0, to: keys.count, by: Self.maxKeys) {
      let part = keys[start..<min(start + Self.maxKeys, keys.count)]
      try translatingFaults {
        try connection.forEach(statement, [Self.array(part)]) { row in
          try body(start + Int(row.int(row.columnCount - 1)) - 1, Row(row))
        }
      }
    }
  }

  /// A bound list of keys. As a subquery it hides its length from the planner, which would otherwise plan the statement
  /// again for each short list: longer than the statement runs.
  private static let listOfKeys = "SELECT CAST(? AS BIGINT[])"

  /// Statements for many keys, by the kind and the text that they come from. Building one takes as long as finding some
  /// rows.
  private static let statements = Locked<[String: [String: String]]>([:])
  /// The maximum number of them. Farol has fewer.
  private static let maxStatements = 200

  private static func rewritten(
    _ sql: String, as kind: String, _ rewrite: (String) -> String
  ) -> String {
    if let known = statements.withLock({ $0[kind]?[sql] }) { return known }
    let made = rewrite(sql)
    statements.withLock { statements in
      if statements[kind]?.count ?? 0 >= maxStatements { statements[kind] = nil }
      statements[kind, default: [:]][sql] = made
    }
    return made
  }

  /// The statement with names instead of its `?`, in order.
  private static func replacing(_ sql: String, with names: [String]) -> String {
    var rest = names[...]
    return sql.split(separator: "?", omittingEmptySubsequences: false).reduce(into: "") {
      all, part in
      if all.isEmpty { return all += part }
      // `?1` is the first one.
      let digits = part.prefix { $0.isNumber }
      let numbered = Int(digits).flatMap { names.indices.contains($0 - 1) ? names[$0 - 1] : nil }
      all += (numbered ?? rest.popFirst() ?? names.last ?? "NULL") + part.dropFirst(digits.count)
    }
  }

  private static func array(_ numbers: some Sequence<Int64>) -> BoundValue {
    .integers(Array(numbers))
  }

  func cursor(_ sql: String, _ values: [BoundValue]) throws -> ServerCursor {
    try send()
    return try translatingFaults { try ServerCursor(sql, values, on: connection) }
  }

  func savepoint<T>(_ body: () throws -> T) throws -> T {
    try send()
    return try translatingFaults {
      try connection.savepoint {
        defer { gathered = gathered.map { _ in [] } }
        let result = try body()
        try send()
        return result
      }
    }
  }

  var isTransactionOpen: Bool { connection.isInSoundTransaction }
}

extension BoundValue {
  init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .bytes(bytes)
      }
  }
}

extension SQLValue {
  init(_ value: BoundValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .boolean(let truth): .integer(truth ? 1 : 0)
      case .bytes(let bytes): .blob(bytes)
      // Lists are bound and not read.
      case .integers: .null
      }
  }
}

/// Runs `body` and throws PostgreSQL faults as ``DatabaseFault``.
func translatingFaults<T>(_ body: () throws -> T) throws -> T {
  do { return try body() } catch let fault as ServerFault { throw DatabaseFault(fault) }
}
