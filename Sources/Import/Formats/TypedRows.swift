/// Rows of typed values in the form in which `farol-formats` takes them, in a growing buffer.
///
/// A row is its position, then the value of each column (Sources/C/ParquetFiles/include/parquet_files.h). The program
/// runs on the same machine, so numbers have the byte order of the processor.
package struct TypedRows: ~Copyable {
  /// The type of the values of a column.
  package enum Kind: String, Sendable {
    case text, integer, number, flag
    /// RFC 3339 in UTC.
    case time
    /// ISO 8601.
    case day
  }

  // Manually allocated memory, as in `CSVText`: fifty values for each of a million rows.
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  /// Bytes written since the last ``removeAll()``.
  package private(set) var count = 0

  /// - Parameter capacity: the initial capacity in bytes; the buffer grows when needed.
  package init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  /// Passes the written bytes on without a copy. They are valid only during the call.
  package func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  package mutating func removeAll() { count = 0 }

  /// Begins a row.
  package mutating func append(longitude: Double, latitude: Double) {
    put(longitude)
    put(latitude)
  }

  /// Appends an unknown value of a column of this kind.
  package mutating func appendNull(_ kind: Kind) {
    switch kind {
    case .text, .time, .day: put(UInt32.max)
    case .flag: put(UInt8(2))
    case .integer, .number:
      put(UInt8(0))
      put(UInt64(0))
    }
  }

  package mutating func append(_ integer: Int64) {
    put(UInt8(1))
    put(integer)
  }

  package mutating func append(_ number: Double) {
    put(UInt8(1))
    put(number)
  }

  package mutating func append(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

  /// Appends a text, a time or a day.
  package mutating func append(utf8 text: UnsafeBufferPointer<UInt8>) {
    put(UInt32(clamping: text.count))
    guard let first = text.baseAddress else { return }
    reserve(text.count)
    (start + count).copyMemory(from: first, byteCount: text.count)
    count += text.count
  }

  private mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    reserve(MemoryLayout<Value>.size)
    (start + count).storeBytes(of: value, as: Value.self)
    count += MemoryLayout<Value>.size
  }

  /// Reserves space for `more` bytes.
  private mutating func reserve(_ more: Int) {
    guard capacity - count < more else { return }
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    moved.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }
}
