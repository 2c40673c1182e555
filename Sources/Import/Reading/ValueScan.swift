/// Tracks one JSON value by its brackets and quotes.
struct ValueScan {
  /// Whether a byte ended the value.
  enum End {
    case no
    /// The value ended with this byte.
    case with
    /// The value ended before this byte.
    case before
  }

  private var hasBegun = false
  private var depth = 0
  private var isString = false
  private var isEscaped = false
  /// A number or a literal word, which ends only at the following byte.
  private(set) var isScalar = false

  static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  mutating func take(_ byte: UInt8) -> End {
    if isString { return takeInString(byte) }
    if isScalar { return Self.endsScalar(byte) ? .before : .no }
    switch byte {
    case UInt8(ascii: "\""): isString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      return depth == 0 ? .with : .no
    default: isScalar = !hasBegun
    }
    hasBegun = true
    return .no
  }

  private mutating func takeInString(_ byte: UInt8) -> End {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isString = false
      return depth == 0 ? .with : .no
    }
    return .no
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09...0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
