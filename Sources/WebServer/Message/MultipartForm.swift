internal import Glibc

/// A form with files as sent by browsers: `multipart/form-data` (RFC 7578).
///
/// File content is not copied: a part refers to a range of the body.
package struct MultipartForm: Sendable {
  /// One field of the form.
  package struct Part: Sendable {
    package let name: String
    /// The file name on the client. Nil for a field without a file.
    package let fileName: String?
    /// The media type in lower case, without parameters.
    package let mediaType: String?
    /// The range of its content in the body.
    package let range: Range<Int>
  }

  /// In the order in which they were sent.
  package let parts: [Part]
  /// The body that contains the parts.
  package let body: BodyBytes

  /// The maximum number of fields in a form.
  package static let maxParts = 20
  /// The maximum length of a part's head, in bytes.
  private static let maxHeadLength = 8_192
  /// The maximum length of a field name, in bytes.
  private static let maxNameLength = 200
  /// Bytes searched at a time.
  private static let window = 256 << 10

  /// Reads the form in a request's body.
  ///
  /// - Throws: ``MalformedForm``.
  package init(_ request: Request) throws(MalformedForm) {
    let body = request.bytes
    guard request.mediaType == "multipart/form-data",
      let boundary = Self.boundary(request.headers["Content-Type"] ?? "")
    else { throw MalformedForm(reason: "it names no boundary") }
    let first = Array("--\(boundary)".utf8)
    guard body[0..<first.count] == first else {
      throw MalformedForm(reason: "it does not begin with its boundary")
    }
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var parts: [Part] = []
    var position = first.count
    while true {
      let mark = body[position..<position + 2]
      if mark == Array("--".utf8) { break }
      guard mark == Array("\r\n".utf8), parts.count < Self.maxParts else {
        throw MalformedForm(reason: "it has too many fields, or a boundary is broken")
      }
      let head = try Self.head(at: position + 2, in: body)
      guard let end = Self.find(delimiter, from: head.end, in: body) else {
        throw MalformedForm(reason: "it breaks off")
      }
      parts.append(
        Part(
          name: head.name, fileName: head.fileName, mediaType: head.mediaType,
          range: head.end..<end))
      position = end + delimiter.count
    }
    self.parts = parts
    self.body = body
  }

  /// The only part with this name; nil without one.
  ///
  /// - Throws: ``MalformedForm`` if there are several.
  package func part(_ name: String) throws(MalformedForm) -> Part? {
    let found = parts.filter { $0.name == name }
    guard found.count < 2 else { throw MalformedForm(reason: "it has a field twice") }
    return found.first
  }

  /// The content of a part.
  package func bytes(of part: Part) -> [UInt8] { body[part.range] }

  private typealias Head = (name: String, fileName: String?, mediaType: String?, end: Int)

  /// The header fields of a part. Its content starts at `end`.
  private static func head(at start: Int, in body: BodyBytes) throws(MalformedForm) -> Head {
    let bytes = body[start..<start + maxHeadLength]
    guard let end = position(of: Array("\r\n\r\n".utf8), in: bytes),
      let text = String(validating: bytes[..<end], as: UTF8.self)
    else { throw MalformedForm(reason: "a field has no head") }
    var name: String?
    var fileName, mediaType: String?
    for line in text.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw MalformedForm(reason: "a field has a broken head") }
      let value = String(parts[1])
      switch parts[0].lowercased() {
      case "content-disposition":
        guard value.prefix(while: { $0 != ";" }).trimmed.lowercased() == "form-data" else {
          throw MalformedForm(reason: "it holds something else than fields")
        }
        name = parameter("name", of: value)
        fileName = parameter("filename", of: value)
      case "content-type":
        mediaType = value.prefix { $0 != ";" }.trimmed.lowercased()
      default: break
      }
    }
    guard let name, !name.isEmpty, name.utf8.count <= maxNameLength else {
      throw MalformedForm(reason: "a field has no name, or too long a one")
    }
    return (name, fileName, mediaType, start + end + 4)
  }

  /// The boundary of a Content-Type (RFC 2046 §5.1.1): 1 to 70 characters.
  private static func boundary(_ contentType: String) -> String? {
    guard let boundary = parameter("boundary", of: contentType),
      (1...70).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !boundary.hasSuffix(" ")
    else { return nil }
    return boundary
  }

  /// A parameter of a header field, quoted or not. Browsers escape quotes as `%22` and do not escape the backslash
  /// (HTML, «Multipart form data»).
  private static func parameter(_ name: String, of value: String) -> String? {
    var rest = Substring(value)
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[semicolon...].dropFirst().drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let key = rest[..<equals].trimmed.lowercased()
      rest = rest[equals...].dropFirst()
      let text: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        guard let quote = rest.firstIndex(of: "\"") else { return nil }
        text = rest[..<quote]
        rest = rest[quote...].dropFirst()
      } else {
        text = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(text.count)
      }
      if key == name { return text.replacing("%22", with: "\"").trimmed }
    }
    return nil
  }

  /// The first position of `pattern` at or after `start`.
  private static func find(_ pattern: [UInt8], from start: Int, in body: BodyBytes) -> Int? {
    var position = start
    while position + pattern.count <= body.count {
      let bytes = body[position..<position + window]
      if let found = self.position(of: pattern, in: bytes) { return position + found }
      guard bytes.count == window else { return nil }
      // Overlap with the next window, because a match may cross the boundary.
      position += window - pattern.count + 1
    }
    return nil
  }

  private static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard let first = pattern.first else { return nil }
    return bytes.withUnsafeBytes { hay in
      var rest = hay[...]
      while rest.count >= pattern.count {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        guard let start = part.baseAddress, let found = memchr(start, Int32(first), part.count)
        else { return nil }
        let position = rest.startIndex + (UnsafeRawPointer(found) - start)
        guard hay.count - position >= pattern.count else { return nil }
        if memcmp(found, pattern, pattern.count) == 0 { return position }
        rest = hay[(position + 1)...]
      }
      return nil
    }
  }
}

/// A malformed form, with the reason.
package struct MalformedForm: Error, CustomStringConvertible {
  /// Completes a sentence that begins with «the form is malformed: ».
  package let reason: String
  package var description: String { "the form is malformed: \(reason)" }
}
