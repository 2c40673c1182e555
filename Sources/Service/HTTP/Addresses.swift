package import WebServer

/// The absolute addresses of an instance, built from its configuration and never from a request.
package struct Addresses: Sendable {
  /// The base address without a trailing slash, such as `https://farol.example.org`.
  package let base: String

  package init(base: String) {
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
  }

  package func url(_ path: String) -> String { base + path }

  /// Scheme, host and port, as browsers send them in `Origin` (RFC 6454 §6.1).
  var origin: String {
    guard let scheme = base.firstRange(of: "://") else { return base }
    let end = base[scheme.upperBound...].firstIndex(of: "/") ?? base.endIndex
    return base[..<end].lowercased()
  }

  /// The address of `path` with a query, in which one parameter is replaced.
  package func url(
    _ path: String, _ query: Query, setting: (name: String, value: String)? = nil
  ) -> String {
    var pairs = query.pairs.map { (name: $0.name, value: $0.value) }
    if let setting {
      pairs.removeAll { $0.name == setting.name }
      pairs.append(setting)
    }
    guard !pairs.isEmpty else { return url(path) }
    let text = pairs.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
    return url(path) + "?" + text.joined(separator: "&")
  }

  /// Percent-encodes everything except the unreserved characters of RFC 3986, the comma and the
  /// colon, which are allowed in a query.
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count * 3 / 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","), UInt8(ascii: ":"):
        result.append(byte)
      default:
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
