/// Bytes as text.
package enum Hexadecimal {
  /// Two lowercase digits for each byte.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      text += String(byte >> 4, radix: 16)
      text += String(byte & 15, radix: 16)
    }
    return text
  }
}
