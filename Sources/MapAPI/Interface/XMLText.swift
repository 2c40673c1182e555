/// Writes XML 1.0 into one growing buffer. Nesting is the caller's.
struct XMLText {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 1_024) { bytes.reserveCapacity(capacity) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Markup as it is.
  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Markup or text that needs no escaping: a number, a moment.
  mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func integer(_ value: Int64) { plain(String(value)) }

  /// Text between tags or within double quotes; what XML cannot hold (most control characters) is left
  /// out.
  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { self.text($0) }
  }

  mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      // Within an attribute a parser takes them for spaces otherwise (XML 1.0 §3.3.3).
      case 0x0A: raw("&#10;")
      case 0x0D: raw("&#13;")
      case 0x09: raw("&#9;")
      case 0x00..<0x20: continue
      default: bytes.append(byte)
      }
    }
  }

  /// ` name="value"`.
  mutating func attribute(_ name: StaticString, _ value: String) {
    raw(" ")
    raw(name)
    raw("=\"")
    text(value)
    raw("\"")
  }

  /// `<name>value</name>` and a line end.
  mutating func element(_ name: StaticString, _ value: String) {
    raw("<")
    raw(name)
    raw(">")
    text(value)
    raw("</")
    raw(name)
    raw(">\n")
  }
}
