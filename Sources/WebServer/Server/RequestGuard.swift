internal import CMicroHTTPD
internal import Glibc

/// Rejects requests that libmicrohttpd 0.9.75 wrongly accepts, before they are processed. If a
/// server parses a request differently from the proxy before it, an attacker can make it answer
/// another client's request (request smuggling).
///
/// The rules come from RFC 9112 §3, §5 and §6. libmicrohttpd itself rejects two kinds of head before any of our
/// callbacks, with a short page: a line without colon, and a length that is not a number.
struct RequestGuard {
  static let maxHeaders = 100

  /// The head as parsed by libmicrohttpd, in place in its read buffer.
  struct Head {
    var method: UnsafePointer<CChar>
    var target: UnsafePointer<CChar>
    var targetLength: Int
    var version: UnsafePointer<CChar>
    /// From the first byte of the method to the end of the empty line. 0 if not known.
    var size: Int
  }

  /// The result for an accepted request.
  struct Verdict {
    var headers = Headers()
    /// Nil for no body or a chunked body.
    var contentLength: Int?
  }

  private(set) var verdict = Verdict()
  private(set) var fault: String?

  private var hosts = 0
  private var contentTypes = 0
  private var lengths = 0
  private var codings = 0
  private let isVersion1x1: Bool
  /// The expected position of the next field's name. libmicrohttpd leaves fields where they
  /// arrived, so a gap other than CRLF is a bare LF, a NUL or a folded line that it accepted. Nil
  /// for a version of libmicrohttpd whose buffer layout is not known.
  private var expected: UnsafePointer<CChar>?

  /// Reads and checks the head of a request on its first callback.
  static func judge(
    _ connection: OpaquePointer, _ head: Head
  ) throws(Problem) -> Verdict {
    var judge = RequestGuard(head)
    withUnsafeMutablePointer(to: &judge) {
      _ = MHD_get_connection_values_n(connection, .HEADER_KIND, judgeField, $0)
    }
    judge.conclude(head)
    if let fault = judge.fault { throw Problem(.badRequest, fault) }
    return judge.verdict
  }

  private init(_ head: Head) {
    isVersion1x1 = strcmp(head.version, "HTTP/1.1") == 0
    let isVersion1x0 = strcmp(head.version, "HTTP/1.0") == 0
    if !isVersion1x1, !isVersion1x0 { fault = "Only HTTP/1.1 and HTTP/1.0 are supported." }
    let methodLength = strlen(head.method)
    for index in 0..<methodLength
    where !Self.isTokenByte(UInt8(bitPattern: head.method[index])) {
      fault = "The method is not a token."
    }
    guard Self.knowsLayout else { return }
    if head.method + methodLength + 1 != head.target
      || head.target + head.targetLength + 1 != head.version
    {
      fault = "The request line is not three words separated by single spaces."
    }
    expected = head.version + 8 + 2
  }

  /// The layout is known from the source code of 0.9.75, the version in Debian 12.
  private static let knowsLayout = strcmp(MHD_get_version(), "0.9.75") == 0

  fileprivate mutating func add(
    _ name: UnsafePointer<CChar>, _ nameLength: Int, _ value: UnsafePointer<CChar>?,
    _ valueLength: Int
  ) -> Bool {
    guard verdict.headers.count < Self.maxHeaders else {
      fault = "The request has more than \(Self.maxHeaders) header fields."
      return false
    }
    if let expected {
      guard name == expected, let value, value > name + nameLength else {
        fault = "The header holds a line that does not end in CRLF, a folded line or a NUL."
        return false
      }
      self.expected = value + valueLength + 2
    }
    return name.withMemoryRebound(to: UInt8.self, capacity: nameLength) { bytes in
      let name = UnsafeBufferPointer(start: bytes, count: nameLength)
      guard let value else { return check(name, UnsafeBufferPointer(start: nil, count: 0)) }
      return value.withMemoryRebound(to: UInt8.self, capacity: valueLength) {
        check(name, UnsafeBufferPointer(start: $0, count: valueLength))
      }
    }
  }

  private mutating func check(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard !name.isEmpty, name.allSatisfy(Self.isTokenByte) else {
      fault = "A header field's name is not a token."
      return false
    }
    for byte in value where byte < 0x20 && byte != 0x09 || byte == 0x7F {
      fault = "A header field holds a control character."
      return false
    }
    checkFraming(name, value)
    verdict.headers.append(name: name, value: value)
    return fault == nil
  }

  private mutating func checkFraming(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    if Self.equal(name, "host") {
      hosts += 1
      if !value.allSatisfy(Self.isHostByte) { fault = "The Host field is not a host." }
    } else if Self.equal(name, "content-length") {
      lengths += 1
      verdict.contentLength = Self.length(value)
      if verdict.contentLength == nil { fault = "The Content-Length is not a length." }
    } else if Self.equal(name, "content-type") {
      contentTypes += 1
    } else if Self.equal(name, "transfer-encoding") {
      codings += 1
      if !Self.equal(value, "chunked") { fault = "The only transfer coding known is chunked." }
    }
  }

  private mutating func conclude(_ head: Head) {
    guard fault == nil else { return }
    if hosts > 1 || hosts == 0 && isVersion1x1 {
      fault = "The request needs exactly one Host field."
    } else if lengths > 1 || contentTypes > 1 || codings > 1 {
      fault = "Content-Length, Content-Type or Transfer-Encoding occurs more than once."
    } else if codings > 0, lengths > 0 {
      fault = "Content-Length and Transfer-Encoding exclude each other."
    } else if codings > 0, !isVersion1x1 {
      fault = "HTTP/1.0 has no transfer codings."
    } else if let expected, head.size > 0, expected + 2 != head.method + head.size {
      fault = "The header holds a line that does not end in CRLF, a folded line or a NUL."
    }
  }

  /// `tchar` of RFC 9110 §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 94...122, 124, 126, 33, 35...39, 42, 43, 45, 46: true
    default: false
    }
  }

  /// The characters of `uri-host [":" port]` (RFC 3986 §3.2.2).
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "-._~%!$&'()*+;=:[]".utf8.contains(byte)
    }
  }

  /// Whether both are equal, ignoring ASCII case. `lowercased` is in lower case.
  private static func equal(
    _ bytes: UnsafeBufferPointer<UInt8>, _ lowercased: StaticString
  ) -> Bool {
    guard bytes.count == lowercased.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count
    where bytes[index].asciiLowercased != lowercased.utf8Start[index] { return false }
    return true
  }

  private static func length(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    var length = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return nil }
      length = length &* 10 &+ Int(digit &- 48)
    }
    return length
  }
}

/// `MHD_KeyValueIteratorN`: called for each header field, in order.
private func judgeField(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameLength: Int, _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
  guard let context, let name else { return .NO }
  let judge = context.assumingMemoryBound(to: RequestGuard.self)
  return judge.pointee.add(name, nameLength, value, valueLength) ? .YES : .NO
}
