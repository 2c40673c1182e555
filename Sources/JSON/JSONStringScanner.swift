/// Reads one string, from after its opening quote to after its closing quote.
struct JSONStringScanner {
  private let bytes: UnsafeRawBufferPointer
  private let replaces: Bool
  private(set) var position: Int

  init(bytes: UnsafeRawBufferPointer, position: Int, replaces: Bool) {
    self.bytes = bytes
    self.position = position
    self.replaces = replaces
  }

  mutating func string() throws(InvalidJSON) -> String {
    let start = position
    try skipPlain()
    if bytes[position] == UInt8(ascii: "\"") {
      let text = try text(from: start, to: position)
      position += 1
      return text
    }
    var result = try text(from: start, to: position)
    while true {
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        return result
      }
      try escape(into: &result)
      let runStart = position
      try skipPlain()
      if position > runStart { result += try text(from: runStart, to: position) }
    }
  }

  /// Skips plain characters up to a quote or a backslash.
  private mutating func skipPlain() throws(InvalidJSON) {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      guard byte >= 0x20 else {
        throw InvalidJSON(offset: position, reason: "a control character must be escaped")
      }
      position += 1
    }
    throw InvalidJSON(offset: position, reason: "ends inside a string")
  }

  private func text(from start: Int, to end: Int) throws(InvalidJSON) -> String {
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    guard let text = String(validating: run.bindMemory(to: UInt8.self), as: UTF8.self) else {
      throw InvalidJSON(offset: start, reason: "a string that is not UTF-8")
    }
    return text
  }

  private mutating func escape(into result: inout String) throws(InvalidJSON) {
    let start = position
    guard position + 1 < bytes.count else {
      throw InvalidJSON(offset: bytes.count, reason: "ends inside a string")
    }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      result.unicodeScalars.append(Unicode.Scalar(letter))
    case UInt8(ascii: "b"): result.unicodeScalars.append("\u{08}")
    case UInt8(ascii: "f"): result.unicodeScalars.append("\u{0C}")
    case UInt8(ascii: "n"): result.unicodeScalars.append("\n")
    case UInt8(ascii: "r"): result.unicodeScalars.append("\r")
    case UInt8(ascii: "t"): result.unicodeScalars.append("\t")
    case UInt8(ascii: "u"): result.unicodeScalars.append(try scalar(from: start))
    default: throw InvalidJSON(offset: start, reason: "an unknown escape")
    }
  }

  /// The scalar of `\uXXXX`, or of a surrogate pair of two such escapes.
  private mutating func scalar(from start: Int) throws(InvalidJSON) -> Unicode.Scalar {
    let first = try fourHexDigits()
    if first == 0 {
      guard replaces else { throw InvalidJSON(offset: start, reason: "\\u0000 is not allowed") }
      return "\u{FFFD}"
    }
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      let afterFirst = position
      position += 2
      let second = try fourHexDigits()
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return scalar
      }
      position = afterFirst
    }
    guard replaces else { throw InvalidJSON(offset: start, reason: "half a surrogate pair") }
    return "\u{FFFD}"
  }

  private mutating func fourHexDigits() throws(InvalidJSON) -> UInt32 {
    guard position + 4 <= bytes.count else {
      throw InvalidJSON(offset: bytes.count, reason: "ends inside a string")
    }
    var value: UInt32 = 0
    for offset in position..<position + 4 {
      guard let digit = hexDigit(bytes[offset]) else {
        throw InvalidJSON(offset: offset, reason: "expected four hexadecimal digits")
      }
      value = value << 4 | digit
    }
    position += 4
    return value
  }

  private func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
