/// Numbers in the notation of lists. Ambiguous numbers are rejected and not guessed.
package enum PlainNumber {
  /// The decimal sign.
  package enum Decimal: String, Sendable { case point = ".", comma = "," }

  /// Reads digits with an optional sign and fraction, and an exponent with a sign (`-5e-05`, as programs write small
  /// numbers; `1e3` may be a code). A typographic minus is a minus, and apostrophes or spaces between groups of three
  /// digits are left out. Digits of other scripts are digits. Rejects other spaces, `nan` and `0x`.
  ///
  /// - Returns: nil for any other text, or one with more than 40 characters.
  package static func read(_ text: String, decimal: Decimal = .point) -> Double? {
    parsed(text, decimal)
  }

  package static func read(_ text: Substring, decimal: Decimal = .point) -> Double? {
    parsed(text, decimal)
  }

  private static func parsed(_ text: some StringProtocol, _ decimal: Decimal) -> Double? {
    let sign: UInt8 = decimal == .point ? UInt8(ascii: ".") : UInt8(ascii: ",")
    if let short = text.utf8.withContiguousStorageIfAvailable({ short($0, sign) }) ?? nil {
      return short
    }
    var digits: [UInt8] = []
    var hasFraction = false
    var hasDigit = false
    var hasExponent = false
    var hasSign = false
    for (position, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        hasDigit = true
      case sign where !hasFraction && !hasExponent:
        digits.append(UInt8(ascii: "."))
        hasFraction = true
      case UInt8(ascii: "+") where position == 0: break
      case UInt8(ascii: "-") where position == 0: digits.append(byte)
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard hasDigit, !hasExponent, digits.last != UInt8(ascii: ".") else { return nil }
        digits.append(UInt8(ascii: "e"))
        (hasExponent, hasDigit) = (true, false)
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard digits.last == UInt8(ascii: "e") else { return nil }
        digits.append(byte)
        hasSign = true
      default: return plain(text, decimal).flatMap { parsed($0, decimal) }
      }
      if digits.count > 40 { return nil }
    }
    guard hasDigit, digits.last != UInt8(ascii: "."), !hasExponent || hasSign,
      let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite
    else { return nil }
    return number
  }

  private static let powers: [Double] = (0...15).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }

  /// A number of at most 15 digits without an exponent, as nearly all numbers of lists are; nil for any other text.
  /// Digits and power are exact as doubles, so only the division rounds.
  private static func short(_ bytes: UnsafeBufferPointer<UInt8>, _ decimalSign: UInt8) -> Double? {
    guard let first = bytes.first, bytes.count <= 17 else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var (mantissa, count) = (0, 0)
    var decimals: Int?
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      if byte == decimalSign, decimals == nil {
        decimals = 0
        continue
      }
      guard (0x30...0x39).contains(byte), count < 15 else { return nil }
      mantissa = mantissa * 10 + Int(byte - 0x30)
      count += 1
      if let known = decimals { decimals = known + 1 }
    }
    guard count > 0, decimals != 0 else { return nil }
    let size = Double(mantissa) / powers[decimals ?? 0]
    return isNegative ? -size : size
  }

  /// Whether a text is a large number with an exponent, such as `1.23E+12`: the first digits of an id.
  package static func isRounded(_ text: String) -> Bool {
    guard let plus = text.utf8.firstIndex(of: UInt8(ascii: "+")), let first = text.utf8.first,
      (0x30...0x39).contains(first), let number = read(text)
    else { return false }
    return number >= 1e9 && text.utf8[..<plus].last.map { $0 & 0xDF } == UInt8(ascii: "E")
  }

  private static let minuses: [Unicode.Scalar] = ["\u{2212}", "\u{2013}", "\u{FE63}", "\u{FF0D}"]
  private static let groupSigns: Set<Unicode.Scalar> = ["'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]

  /// A number with a plain minus and without the signs between its groups of three digits; nil for any other text. A
  /// degree has no such groups.
  private static func plain(_ text: some StringProtocol, _ decimal: Decimal) -> String? {
    if let digits = DigitsOfScripts.inASCII(String(text.prefix(41)), decimal: decimal) {
      return digits
    }
    var scalars = Array(text.unicodeScalars.prefix(41))
    guard let first = scalars.first else { return nil }
    let isMinus = minuses.contains(first)
    if isMinus { scalars[0] = "-" }
    guard let sign = scalars.first(where: groupSigns.contains) else {
      return isMinus ? String(String.UnicodeScalarView(scalars)) : nil
    }
    let start = scalars.firstIndex { $0 != "-" && $0 != "+" } ?? 0
    let whole = scalars[start...].prefix { $0 == sign || ("0"..."9").contains($0) }
    let groups = whole.split(separator: sign, omittingEmptySubsequences: false)
    guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }),
      !scalars[whole.endIndex...].contains(sign)
    else { return nil }
    return String(String.UnicodeScalarView(scalars.filter { $0 != sign }))
  }

  /// Reads a coordinate in decimal degrees, without a range check.
  package static func coordinate(
    _ text: String, decimal: Decimal = .point
  ) -> Result<Double, RowFault> {
    let trimmed = CleanText(text, limit: 60, lines: false).text
    if let number = read(trimmed, decimal: decimal) { return .success(number) }
    // Spreadsheets mark a text with an apostrophe.
    if trimmed.hasPrefix("'"), let number = read(trimmed.dropFirst(), decimal: decimal) {
      return .success(number)
    }
    let dots = trimmed.utf8.count { $0 == UInt8(ascii: ".") }
    let commas = trimmed.utf8.count { $0 == UInt8(ascii: ",") }
    let shown = CleanText.excerpt(trimmed)
    if max(dots, commas) > 1, trimmed.utf8.allSatisfy({ $0 < 0x3A }) {
      return .failure(
        RowFault(
          code: "thousands_dots",
          detail: "“\(shown)” has thousands separators, as a spreadsheet puts them in; "
            + "the position of its decimal sign is unknown."))
    }
    if decimal == .point, commas == 1, read(trimmed, decimal: .comma) != nil {
      return .failure(
        RowFault(
          code: "decimal_comma",
          detail: "“\(shown)” has a comma; the mapping must say that it is the decimal sign."))
    }
    if decimal == .comma, dots == 1, read(trimmed) != nil {
      return .failure(
        RowFault(
          code: "decimal_point",
          detail: "“\(shown)” has a point; the mapping says that the decimal sign is a comma."))
    }
    return .failure(
      RowFault(code: "not_a_coordinate", detail: "“\(shown)” is not in decimal degrees."))
  }

  /// Units of length in metres.
  package static let metresByUnit: [String: Double] = [
    "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "cm": 0.01, "mm": 0.001, "km": 1_000,
    // The international foot and inch (1959).
    "ft": 0.3048, "feet": 0.3048, "foot": 0.3048, "'": 0.3048, "in": 0.0254, "\"": 0.0254,
  ]

  /// Reads a length such as `20 m`, `184ft` or `3`, in metres.
  ///
  /// - Returns: nil if the text is not one number with an optional known unit.
  package static func metres(_ text: String, unit: String, decimal: Decimal) -> Double? {
    let end = text.utf8.firstIndex { !isOfNumber($0) } ?? text.endIndex
    let number = text[..<end]
    let rest = text[end...].drop { $0 == " " }
    let named = rest.isEmpty ? unit : rest.lowercased()
    guard let value = read(number, decimal: decimal), let factor = metresByUnit[named] else {
      return nil
    }
    return value * factor
  }

  /// Whether a byte is a digit, a sign or a decimal sign.
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ","):
      true
    default: false
    }
  }
}
