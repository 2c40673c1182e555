internal import CSpatiaLite

/// A prepared statement of one connection. Whoever prepares it finalises it.
final class Statement {
  let handle: OpaquePointer
  let sql: String
  /// Lent out: the same SQL run inside its own rows needs another one.
  var isInUse = false
  /// The cache's count of uses when it was last lent.
  var lastUse: UInt64 = 0

  private init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
  }

  /// Prepares exactly one statement; `isKept` tells SQLite that it will live long.
  static func prepare(
    _ sql: String, on connection: OpaquePointer, isKept: Bool
  ) throws(DatabaseFault) -> Statement {
    var text = sql
    var handle: OpaquePointer?
    var rest = 0
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let count = Int32(clamping: characters.count)
        let code = sqlite3_prepare_v3(
          connection, characters.baseAddress, count, flags, &handle, &tail)
        if let tail, let start = characters.baseAddress { rest = characters.count - (tail - start) }
        return code
      }
    }
    guard code == SQLITE_OK else { throw DatabaseFault(connection: connection, sql: sql) }
    guard let handle else { throw DatabaseFault(.statement, "no statement to run", sql: sql) }
    guard sql.utf8.suffix(rest).allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ";") }) else {
      sqlite3_finalize(handle)
      throw DatabaseFault(.statement, "more than one statement", sql: sql)
    }
    return Statement(handle: handle, sql: sql)
  }

  func bind(_ arguments: [SQLValue], on connection: OpaquePointer) throws(DatabaseFault) {
    guard arguments.count == Int(sqlite3_bind_parameter_count(handle)) else {
      let wanted = sqlite3_bind_parameter_count(handle)
      throw DatabaseFault(
        .statement, "\(wanted) values wanted, \(arguments.count) given", sql: sql)
    }
    var index: Int32 = 0
    for argument in arguments {
      index += 1
      guard bind(argument, at: index) == SQLITE_OK else {
        throw DatabaseFault(connection: connection, sql: sql)
      }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let value): return sqlite3_bind_int64(handle, index, value)
    case .real(let value): return sqlite3_bind_double(handle, index, value)
    case .text(var value):
      return value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // An empty string may have no address, and a null pointer would bind NULL.
          guard let start = characters.baseAddress else {
            return sqlite_bind_text(handle, index, "", 0)
          }
          return sqlite_bind_text(handle, index, start, Int32(clamping: characters.count))
        }
      }
    case .blob(let value):
      return value.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_zeroblob(handle, index, 0)
        }
        return sqlite_bind_blob(handle, index, start, Int32(clamping: bytes.count))
      }
    }
  }

  /// Makes it ready for another run with `key` as its first value.
  func restart(with key: Int64, on connection: OpaquePointer) throws(DatabaseFault) {
    sqlite3_reset(handle)
    guard sqlite3_bind_int64(handle, 1, key) == SQLITE_OK else {
      throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Makes it ready for another run with two keys as its first values.
  func restart(
    with first: Int64, _ second: Int64, on connection: OpaquePointer
  ) throws(DatabaseFault) {
    try restart(with: first, on: connection)
    guard sqlite3_bind_int64(handle, 2, second) == SQLITE_OK else {
      throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Moves to the next row; false when there is none.
  func step(on connection: OpaquePointer) throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Makes it ready for the next run and lets go of what was bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// Statements kept by their text, the least recently used dropped first.
struct StatementCache {
  /// More texts than Farol has; a filter with a varying number of `?` is what could exceed it.
  private static let capacity = 160

  private var statements: [Key: Statement] = [:]
  private var uses: UInt64 = 0

  /// A text, hashed by its length and its ends: hashing a page of SQL would cost as much as the
  /// lookup it precedes. Equality still compares the whole text.
  private struct Key: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
      var sql = self.sql
      sql.withUTF8 { bytes in
        hasher.combine(bytes.count)
        hasher.combine(
          bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).suffix(32)))
      }
    }
  }

  /// Lends the statement for a text, prepared now if need be; ``giveBack(_:)`` must follow.
  mutating func lend(
    _ sql: String, on connection: OpaquePointer
  ) throws(DatabaseFault) -> Statement {
    uses &+= 1
    if let statement = statements[Key(sql: sql)] {
      if statement.isInUse {
        return try Statement.prepare(sql, on: connection, isKept: false)
      }
      statement.isInUse = true
      statement.lastUse = uses
      return statement
    }
    let statement = try Statement.prepare(sql, on: connection, isKept: true)
    if statements.count >= Self.capacity { dropOldest() }
    statement.isInUse = true
    statement.lastUse = uses
    statements[Key(sql: sql)] = statement
    return statement
  }

  /// Takes a statement back; one that was made beside the kept one is finalised.
  func giveBack(_ statement: Statement) {
    if statement.isInUse {
      statement.reset()
      statement.isInUse = false
    } else {
      sqlite3_finalize(statement.handle)
    }
  }

  private mutating func dropOldest() {
    let idle = statements.lazy.filter { !$0.value.isInUse }
    guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    sqlite3_finalize(oldest.value.handle)
    statements[oldest.key] = nil
  }

  /// Finalises all; the connection cannot close before.
  mutating func removeAll() {
    for statement in statements.values { sqlite3_finalize(statement.handle) }
    statements.removeAll()
  }
}
