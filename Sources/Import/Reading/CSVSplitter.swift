/// Splits CSV (RFC 4180) into records, piece by piece.
///
/// Lines end in CRLF, LF or CR. Quoted fields may contain any of these. Blank lines are ignored.
struct CSVSplitter {
  /// One record: the bytes of its fields, and its first line.
  struct Record {
    var fields: [ArraySlice<UInt8>]
    var line: Int
    /// Whether the record ended with a line end, not with the end of the file.
    var isEnded: Bool
    /// The line of a quote that ends neither its field nor its line: the quoted text probably spans several records.
    var openQuoteLine: Int?

    /// Whether no field has more than spaces, or the sign by which DOS ended files.
    var isBlank: Bool {
      fields.allSatisfy { $0.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x1A } }
    }
  }

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, afterReturn }

  private let separator: UInt8
  private let quote: UInt8
  private let fieldLimit: Int
  private var state = State.fieldStart
  /// The fields of the current record in sequence, without their quotes.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var fieldWasQuoted = false
  private var line = 1
  private var recordLine = 1
  private var quoteLine = 1
  private var openQuoteLine: Int?

  /// - Parameters:
  ///   - separator: an ASCII byte.
  ///   - quote: the ASCII byte around texts.
  ///   - fieldLimit: maximum length of a field in bytes, 1 MiB. A longer field is an error.
  init(separator: UInt8, quote: UInt8 = UInt8(ascii: "\""), fieldLimit: Int = 1 << 20) {
    self.separator = separator
    self.quote = quote
    self.fieldLimit = fieldLimit
  }

  /// Processes the next piece and passes on each completed record.
  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: (Record) throws -> Void
  ) throws {
    for byte in piece {
      try take(byte, body)
    }
  }

  private mutating func take(_ byte: UInt8, _ body: (Record) throws -> Void) throws {
    switch state {
    case .afterReturn:
      state = .fieldStart
      if byte != UInt8(ascii: "\n") { try take(byte, body) }
    case .quoted:
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == quote { state = .quoteInQuoted } else { try append(byte) }
    case .quoteInQuoted where byte == quote:
      try append(byte)
      state = .quoted
    case .fieldStart where byte == quote: beginQuote()
    // Some programs put a space between a separator and a quote.
    case .plain where byte == quote && hasOnlyBlanks:
      bytes.removeLast(bytes.count - (ends.last ?? 0))
      beginQuote()
    // Some programs escape a quote with a backslash; before a separator or a line end it ends a text such as `C:\`.
    case .quoteInQuoted
    where bytes.last == UInt8(ascii: "\\") && byte != separator && !(0x0A...0x0D).contains(byte):
      bytes[bytes.count - 1] = quote
      try append(byte)
      state = .quoted
    case .quoteInQuoted:
      if line > quoteLine, !Self.mayFollowQuote(byte), byte != separator {
        openQuoteLine = openQuoteLine ?? quoteLine
      }
      try takePlain(byte, body)
    case .fieldStart, .plain: try takePlain(byte, body)
    }
  }

  private mutating func beginQuote() {
    state = .quoted
    fieldWasQuoted = true
    quoteLine = line
  }

  /// Whether the current field contains only spaces so far.
  private var hasOnlyBlanks: Bool {
    bytes[(ends.last ?? 0)...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private static func mayFollowQuote(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private mutating func takePlain(_ byte: UInt8, _ body: (Record) throws -> Void) throws {
    switch byte {
    case separator:
      ends.append(bytes.count)
      fieldWasQuoted = false
      state = .fieldStart
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      try endRecord(isEnded: true, body)
      line += 1
      recordLine = line
      state = byte == UInt8(ascii: "\r") ? .afterReturn : .fieldStart
    default:
      try append(byte)
      state = .plain
    }
  }

  private mutating func append(_ byte: UInt8) throws {
    guard bytes.count - (ends.last ?? 0) < fieldLimit else {
      let reason =
        state == .quoted
        ? "the quoted field that begins here does not end within \(fieldLimit) bytes"
        : "a field longer than \(fieldLimit) bytes"
      throw ImportFailure(reason, line: state == .quoted ? quoteLine : line)
    }
    bytes.append(byte)
  }

  private mutating func endRecord(
    isEnded: Bool, _ body: (Record) throws -> Void
  ) throws {
    defer {
      bytes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      fieldWasQuoted = false
      openQuoteLine = nil
    }
    if ends.isEmpty, bytes.isEmpty, !fieldWasQuoted { return }
    ends.append(bytes.count)
    var start = 0
    let fields = ends.map { end in
      defer { start = end }
      return bytes[start..<end]
    }
    try body(
      Record(fields: fields, line: recordLine, isEnded: isEnded, openQuoteLine: openQuoteLine))
  }

  /// Passes on the record after the last line end.
  ///
  /// - Throws: ``ImportFailure`` if the file ends inside a quoted field.
  mutating func finish(_ body: (Record) throws -> Void) throws {
    if state == .quoted {
      throw ImportFailure("the file ends inside the quoted field that begins here", line: quoteLine)
    }
    try endRecord(isEnded: false, body)
  }
}
