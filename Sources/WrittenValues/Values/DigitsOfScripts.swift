/// Digits of Arabic, Persian, Indian and other scripts, and full-width digits.
enum DigitsOfScripts {
  /// Converts such digits to ASCII, and the Arabic decimal sign to `decimal`; nil for a text without such digits, which
  /// stays unchanged.
  static func inASCII(_ text: String, decimal: PlainNumber.Decimal = .point) -> String? {
    // Outside ASCII the first digit is U+0660.
    guard text.utf8.contains(where: { $0 >= 0xD9 }) else { return nil }
    var scalars = String.UnicodeScalarView()
    var hasDigit = false
    for scalar in text.unicodeScalars {
      if !scalar.isASCII, scalar.properties.numericType == .decimal,
        let value = scalar.properties.numericValue, let digit = Unicode.Scalar(0x30 + UInt32(value))
      {
        hasDigit = true
        scalars.append(digit)
      } else if scalar == "\u{66B}" {
        scalars.append(contentsOf: decimal.rawValue.unicodeScalars)
      } else if (0xFF0B...0xFF0F).contains(scalar.value),
        let sign = Unicode.Scalar(scalar.value - 0xFEE0)
      {
        // Wide signs: plus, comma, minus, point and slash.
        scalars.append(sign)
      } else {
        scalars.append(scalar)
      }
    }
    return hasDigit ? String(scalars) : nil
  }
}
