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
}
