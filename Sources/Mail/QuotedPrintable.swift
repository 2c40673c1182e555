/// Text as quoted-printable (RFC 2045 §6.7): ASCII in lines of at most 76 bytes, each ended by CRLF.
struct QuotedPrintable {
  private(set) var bytes: [UInt8] = []

  private var column = 0
  /// The maximum length of a line in bytes, including the `=` of a soft break.
  private static let longest = 76

  /// - Parameter text: lines may end in LF, CR or both.
  init(_ text: String) {
    bytes.reserveCapacity(text.utf8.count + text.utf8.count / 4)
    var line: [UInt8] = []
    var last: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        add(line)
        line.removeAll(keepingCapacity: true)
      default: line.append(byte)
      }
      last = byte
    }
    if !line.isEmpty { add(line) }
  }

  private mutating func add(_ line: [UInt8]) {
    column = 0
    for (place, byte) in line.enumerated() {
      let isLast = place == line.count - 1
      let isBare: Bool =
        switch byte {
        // A space at the end of a line can get lost in transit.
        case UInt8(ascii: " "), UInt8(ascii: "\t"): !isLast
        case UInt8(ascii: "="): false
        // SMTP doubles a dot at the start of a line. Encoding it avoids the loss of a dot.
        case UInt8(ascii: "."): column > 0 && column < Self.longest - 1
        default: (0x21...0x7E).contains(byte)
        }
      let piece = isBare ? [byte] : [UInt8(ascii: "=")] + ASCII.hexadecimal(byte)
      if column + piece.count > (isLast ? Self.longest : Self.longest - 1) {
        bytes += Array("=\r\n".utf8)
        column = 0
      }
      bytes += piece
      column += piece.count
    }
    bytes += Array("\r\n".utf8)
  }
}
