/// Writes comma-separated values (RFC 4180) into a growing buffer.
///
/// Text that a spreadsheet would read as a formula is prefixed with an apostrophe: cells that begin
/// with `=`, `+`, `-`, `@`, their full-width forms, a tab, a line feed or a carriage return (OWASP,
/// “CSV Injection”), unless they are plain numbers.
package struct CSVText: ~Copyable {
  // Manually allocated memory: a file writes fifty cells for each of a million rows, and an array would
  // check for unique ownership each time.
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Bytes written since the last ``removeAll()``.
  package private(set) var count = 0

  /// - Parameter capacity: the initial capacity in bytes; the buffer grows when needed.
  package init(capacity: Int) {
    self.capacity = max(16, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// A copy of the written bytes.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// The written text.
  package var text: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package mutating func removeAll() { count = 0 }

  /// Separates two cells.
  package mutating func separate() { put(UInt8(ascii: ",")) }

  package mutating func endRecord() {
    put(UInt8(ascii: "\r"))
    put(UInt8(ascii: "\n"))
  }

  /// Writes a record of these cells.
  package mutating func row(_ cells: [String]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { separate() }
      append(cell)
    }
    endRecord()
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends a text cell.
  package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else { return }
    guard !Self.startsFormula(first, text) else { return appendQuoted(text, isFormula: true) }
    reserve(text.count)
    var place = start + count
    for byte in text {
      guard !Self.mustBeQuoted(byte) else { return appendQuoted(text, isFormula: false) }
      place.initialize(to: byte)
      place += 1
    }
    count += text.count
  }

  private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, isFormula: Bool) {
    put(Self.quote)
    if isFormula { put(UInt8(ascii: "'")) }
    for byte in text {
      if byte == Self.quote { put(Self.quote) }
      put(byte)
    }
    put(Self.quote)
  }

  /// Appends a cell that needs no quotes: a number or a timestamp.
  package mutating func append(plain text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.baseAddress else { return }
    reserve(text.count)
    (start + count).initialize(from: first, count: text.count)
    count += text.count
  }

  /// Appends a cell that is already formatted.
  package mutating func append(ready cell: [UInt8]) {
    cell.withUnsafeBufferPointer { append(plain: $0) }
  }

  private mutating func put(_ byte: UInt8) {
    reserve(1)
    (start + count).initialize(to: byte)
    count += 1
  }

  /// Reserves space for `more` bytes.
  private mutating func reserve(_ more: Int) {
    guard capacity - count < more else { return }
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }

  /// Decimal degrees with at most seven decimals.
  package mutating func append(degrees: Double) {
    let units = Int64((degrees * 1e7).rounded(.toNearestOrEven))
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    if units < 0 { put(UInt8(ascii: "-")) }
    append(number: whole)
    guard fraction > 0 else { return }
    put(UInt8(ascii: "."))
    var scale: UInt64 = 1_000_000
    var rest = fraction
    while rest > 0 {
      let (digit, left) = rest.quotientAndRemainder(dividingBy: scale)
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = left
      scale = max(1, scale / 10)
    }
  }

  /// The same as a String.
  package static func degrees(_ value: Double) -> String {
    var text = CSVText(capacity: 16)
    text.append(degrees: value)
    return text.text
  }

  /// A JSON array of codes or numbers, joined by semicolons; the elements contain no quotes or commas.
  package mutating func append(list json: UnsafeBufferPointer<UInt8>) {
    guard json.count > 2 else { return }
    // A list that starts with a negative number needs the apostrophe like any other text.
    if json[1] == UInt8(ascii: "-") { put(UInt8(ascii: "'")) }
    for byte in json {
      switch byte {
      case UInt8(ascii: "["), Self.quote, UInt8(ascii: " "): continue
      case UInt8(ascii: "]"): dropEmptyFraction()
      case UInt8(ascii: ","):
        dropEmptyFraction()
        put(UInt8(ascii: ";"))
      default: put(byte)
      }
    }
  }

  /// Whole numbers are written without `.0`.
  private mutating func dropEmptyFraction() {
    guard count >= 2, start[count - 1] == UInt8(ascii: "0"), start[count - 2] == UInt8(ascii: ".")
    else { return }
    count -= 2
  }

  private mutating func append(number: UInt64) {
    if number >= 100 { append(digit: number / 100 % 10) }
    if number >= 10 { append(digit: number / 10 % 10) }
    append(digit: number % 10)
  }

  private mutating func append(digit: UInt64) {
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
  }

  private static let quote = UInt8(ascii: "\"")

  /// Whether a spreadsheet would read a cell as a formula.
  package static func startsFormula(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in text.first.map { startsFormula($0, text) } ?? false }
  }

  private static func startsFormula(_ first: UInt8, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch first {
    // + -, which also begin numbers; = @, tab, line feed, carriage return.
    case 0x2B, 0x2D: !isNumber(text.dropFirst())
    case 0x3D, 0x40, 0x09, 0x0A, 0x0D: true
    case 0xEF: startsFullWidthFormula(text)
    default: false
    }
  }

  /// Whether the text is digits, with at most one point between them.
  private static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// ＋ (U+FF0B), － (U+FF0D), ＝ (U+FF1D) and ＠ (U+FF20), which spreadsheets treat like their ASCII
  /// forms.
  private static func startsFullWidthFormula(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= 3 else { return false }
    return switch (text[1], text[2]) {
    case (0xBC, 0x8B), (0xBC, 0x8D), (0xBC, 0x9D), (0xBC, 0xA0): true
    default: false
    }
  }

  private static func mustBeQuoted(_ byte: UInt8) -> Bool {
    byte == quote || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
  }
}
