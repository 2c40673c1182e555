internal import CSpatiaLite

/// The row a statement stands on, read straight from SQLite.
///
/// Valid only inside the closure it was lent to. Columns count from 0. SQLite converts where a
/// column holds another type than the one asked for, as its `CAST` does; a column that is NULL or
/// does not exist reads as 0 or as empty: ask ``isNull(_:)`` or an `optional…` where it may be.
package struct Row {
  let statement: OpaquePointer

  /// Whether a column is NULL.
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, Int32(clamping: column)) == SQLITE_NULL
  }

  /// A whole number.
  package func int(_ column: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(clamping: column))
  }

  /// The lower 32 bits of a whole number.
  package func int32(_ column: Int) -> Int32 {
    sqlite3_column_int(statement, Int32(clamping: column))
  }

  /// Whether a whole number is other than 0.
  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  /// A number.
  package func double(_ column: Int) -> Double {
    sqlite3_column_double(statement, Int32(clamping: column))
  }

  /// A text; bytes that are not UTF-8 are replaced.
  package func text(_ column: Int) -> String {
    withUTF8(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A copy of the bytes.
  package func blob(_ column: Int) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// A whole number, or nil for NULL.
  package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

  /// A number, or nil for NULL.
  package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

  /// A text, or nil for NULL.
  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes, or nil for NULL.
  package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  /// Lends a text's bytes without copying them; they are gone when `body` returns.
  ///
  /// Put into the code that calls it, as a start reads some ten of them a device.
  @inlinable
  package func withUTF8<R>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
  ) rethrows -> R {
    try body(utf8(column))
  }

  /// A text's bytes where SQLite has them, until the row is left or the column asked for otherwise.
  @usableFromInline
  func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let index = Int32(clamping: column)
    // The order is SQLite's advice: the text first, as asking for it may convert, then its length.
    guard let start = sqlite3_column_text(statement, index) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }

  /// Lends a blob's bytes without copying them; they are gone when `body` returns.
  package func withBytes<R>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let index = Int32(clamping: column)
    let start = sqlite3_column_blob(statement, index)
    let count = Int(sqlite3_column_bytes(statement, index))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The value in the type it is stored in.
  package func value(_ column: Int) -> SQLValue {
    switch sqlite3_column_type(statement, Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  /// How many columns the row has.
  package var columnCount: Int { Int(sqlite3_column_count(statement)) }
}
