/// A 128-bit hash that detects changes, for entity tags and URLs of static files.
///
/// Two lanes of multiply and rotate, eight bytes at a time (with the constants of xxHash64 by Y.
/// Collet). It is not cryptographic: collisions can be constructed.
struct ContentHash: Sendable, Equatable {
  private var first: UInt64 = 0x9E37_79B1_85EB_CA87
  private var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private var length: UInt64 = 0

  init() {}

  init(_ bytes: [UInt8]) { add(bytes) }

  /// Adds a whole piece. `add(a); add(b)` differs from `add(a + b)`.
  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset &+ 8 <= raw.count {
        mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset &+= 8
      }
      var tail: UInt64 = 0
      for byte in raw[offset...] { tail = tail << 8 | UInt64(byte) }
      mix(tail)
      mix(UInt64(raw.count))
    }
    length &+= UInt64(bytes.count)
  }

  /// 32 hexadecimal digits.
  var text: String {
    Self.hexadecimal(Self.avalanche(first ^ length)) + Self.hexadecimal(Self.avalanche(second))
  }

  private mutating func mix(_ word: UInt64) {
    first = Self.rotate((first ^ word) &* 0xC2B2_AE3D_27D4_EB4F, by: 31)
    second = Self.rotate((second &+ word) &* 0x9E37_79B1_85EB_CA87, by: 27) ^ first
  }

  private static func rotate(_ word: UInt64, by bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }

  private static func avalanche(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* 0xC2B2_AE3D_27D4_EB4F
    word = (word ^ word >> 29) &* 0x1656_67B1_9E37_79F9
    return word ^ word >> 32
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
