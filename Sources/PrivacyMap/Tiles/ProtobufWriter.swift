/// Writes the subset of Protocol Buffers that vector tiles need.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// The encoding of a field's value (Protocol Buffers, "Message structure").
  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
  }

  /// Removes all bytes but keeps the allocated memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Seven bits per byte, lowest first. The eighth bit means that more bytes follow.
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func field(_ number: UInt64, _ value: UInt64) {
    tag(number, .varint)
    varint(value)
  }

  mutating func field(_ number: UInt64, _ value: Double) {
    tag(number, .fixed64)
    let bits = value.bitPattern
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))) }
  }

  mutating func field(_ number: UInt64, _ text: String) {
    tag(number, .bytes)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func field(_ number: UInt64, _ message: [UInt8]) {
    tag(number, .bytes)
    varint(UInt64(message.count))
    bytes.append(contentsOf: message)
  }

  /// The 36 characters of an identifier.
  mutating func field(_ number: UInt64, uuid: DeviceID) {
    tag(number, .bytes)
    varint(36)
    for (word, half) in [(uuid.high, 0), (uuid.low, 16)] {
      for nibble in 0..<16 {
        let place = half + nibble
        if place == 8 || place == 12 || place == 16 || place == 20 {
          bytes.append(UInt8(ascii: "-"))
        }
        let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * nibble) & 15)
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }

  /// Appends fields from another writer.
  mutating func append(_ other: ProtobufWriter) { bytes.append(contentsOf: other.bytes) }

  /// Maps small signed numbers to small unsigned ones.
  static func zigzag(_ value: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))
  }

  private mutating func tag(_ number: UInt64, _ type: WireType) {
    varint(number << 3 | type.rawValue)
  }
}
