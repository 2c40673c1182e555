internal import CSpatiaLite
internal import PostgreSQL

/// The current row of a statement, read directly from SQLite's or libpq's memory.
///
/// Valid only inside the closure that receives it. Columns count from 0. If a column has another
/// type than requested, its value is converted as `CAST` does in SQLite. A column that is NULL or does not
/// exist is read as 0 or empty. Use ``isNull(_:)`` or an `optional…` method for columns that can be
/// NULL.
package struct Row {
  private enum Source {
    case sqlite(OpaquePointer)
    case postgresql(ResultRow)
  }

  private let source: Source

  init(statement: OpaquePointer) { source = .sqlite(statement) }

  init(_ row: ResultRow) { source = .postgresql(row) }

  /// Whether a column is NULL.
  package func isNull(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let statement):
      sqlite3_column_type(statement, Int32(clamping: column)) == SQLITE_NULL
    case .postgresql(let row): row.isNull(column)
    }
  }

  /// An integer.
  package func int(_ column: Int) -> Int64 {
    switch source {
    case .sqlite(let statement): sqlite3_column_int64(statement, Int32(clamping: column))
    case .postgresql(let row): row.int(column)
    }
  }

  /// Whether an integer is not 0, or a truth value is true.
  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  /// A number.
  package func double(_ column: Int) -> Double {
    switch source {
    case .sqlite(let statement): sqlite3_column_double(statement, Int32(clamping: column))
    case .postgresql(let row): row.double(column)
    }
  }

  /// A text. Invalid UTF-8 bytes are replaced.
  package func text(_ column: Int) -> String {
    utf8(column).map { String(decoding: $0, as: UTF8.self) } ?? convertedText(column)
  }

  /// A copy of the bytes.
  package func blob(_ column: Int) -> [UInt8] {
    switch source {
    case .sqlite: withBytes(column) { Array($0) }
    case .postgresql(let row): row.blob(column)
    }
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
    if let bytes = utf8(column) { return try body(bytes) }
    var text = convertedText(column)
    return try text.withUTF8(body)
  }

  /// The bytes of a text in the memory of the engine, valid until the next row or another access to the column. Nil for
  /// a PostgreSQL value that is not a text.
  @usableFromInline
  func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
    switch source {
    case .sqlite(let statement):
      let index = Int32(clamping: column)
      // SQLite's documentation recommends this order: the text first, because reading it may convert
      // the value, then its length.
      guard let start = sqlite3_column_text(statement, index) else {
        return UnsafeBufferPointer(start: nil, count: 0)
      }
      return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    case .postgresql(let row): return row.utf8(column)
    }
  }

  /// A PostgreSQL value that is not a text, as text.
  @usableFromInline
  func convertedText(_ column: Int) -> String {
    guard case .postgresql(let row) = source else { return "" }
    return row.text(column)
  }

  /// Passes the bytes of a blob without a copy. They are valid only inside `body`.
  package func withBytes<R>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    switch source {
    case .sqlite(let statement):
      let index = Int32(clamping: column)
      let start = sqlite3_column_blob(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    case .postgresql(let row):
      return try row.blob(column).withUnsafeBytes(body)
    }
  }

  /// The value in its stored type. PostgreSQL's truth values are 1 and 0.
  package func value(_ column: Int) -> SQLValue {
    switch source {
    case .sqlite(let statement):
      switch sqlite3_column_type(statement, Int32(clamping: column)) {
      case SQLITE_INTEGER: .integer(int(column))
      case SQLITE_FLOAT: .real(double(column))
      case SQLITE_TEXT: .text(text(column))
      case SQLITE_BLOB: .blob(blob(column))
      default: .null
      }
    case .postgresql(let row): SQLValue(row.value(column))
    }
  }

  /// The number of columns.
  package var columnCount: Int {
    switch source {
    case .sqlite(let statement): Int(sqlite3_column_count(statement))
    case .postgresql(let row): row.columnCount
    }
  }
}
