/// The identifier of a device: a UUID version 7 (RFC 9562 §5.7) with a resolution of one second and
/// random remaining bits. Identifiers sort by age and reveal no finer time.
package struct DeviceID: Hashable, Sendable {
  /// The 128 bits, most significant first.
  package let high, low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Uses at least ten random bytes. Missing bytes count as zero.
  package init(madeAt moment: Timestamp, random: [UInt8]) {
    let milliseconds = UInt64(clamping: moment.secondsSinceEpoch) &* 1_000
    var high = milliseconds << 16
    var low: UInt64 = 0
    for byte in random.prefix(8) { low = low << 8 | UInt64(byte) }
    for (position, byte) in random.dropFirst(8).prefix(2).enumerated() {
      high |= UInt64(byte) << UInt64(8 * position)
    }
    high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x7000
    low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    self.init(high: high, low: low)
  }

  /// Reads the 36 characters of RFC 9562, in either case.
  ///
  /// - Returns: nil when `text` is not a UUID. Any version is accepted: a request for an identifier
  ///   of another version gets 404, not a “malformed request” error.
  package init?(text: String) {
    var text = text
    guard let id = text.withUTF8({ DeviceID(utf8: $0) }) else { return nil }
    self = id
  }

  /// Same as ``init(text:)``, for bytes that are not yet a String.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var isSound = true
    for position in 0..<36 {
      let byte = bytes[position]
      if position == 8 || position == 13 || position == 18 || position == 23 {
        isSound = isSound && byte == UInt8(ascii: "-")
        continue
      }
      // No branches on unpredictable data: a digit's value is its low half, a letter's is its low
      // half plus 9.
      let isDigit = byte &- 48 < 10
      let isLetter = (byte | 0x20) &- 97 < 6
      isSound = isSound && (isDigit != isLetter)
      let digit = UInt64((byte & 15) &+ (byte >> 6) &* 9)
      if position < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
    }
    guard isSound else { return nil }
    self.init(high: high, low: low)
  }

  /// The 36 characters of RFC 9562, in lower case.
  package var text: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for (word, start) in [(high, 0), (low, 16)] {
        for nibble in 0..<16 {
          if [8, 12, 16, 20].contains(start + nibble) {
            buffer[position] = UInt8(ascii: "-")
            position += 1
          }
          let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * nibble) & 0xF)
          buffer[position] = digit < 10 ? 48 + digit : 87 + digit
          position += 1
        }
      }
      return position
    }
  }
}
