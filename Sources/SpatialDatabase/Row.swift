internal import CSpatiaLite

/// The current row of a statement, read directly from SQLite.
///
/// Valid only inside the closure that receives it. Columns count from 0. If a column has another
/// type than requested, SQLite converts the value as `CAST` does. A column that is NULL or does not
/// exist is read as 0 or empty. Use ``isNull(_:)`` or an `optional…` method for columns that can be
/// NULL.
package struct Row {
  let statement: OpaquePointer

  /// Whether a column is NULL.
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, Int32(clamping: column)) == SQLITE_NULL
  }

  /// An integer.
  package func int(_ column: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(clamping: column))
  }

  /// The lower 32 bits of an integer.
  package func int32(_ column: Int) -> Int32 {
    sqlite3_column_int(statement, Int32(clamping: column))
  }

  /// Whether an integer is not 0.
  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  /// A number.
  package func double(_ column: Int) -> Double {
    sqlite3_column_double(statement, Int32(clamping: column))
  }

  /// A text. Invalid UTF-8 bytes are replaced.
  package func text(_ column: Int) -> String {
    withUTF8(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A copy of the bytes.
  package func blob(_ column: Int) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// An integer, or nil for NULL.
  package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

  /// A number, or nil for NULL.
  package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

  /// A text, or nil for NULL.
  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes, or nil for NULL.
  package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  /// Passes the bytes of a text without a copy. They are valid only inside `body`.
  ///
  /// Inlinable, because a start reads some ten texts per device.
  @inlinable
  package func withUTF8<R>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
  ) rethrows -> R {
    try body(utf8(column))
  }

  /// The bytes of a text in SQLite's memory, valid until the next row or another access to the
  /// column.
  @usableFromInline
  func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let index = Int32(clamping: column)
    // SQLite's documentation recommends this order: the text first, because reading it may convert
    // the value, then its length.
    guard let start = sqlite3_column_text(statement, index) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }

  /// Passes the bytes of a blob without a copy. They are valid only inside `body`.
  package func withBytes<R>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let index = Int32(clamping: column)
    let start = sqlite3_column_blob(statement, index)
    let count = Int(sqlite3_column_bytes(statement, index))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The value in its stored type.
  package func value(_ column: Int) -> SQLValue {
    switch sqlite3_column_type(statement, Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  /// The number of columns.
  package var columnCount: Int { Int(sqlite3_column_count(statement)) }
}
