/// A header text as folded encoded words (RFC 2047, Q encoding).
///
/// Words and lines are at most 75 bytes long, and each word contains whole characters.
struct EncodedWords {
  let bytes: [UInt8]

  private static let start = Array("=?UTF-8?Q?".utf8)
  private static let end = Array("?=".utf8)
  /// The maximum length of an encoded word in bytes (RFC 2047 §2). Also used for lines, which may have
  /// 76.
  private static let longest = 75

  /// - Parameters:
  ///   - text: any text.
  ///   - column: the number of bytes before it on its line.
  init(_ text: String, after column: Int) {
    var bytes = Self.start
    var length = column + bytes.count
    for scalar in text.unicodeScalars {
      let piece = UTF8.encode(scalar).map { $0.flatMap(Self.encoded) } ?? []
      if length + piece.count + Self.end.count > Self.longest {
        bytes += Self.end + Array("\r\n ".utf8) + Self.start
        length = 1 + Self.start.count
      }
      bytes += piece
      length += piece.count
    }
    self.bytes = bytes + Self.end
  }

  /// One byte in the Q encoding, restricted to the characters allowed in a phrase (RFC 2047 §5, rule 3),
  /// which are allowed everywhere.
  private static func encoded(_ byte: UInt8) -> [UInt8] {
    if byte == UInt8(ascii: " ") { return [UInt8(ascii: "_")] }
    if ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!*+-/".utf8.contains(byte) { return [byte] }
    return [UInt8(ascii: "=")] + ASCII.hexadecimal(byte)
  }
}
