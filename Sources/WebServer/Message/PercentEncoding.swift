/// Percent encoding (RFC 3986).
package enum PercentEncoding {
  /// Encodes a decoded path for a URI: escapes all characters except `pchar` and `/`.
  package static func path(_ text: String) -> String { encode(text, keeping: "/:@!$&'()*+,;=") }

  /// Encodes a query name, a query value or one path segment: keeps only unreserved characters.
  package static func component(_ text: String) -> String { encode(text, keeping: "") }

  private static func encode(_ text: String, keeping kept: StaticString) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let kept = UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.contains(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
    default: false
    }
  }
}
