internal import CPostgreSQL

/// One row of a result, read from libpq's memory without a copy.
///
/// Valid only inside the closure that receives it. Columns count from 0. If a column has another type than requested,
/// its value is converted as SQLite does: a text is read as the number it begins with, a number as its text. A column
/// that is NULL or does not exist is read as 0 or empty.
package struct ResultRow {
  let result: OpaquePointer
  let number: Int32
  /// Whether the server sent all columns in binary.
  let isBinary: Bool

  /// The number of columns.
  package var columnCount: Int { Int(PQnfields(result)) }

  /// Whether a column is NULL or does not exist.
  package func isNull(_ column: Int) -> Bool {
    guard column >= 0, column < columnCount else { return true }
    return PQgetisnull(result, number, Int32(truncatingIfNeeded: column)) != 0
  }

  /// An integer. 1 and 0 for true and false.
  package func int(_ column: Int) -> Int64 {
    guard !isNull(column) else { return 0 }
    let type = type(column)
    guard isBinary else { return Self.integer(type, plainText(column)) }
    switch type {
    case .int8: return load(column)
    case .int4: return Int64(load(column) as Int32)
    case .int2: return Int64(load(column) as Int16)
    case .bool: return Int64(load(column) as Int8)
    case .float8, .float4: return Self.clamped(double(column))
    default: return Self.integer(type, plainText(column))
    }
  }

  /// Whether an integer is not 0, or a truth value is true.
  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  /// A number.
  package func double(_ column: Int) -> Double {
    guard !isNull(column) else { return 0 }
    let type = type(column)
    guard isBinary else { return Self.number(type, plainText(column)) }
    switch type {
    case .float8: return Double(bitPattern: load(column))
    case .float4: return Double(Float(bitPattern: load(column)))
    case .int8, .int4, .int2, .bool: return Double(int(column))
    default: return Self.number(type, plainText(column))
    }
  }

  /// A text. Invalid UTF-8 bytes, which the server does not store, would be replaced.
  package func text(_ column: Int) -> String {
    guard isBinary, !isNull(column) else { return plainText(column) }
    switch type(column) {
    case .int8, .int4, .int2, .bool: return String(int(column))
    case .float8, .float4: return String(double(column))
    default: return plainText(column)
    }
  }

  /// A copy of the bytes of a `bytea`, or of a text.
  package func blob(_ column: Int) -> [UInt8] {
    guard !isBinary, !isNull(column), type(column) == .bytea else {
      return withBytes(column) { Array($0) }
    }
    return withBytes(column, Self.decodedHexadecimal)
  }

  /// A text, or nil for NULL.
  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  /// Passes the bytes of a text, or of a `bytea` in a binary result, without a copy. They are valid only inside `body`.
  package func withBytes<R>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    guard !isNull(column) else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let index = Int32(truncatingIfNeeded: column)
    let start = PQgetvalue(result, number, index)
    return try body(
      UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, number, index))))
  }

  /// The bytes of a text in libpq's memory, as long-lived as the row; empty for NULL. Nil if the column is not a text.
  package func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
    guard !isNull(column) else { return UnsafeBufferPointer(start: nil, count: 0) }
    guard type(column).isText else { return nil }
    return withBytes(column) { $0.bindMemory(to: UInt8.self) }
  }

  /// The value in its type. Types without a case of their own are texts.
  package func value(_ column: Int) -> BoundValue {
    guard !isNull(column) else { return .null }
    switch type(column) {
    case .numeric:
      let text = plainText(column)
      return Int64(text).map { .integer($0) } ?? .real(Self.number(.numeric, text))
    case .int8, .int4, .int2: return .integer(int(column))
    case .float8, .float4: return .real(double(column))
    case .bool: return .boolean(bool(column))
    case .bytea: return .bytes(blob(column))
    default: return .text(text(column))
    }
  }

  private func type(_ column: Int) -> Oid { PQftype(result, Int32(truncatingIfNeeded: column)) }

  private func plainText(_ column: Int) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A number in network byte order. 0 if the column is shorter.
  private func load<T: FixedWidthInteger>(_ column: Int) -> T {
    withBytes(column) { bytes in
      bytes.count < MemoryLayout<T>.size ? 0 : T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
  }
}

// Conversions of results in text.
extension ResultRow {
  private static func integer(_ type: Oid, _ text: String) -> Int64 {
    if type == .bool { return text == "t" ? 1 : 0 }
    return Int64(text) ?? clamped(number(type, text))
  }

  private static func number(_ type: Oid, _ text: String) -> Double {
    if type == .bool { return text == "t" ? 1 : 0 }
    // Cast as in SQLite: the longest start that is a number.
    var start = text.drop { $0 == " " }
    start = start.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    if text.hasSuffix("Infinity") { return Double(text) ?? 0 }
    while !start.isEmpty {
      if let number = Double(start) { return number }
      start.removeLast()
    }
    return 0
  }

  private static func clamped(_ number: Double) -> Int64 {
    Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }

  /// `\x6669` as the server writes it (`bytea_output = hex`).
  private static func decodedHexadecimal(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 { byte <= UInt8(ascii: "9") ? byte & 15 : (byte & 15) + 9 }
    return stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      digit(bytes[place]) << 4 | digit(bytes[place + 1])
    }
  }
}
