/// Repairs text that was encoded twice.
package enum TextRepair {
  /// Reverses one decoding of UTF-8 as Windows-1252 (`SÃ¼d` → `Süd`). Nil if the text was not
  /// double-encoded.
  package static func undoubled(_ text: String) -> String? {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return nil }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = Windows1252.byte(scalar) ?? c1Byte(scalar) else { return nil }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Latin-1 decoders keep the C1 controls.
  private static func c1Byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (0x80...0x9F).contains(scalar.value) ? UInt8(scalar.value) : nil
  }

  package static func looksDoubleEncoded(_ text: String) -> Bool {
    // Nearly every such pair starts with Ã or Â for European letters, and with â€ for punctuation.
    text.unicodeScalars.contains { $0 == "Ã" || $0 == "Â" || $0 == "â" } && undoubled(text) != nil
  }
}
