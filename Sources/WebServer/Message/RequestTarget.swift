/// A parsed request target (RFC 9112 §3.2): path and query, each decoded exactly once.
struct RequestTarget: Sendable {
  /// Decoded, begins with `/`.
  var path: String
  var query: Query

  /// Maximum length in bytes. Longer targets are rejected. Half of the memory that libmicrohttpd has for
  /// a request head and a response head, so that both fit.
  static let maxLength = 32_768
  /// Maximum number of parameters. Targets with more are rejected.
  static let maxParameters = 256

  /// The reason for rejecting a target, as a text for the client.
  enum Fault: Error, Equatable {
    case tooLong
    case malformed(String)
  }

  /// Reads a raw target: origin form (`/a?b`), absolute form (`http://host/a?b`) or `*`.
  ///
  /// - Throws: ``Fault`` for unprintable bytes, invalid escapes, `%00`, a path that is not UTF-8,
  ///   and, after decoding, `.`, `..`, `\`, `//` or control characters in the path.
  init(_ raw: UnsafeBufferPointer<UInt8>) throws(Fault) {
    guard raw.count <= Self.maxLength else { throw .tooLong }
    for byte in raw where byte < 0x21 || byte > 0x7E {
      throw .malformed("The request target holds a byte that is not printable ASCII.")
    }
    let origin = try Self.originForm(raw[...])
    let mark = origin.firstIndex(of: UInt8(ascii: "?"))
    path = try Self.path(origin[..<(mark ?? origin.endIndex)])
    query =
      try mark.map { (mark) throws(Fault) in try Self.query(origin[(mark + 1)...]) } ?? Query()
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func originForm(_ raw: Bytes) throws(Fault) -> Bytes {
    guard raw.first != UInt8(ascii: "/") else { return raw }
    if raw.elementsEqual("*".utf8) { return raw }
    for scheme in ["http://", "https://"] where raw.starts(with: scheme.utf8) {
      let rest = raw.dropFirst(scheme.utf8.count)
      if let slash = rest.firstIndex(of: UInt8(ascii: "/")) { return rest[slash...] }
    }
    throw .malformed("The request target is not a path.")
  }

  private static func path(_ raw: Bytes) throws(Fault) -> String {
    var bytes = [UInt8](raw)
    if bytes.contains(UInt8(ascii: "%")) {
      bytes.removeAll(keepingCapacity: true)
      try decode(raw, plusIsSpace: false, into: &bytes)
    }
    var previous: UInt8 = 0
    for byte in bytes {
      guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "\\") else {
        throw .malformed("The path holds a control character or a backslash.")
      }
      guard byte != UInt8(ascii: "/") || previous != UInt8(ascii: "/") else {
        throw .malformed("The path holds an empty segment.")
      }
      previous = byte
    }
    if bytes.contains(UInt8(ascii: ".")) {
      for segment in bytes.split(separator: UInt8(ascii: "/"))
      where segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
        throw .malformed("The path holds a `.` or `..` segment.")
      }
    }
    return try text(bytes, of: "path")
  }

  private static func query(_ raw: Bytes) throws(Fault) -> Query {
    var pairs: [Query.Pair] = []
    var start = raw.startIndex
    while start < raw.endIndex {
      let rest = raw[start...]
      let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? raw.endIndex
      start = end + 1
      let pair = rest[..<end]
      guard !pair.isEmpty else { continue }
      guard pairs.count < maxParameters else {
        throw .malformed("The query has more than \(maxParameters) parameters.")
      }
      let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      pairs.append(
        Query.Pair(
          name: try component(pair[..<mark]),
          value: mark == pair.endIndex ? "" : try component(pair[(mark + 1)...])))
    }
    return Query(pairs: pairs)
  }

  private static func component(_ raw: Bytes) throws(Fault) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    try decode(raw, plusIsSpace: true, into: &bytes)
    return try text(bytes, of: "query")
  }

  /// Decodes `%` escapes (RFC 3986 §2.1) once.
  private static func decode(
    _ raw: Bytes, plusIsSpace: Bool, into bytes: inout [UInt8]
  ) throws(Fault) {
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard raw.endIndex - index >= 2, let high = hexDigit(raw[index]),
          let low = hexDigit(raw[index + 1])
        else { throw .malformed("The request target holds a broken % escape.") }
        guard high | low != 0 else { throw .malformed("The request target holds %00.") }
        bytes.append(high << 4 | low)
        index += 2
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  private static func text(_ bytes: [UInt8], of part: String) throws(Fault) -> String {
    // Fast path for ASCII, which needs no validation.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed("The \(part) is not UTF-8.")
    }
    return text
  }
}
