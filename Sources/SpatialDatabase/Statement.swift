internal import CSpatiaLite

/// A prepared statement of one connection. The code that prepares it must finalise it.
final class Statement {
  let handle: OpaquePointer
  let sql: String
  /// In use: the same SQL inside a loop over its rows needs a second statement.
  var isInUse = false
  /// The use counter of the cache at the last use.
  var lastUse: UInt64 = 0

  private init(handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
  }

  /// Prepares exactly one statement. `isKept` is a hint to SQLite that it will be reused.
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

  /// Binds the values of a statement without bound values.
  func bind(_ arguments: [SQLValue], on connection: OpaquePointer) throws(DatabaseFault) {
    try checkCount(arguments.count)
    var index: Int32 = 0
    try bind(arguments, after: &index, on: connection)
  }

  /// Binds the values of several lists, one list after the other.
  func bind(joining parts: [[SQLValue]], on connection: OpaquePointer) throws(DatabaseFault) {
    var count = 0
    for part in parts { count += part.count }
    try checkCount(count)
    var index: Int32 = 0
    for part in parts { try bind(part, after: &index, on: connection) }
  }

  private func checkCount(_ count: Int) throws(DatabaseFault) {
    let wanted = Int(sqlite3_bind_parameter_count(handle))
    guard count == wanted else {
      throw DatabaseFault(.statement, "\(wanted) values wanted, \(count) given", sql: sql)
    }
  }

  private func bind(
    _ arguments: [SQLValue], after index: inout Int32, on connection: OpaquePointer
  ) throws(DatabaseFault) {
    for argument in arguments {
      index += 1
      guard bind(argument, at: index) == SQLITE_OK else {
        throw DatabaseFault(connection: connection, sql: sql)
      }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    // A new statement and one after ``reset()`` have no values, and most columns of a device are NULL.
    case .null: return SQLITE_OK
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

  /// Resets the statement for another run with `key` as its first value.
  func restart(with key: Int64, on connection: OpaquePointer) throws(DatabaseFault) {
    sqlite3_reset(handle)
    guard sqlite3_bind_int64(handle, 1, key) == SQLITE_OK else {
      throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Resets the statement for another run with two keys as its first values.
  func restart(
    with first: Int64, _ second: Int64, on connection: OpaquePointer
  ) throws(DatabaseFault) {
    try restart(with: first, on: connection)
    guard sqlite3_bind_int64(handle, 2, second) == SQLITE_OK else {
      throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Moves to the next row. Returns false when there is no further row.
  func step(on connection: OpaquePointer) throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw DatabaseFault(connection: connection, sql: sql)
    }
  }

  /// Resets the statement for the next run and releases its bound values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// A cache of statements by their SQL. Evicts the least recently used first.
struct StatementCache {
  /// More than the number of SQL texts in Farol. Only filters with a varying number of `?` could
  /// exceed it.
  private static let capacity = 160

  private var statements: [Key: Statement] = [:]
  /// The number of statements that were lent.
  private(set) var uses: UInt64 = 0
  /// Nil outside tests.
  private let recorder: StatementRecorder?

  init(recorder: StatementRecorder?) { self.recorder = recorder }

  /// An SQL text, hashed by its length and its ends: hashing a page of SQL would cost as much as
  /// the lookup. Equality still compares the whole text.
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

  /// Returns the statement for a text and prepares it if necessary. The caller must return it with
  /// ``giveBack(_:)``.
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
    recorder?.record(sql)
    if statements.count >= Self.capacity { dropOldest() }
    statement.isInUse = true
    statement.lastUse = uses
    statements[Key(sql: sql)] = statement
    return statement
  }

  /// Takes a statement back. An additional statement with the same text is finalised.
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

  /// Finalises all statements, which is required before the connection can close.
  mutating func removeAll() {
    for statement in statements.values { sqlite3_finalize(statement.handle) }
    statements.removeAll()
  }
}
