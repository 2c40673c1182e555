/// Writes XML 1.0 into a growing buffer. The caller is responsible for nesting.
package struct XMLText {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 1_024) { bytes.reserveCapacity(capacity) }

  /// Writes markup unchanged.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes markup or text that needs no escaping: a number or a timestamp.
  package mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes text between tags or within double quotes. Characters that XML does not allow (most
  /// control characters) are left out.
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
      // Within an attribute, parsers would read these as spaces (XML 1.0 §3.3.3).
      case 0x0A: raw("&#10;")
      case 0x0D: raw("&#13;")
      case 0x09: raw("&#9;")
      case 0x00..<0x20: continue
      default: bytes.append(byte)
      }
    }
  }

  /// ` name="value"`.
  package mutating func attribute(_ name: StaticString, _ value: String) {
    raw(" ")
    raw(name)
    raw("=\"")
    text(value)
    raw("\"")
  }

  /// `<name>value</name>` and a line end.
  package mutating func element(_ name: StaticString, _ value: String) {
    raw("<")
    raw(name)
    raw(">")
    text(value)
    raw("</")
    raw(name)
    raw(">\n")
  }

  /// The beginning of an Atom feed (RFC 4287), up to its author. `</feed>` ends it. `isPlaced` states whether entries
  /// have a place in GeoRSS.
  package mutating func beginFeed(
    id: String, title: String, language: String, updatedAt: String, author: String,
    isPlaced: Bool = false
  ) {
    raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"")
    if isPlaced { raw(" xmlns:georss=\"http://www.georss.org/georss\"") }
    attribute("xml:lang", language)
    raw(">\n")
    element("id", id)
    element("title", title)
    element("updated", updatedAt)
    raw("<author>\n")
    element("name", author)
    raw("</author>\n")
  }

  /// The `link` element of Atom (RFC 4287 §4.2.7) and a line end.
  package mutating func link(_ rel: String, _ href: String, _ type: String) {
    raw("<link")
    attribute("rel", rel)
    attribute("type", type)
    attribute("href", href)
    raw("/>\n")
  }
}
