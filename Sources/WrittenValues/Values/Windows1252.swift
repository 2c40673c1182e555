/// The code page of old Windows programs (WHATWG Encoding, index-windows-1252).
enum Windows1252 {
  /// The characters for the bytes 0x80 through 0x9F.
  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{02C6}", "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{02DC}", "\u{2122}", "\u{0161}", "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
  ]

  private static let byteByScalar: [Unicode.Scalar: UInt8] = Dictionary(
    upper.enumerated().map { ($0.element, UInt8(0x80 + $0.offset)) }, uniquingKeysWith: { $1 })

  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    if let byte = byteByScalar[scalar] { return byte }
    guard let byte = UInt8(exactly: scalar.value) else { return nil }
    return (0x80...0x9F).contains(byte) ? nil : byte
  }
}
