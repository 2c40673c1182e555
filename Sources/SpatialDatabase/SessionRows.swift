internal import CSpatiaLite

// The rows of statements, see ``Connection``.
extension Session {
  func forEach(_ sql: String, _ arguments: [SQLValue], _ body: (Row) throws -> Void) throws {
    try withStatement(sql, arguments) { statement in
      while try statement.step(on: handle) { try body(Row(statement: statement.handle)) }
    }
  }

  func forEach(
    _ sql: String, keys: [Int64], _ body: (_ place: Int, _ row: Row) throws -> Void
  ) throws {
    try withStatement(sql, [.null]) { statement in
      for (place, key) in keys.enumerated() {
        try statement.restart(with: key, on: handle)
        while try statement.step(on: handle) {
          try body(place, Row(statement: statement.handle))
        }
      }
    }
  }

  func forEach(
    _ sql: String, ranges: [ClosedRange<Int64>],
    _ body: (_ place: Int, _ row: Row) throws -> Bool
  ) throws {
    try withStatement(sql, [.null, .null]) { statement in
      for (place, range) in ranges.enumerated() {
        try statement.restart(with: range.lowerBound, range.upperBound, on: handle)
        while try statement.step(on: handle) {
          guard try body(place, Row(statement: statement.handle)) else { break }
        }
      }
    }
  }

  func first<T>(
    _ sql: String, _ arguments: [SQLValue], _ decode: (Row) throws -> T
  ) throws -> T? {
    try withStatement(sql, arguments) { statement in
      guard try statement.step(on: handle) else { return nil }
      return try decode(Row(statement: statement.handle))
    }
  }

  var isTransactionOpen: Bool { sqlite3_get_autocommit(handle) == 0 }

  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  var changedRowCount: Int { Int(sqlite3_changes64(handle)) }
}
