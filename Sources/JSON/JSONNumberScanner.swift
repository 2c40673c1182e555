/// Reads one number of RFC 8259 §6, correctly rounded.
struct JSONNumberScanner {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  init(bytes: UnsafeRawBufferPointer, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// The powers of ten that a double holds exactly.
  private static let exactPowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  mutating func number() throws(InvalidJSON) -> JSONValue {
    let start = position
    let negative = current == UInt8(ascii: "-")
    if negative { position += 1 }
    var digits = Digits()
    if current == UInt8(ascii: "0") {
      position += 1
      if isDigit(current) { throw fault("a number must not start with 0") }
    } else {
      try read(into: &digits, "expected a digit")
    }
    var isWhole = true
    if current == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      let before = position
      try read(into: &digits, "expected a digit after the decimal point")
      digits.exponent -= position - before
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isWhole = false
      digits.exponent += try exponent()
    }
    if isWhole, let value = digits.integer(negative: negative) { return .integer(value) }
    return .double(try double(digits, negative: negative, start: start))
  }

  private func double(
    _ digits: Digits, negative: Bool, start: Int
  ) throws(InvalidJSON) -> Double {
    // Both operands are exact, so one operation rounds once (Clinger 1990).
    if !digits.overflows, digits.mantissa <= 1 << 53, abs(digits.exponent) <= 22 {
      let mantissa = Double(digits.mantissa)
      let power = Self.exactPowers[abs(digits.exponent)]
      let value = digits.exponent < 0 ? mantissa / power : mantissa * power
      return negative ? -value : value
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw InvalidJSON(offset: start, reason: "a number beyond the range of a double")
    }
    return value
  }

  private mutating func exponent() throws(InvalidJSON) -> Int {
    position += 1
    let negative = current == UInt8(ascii: "-")
    if negative || current == UInt8(ascii: "+") { position += 1 }
    guard isDigit(current) else { throw fault("expected a digit in the exponent") }
    var value = 0
    while isDigit(current) {
      // Beyond 9,999 every double is 0 or infinite, so the remaining digits are only validated.
      if value < 10_000 { value = value * 10 + Int(current - UInt8(ascii: "0")) }
      position += 1
    }
    return negative ? -value : value
  }

  private mutating func read(into digits: inout Digits, _ reason: String) throws(InvalidJSON) {
    guard isDigit(current) else { throw fault(reason) }
    while isDigit(current) {
      digits.append(UInt64(current - UInt8(ascii: "0")))
      position += 1
    }
  }

  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private func fault(_ reason: String) -> InvalidJSON {
    InvalidJSON(offset: position, reason: reason)
  }
}

/// The significant digits of a number: `mantissa` × 10^`exponent`.
private struct Digits {
  var mantissa: UInt64 = 0
  var exponent = 0
  /// Whether the digits no longer fit. The mantissa is then invalid.
  var overflows = false

  mutating func append(_ digit: UInt64) {
    let (product, tooLarge) = mantissa.multipliedReportingOverflow(by: 10)
    let (sum, carries) = product.addingReportingOverflow(digit)
    mantissa = sum
    if tooLarge || carries { overflows = true }
  }

  /// The integer, if it fits into 64 bits with its sign.
  func integer(negative: Bool) -> Int64? {
    guard !overflows else { return nil }
    if !negative { return Int64(exactly: mantissa) }
    if mantissa == UInt64(Int64.max) + 1 { return .min }
    return Int64(exactly: mantissa).map { -$0 }
  }
}
