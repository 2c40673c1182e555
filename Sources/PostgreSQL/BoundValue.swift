internal import CPostgreSQL

/// A value bound to a `?` of a statement.
package enum BoundValue: Sendable, Equatable {
  case null
  case integer(Int64)
  /// Not-a-number is stored as NULL, as SQLite does.
  case real(Double)
  /// Must not contain U+0000, which PostgreSQL cannot store.
  case text(String)
  case boolean(Bool)
  case bytes([UInt8])
  /// A list of integers for a parameter of the type `bigint[]`.
  case integers([Int64])
}

/// The values of one statement in the form that libpq expects: in binary where the type of the parameter is known, as
/// text elsewhere.
struct ParameterBuffer {
  private var bytes: [UInt8] = []
  /// Where each value begins in `bytes`. Nil for NULL.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  /// The largest value in bytes that the server accepts: 1 GiB less a header.
  private static let maxBytes = (1 << 30) - 16

  /// Why a value cannot be bound. The sentences do not contain the value.
  enum Defect: String, Error {
    case zero = "the text contains U+0000, which PostgreSQL cannot store"
    case size = "the value is larger than 1 GiB"
    case bytes = "bytes were given for a parameter of another type"
    case list = "a list of integers was given for a parameter of another type"
    case range = "the number is outside the range of its parameter"
    case fraction = "a number with a fraction was given for a parameter that takes whole numbers"
  }

  /// - Parameters:
  ///   - value: the value.
  ///   - type: the type that the server found for the parameter.
  /// - Throws: the reason why the value cannot be bound.
  mutating func append(_ value: BoundValue, as type: Oid) throws(Defect) {
    switch value {
    case .null: appendNull()
    case .integer(let number): try append(number, as: type)
    case .boolean(let truth): try append(Int64(truth ? 1 : 0), as: type)
    case .real(let number): try append(number, as: type)
    case .text(let text):
      guard !text.utf8.contains(0) else { throw .zero }
      try append(text.utf8, isBinary: false)
    case .bytes(let bytes):
      guard type == Oid.bytea else { throw .bytes }
      try append(bytes, isBinary: true)
    case .integers(let numbers):
      guard type == Oid.int8List else { throw .list }
      try append(numbers)
    }
  }

  /// The size of all values.
  var byteCount: Int { bytes.count }

  private mutating func appendNull() {
    starts.append(nil)
    lengths.append(0)
    formats.append(0)
  }

  private mutating func append(
    _ value: some Collection<UInt8>, isBinary: Bool
  ) throws(Defect) {
    guard value.count <= Self.maxBytes else { throw .size }
    starts.append(bytes.count)
    lengths.append(Int32(value.count))
    formats.append(isBinary ? 1 : 0)
    bytes += value
    // libpq reads values in text up to a zero byte.
    bytes.append(0)
  }

  /// Appends an array of one dimension: the number of dimensions, whether there are NULLs, the type of the items, their
  /// number and the first index; then each item after its length (`array_recv` in PostgreSQL's sources).
  private mutating func append(_ numbers: [Int64]) throws(Defect) {
    guard numbers.count < Self.maxBytes / 12 else { throw .size }
    let header =
      numbers.isEmpty ? [0, 0, Int32(Oid.int8)] : [1, 0, Int32(Oid.int8), Int32(numbers.count), 1]
    starts.append(bytes.count)
    lengths.append(Int32(4 * header.count + 12 * numbers.count))
    formats.append(1)
    for field in header { put(field) }
    for number in numbers {
      put(Int32(MemoryLayout<Int64>.size))
      put(number)
    }
  }

  private mutating func put(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ number: some FixedWidthInteger) throws(Defect) {
    try append(withUnsafeBytes(of: number.bigEndian) { Array($0) }, isBinary: true)
  }

  private mutating func append(_ number: Int64, as type: Oid) throws(Defect) {
    switch type {
    case .int8: try append(number)
    case .int4: try append(try narrowed(number, to: Int32.self))
    case .int2: try append(try narrowed(number, to: Int16.self))
    case .float8: try append(Double(number).bitPattern)
    case .bool: try append(Int8(number == 0 ? 0 : 1))
    default: try append(String(number).utf8, isBinary: false)
    }
  }

  private func narrowed<T: FixedWidthInteger>(
    _ number: Int64, to type: T.Type
  ) throws(Defect) -> T {
    guard let narrow = T(exactly: number) else { throw .range }
    return narrow
  }

  private mutating func append(_ number: Double, as type: Oid) throws(Defect) {
    if number.isNaN { return appendNull() }
    switch type {
    case .float8: try append(number.bitPattern)
    case .int8, .int4, .int2, .bool:
      guard number == number.rounded() else { throw .fraction }
      guard let whole = Int64(exactly: number) else { throw .range }
      try append(whole, as: type)
    default:
      let text = number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : String(number)
      try append(text.utf8, isBinary: false)
    }
  }

  /// Passes the addresses, lengths and formats of the values. They are valid only inside `body`.
  func withPointers(
    _ body: (
      _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: [Int32], _ formats: [Int32]
    ) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        let values = starts.map { start in
          start.flatMap { start in characters.baseAddress.map { $0 + start } }
        }
        return values.withUnsafeBufferPointer { body($0.baseAddress, lengths, formats) }
      }
    }
  }
}

/// Types that the driver reads and writes in binary.
extension Oid {
  static let bool = Oid(POSTGRESQL_BOOL.rawValue)
  static let bytea = Oid(POSTGRESQL_BYTEA.rawValue)
  static let int8 = Oid(POSTGRESQL_INT8.rawValue)
  /// `bigint[]`.
  static let int8List = Oid(POSTGRESQL_INT8_LIST.rawValue)
  static let int4 = Oid(POSTGRESQL_INT4.rawValue)
  static let int2 = Oid(POSTGRESQL_INT2.rawValue)
  static let float4 = Oid(POSTGRESQL_FLOAT4.rawValue)
  static let float8 = Oid(POSTGRESQL_FLOAT8.rawValue)
  /// The sum of integers, for example. Read as text.
  static let numeric = Oid(POSTGRESQL_NUMERIC.rawValue)

  /// Whether the binary form is the text itself.
  var isText: Bool {
    switch postgresql_type(self) {
    case POSTGRESQL_TEXT, POSTGRESQL_VARCHAR, POSTGRESQL_BPCHAR, POSTGRESQL_NAME, POSTGRESQL_JSON,
      POSTGRESQL_UNKNOWN:
      true
    default: false
    }
  }

  /// Whether ``ResultRow`` reads the binary form.
  var isReadInBinary: Bool {
    switch self {
    case .bool, .bytea, .int8, .int4, .int2, .float4, .float8: true
    default: isText
    }
  }
}
