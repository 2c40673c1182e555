/// Base32 (RFC 4648 §6) without padding, as used by authenticator apps.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 8 + 4) / 5)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      pending = (pending << 8 | UInt32(byte)) & 0xFFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(pending >> bits & 31)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(pending << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text of whole groups of eight characters; nil for any other text.
  static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count % 8 == 0 else { return nil }
    var bytes: [UInt8] = []
    var (pending, bits): (UInt32, UInt32) = (0, 0)
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      pending = (pending << 5 | UInt32(value)) & 0xFFFF
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
    }
    return bytes
  }
}
