internal import CGMime

/// The parts of a delivery report that count, as GMime finds them in a mail.
package struct ReportParts: Equatable, Sendable {
  /// Values of header fields: at most ``maximum``, of at most ``maxLength`` bytes each.
  let recipients: [String]
  /// The content of the part `message/delivery-status`.
  let status: [UInt8]

  private static let maximum = 20
  private static let maxLength = 1_000

  /// Fields with the address of the report. RFC 3464 §2 requires `To`; mail servers that deliver to a mailbox add the
  /// others.
  private static let fields: Set<String> = ["to", "delivered-to", "x-original-to", "envelope-to"]

  /// Starts GMime, which reads files then.
  package static func prepare() { MIMEMessage.isReady }

  /// Parses a mail; nil if it is not a report.
  package init?(of mail: [UInt8]) {
    guard MIMEShape.isPlain(mail), let mail = ParsedMail(mail) else { return nil }
    guard let status = mail.deliveryStatus else { return nil }
    recipients = mail.values(of: Self.fields, atMost: Self.maximum, bytes: Self.maxLength)
    self.status = status
  }

  /// The parts, each after its length in four bytes, the status first.
  package var encoded: [UInt8] {
    ([status] + recipients.map { Array($0.utf8) }).flatMap { part in
      withUnsafeBytes(of: UInt32(clamping: part.count).bigEndian, Array.init) + part
    }
  }

  /// Reads ``encoded``, which comes from a process that may have been taken over by the mail it read; nil for other
  /// bytes.
  package init?(encoded bytes: [UInt8]) {
    var (rest, parts) = (bytes[...], [[UInt8]]())
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= length else { return nil }
      parts.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    guard let status = parts.first, parts.count <= Self.maximum + 1,
      parts.dropFirst().allSatisfy({ $0.count <= 3 * Self.maxLength })
    else { return nil }
    self.status = status
    recipients = parts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The lines of a mail that make GMime build objects.
enum MIMEShape {
  /// The number of such lines of each kind. A report with the mail that it is about has ten.
  static let maximum = 200

  /// Whether parsing it is cheap. GMime builds an object for each part, 1 KB for four bytes of a hostile mail.
  static func isPlain(_ bytes: [UInt8]) -> Bool {
    var (boundaries, types) = (0, 0)
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    ) {
      if line.starts(with: "--".utf8) { boundaries += 1 }
      if isType(line) { types += 1 }
    }
    return boundaries <= maximum && types <= maximum
  }

  private static func isType(_ line: ArraySlice<UInt8>) -> Bool {
    line.count >= 12 && zip(line, "content-type".utf8).allSatisfy { ($0 | 0x20) == ($1 | 0x20) }
  }
}

/// A mail as GMime parses it.
private struct ParsedMail: ~Copyable {
  private let message: UnsafeMutablePointer<GMimeMessage>

  init?(_ bytes: [UInt8]) {
    MIMEMessage.isReady
    let stream = g_mime_stream_mem_new_with_buffer(bytes, bytes.count)
    defer { g_object_unref(stream) }
    let parser = g_mime_parser_new_with_stream(stream)
    defer { g_object_unref(parser) }
    guard let message = g_mime_parser_construct_message(parser, nil) else { return nil }
    self.message = message
  }

  deinit { g_object_unref(message) }

  /// The content of the second part of a `multipart/report` about a delivery (RFC 6522 §3, RFC 6533 §6); nil for any
  /// other mail.
  var deliveryStatus: [UInt8]? {
    guard let whole = g_mime_message_get_mime_part(message),
      let type = g_mime_object_get_content_type(whole),
      g_mime_content_type_is_type(type, "multipart", "report") != 0,
      let kind = g_mime_content_type_get_parameter(type, "report-type"),
      String(cString: kind).lowercased() == "delivery-status"
    else { return nil }
    return gmime_part(whole, 1).flatMap(Self.status)
  }

  private static func status(_ part: UnsafeMutablePointer<GMimeObject>) -> [UInt8]? {
    guard let type = g_mime_object_get_content_type(part),
      g_mime_content_type_is_type(type, "message", "delivery-status") != 0
        || g_mime_content_type_is_type(type, "message", "global-delivery-status") != 0,
      let content = gmime_content(part)
    else { return nil }
    let stream = g_mime_stream_mem_new()
    defer { g_object_unref(stream) }
    guard g_mime_data_wrapper_write_to_stream(content, stream) >= 0,
      let text = gmime_bytes(stream)
    else { return nil }
    return Array(UnsafeBufferPointer(start: text.pointee.data, count: Int(text.pointee.len)))
  }

  /// The values of the header fields with these names, in lower case, cut to `bytes`.
  func values(of names: Set<String>, atMost maximum: Int, bytes: Int) -> [String] {
    let headers = g_mime_object_get_header_list(gmime_object(message))
    var found: [String] = []
    for index in 0..<g_mime_header_list_get_count(headers) where found.count < maximum {
      guard let header = g_mime_header_list_get_header_at(headers, index),
        let name = g_mime_header_get_name(header),
        names.contains(String(cString: name).lowercased()),
        let value = g_mime_header_get_raw_value(header)
      else { continue }
      found.append(String(decoding: String(cString: value).utf8.prefix(bytes), as: UTF8.self))
    }
    return found
  }
}
