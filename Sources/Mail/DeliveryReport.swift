internal import CGMime

/// A report about the delivery of a mail (RFC 3464), which a mail server sends to the sender of the envelope.
///
/// Anybody can write one. What it says counts only with a secret that the sender put into the address.
package struct DeliveryReport: Equatable, Sendable {
  /// The values of the header fields that may name the address to which the report was sent: at most 20, of at most
  /// 1,000 bytes each.
  package let recipients: [String]
  /// Why the mail has finally failed to reach its recipient; nil if it has not.
  package let fault: DeliveryFault?

  /// Fields with the address of the report. RFC 3464 §2 requires `To`; the others are those of mail servers that
  /// deliver to a mailbox.
  private static let fields: Set<String> = ["to", "delivered-to", "x-original-to", "envelope-to"]

  /// Reads a mail; nil if it is not a report.
  package init?(_ bytes: [UInt8]) {
    guard MIMEShape.isPlain(bytes), let mail = ParsedMail(bytes) else { return nil }
    guard let status = mail.deliveryStatus else { return nil }
    recipients = mail.values(of: Self.fields, atMost: 20, bytes: 1_000)
    fault = DeliveryStatus(status).fault
  }
}

/// The lines of a mail that make GMime build objects.
enum MIMEShape {
  /// The number of such lines of each kind. A report with the mail that it is about has ten.
  static let most = 200

  /// Whether parsing it is cheap. GMime builds an object for each part, 1 KB for four bytes of a hostile mail.
  static func isPlain(_ bytes: [UInt8]) -> Bool {
    var (boundaries, types) = (0, 0)
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    ) {
      if line.starts(with: "--".utf8) { boundaries += 1 }
      if isType(line) { types += 1 }
    }
    return boundaries <= most && types <= most
  }

  private static func isType(_ line: ArraySlice<UInt8>) -> Bool {
    line.count >= 12 && zip(line, "content-type".utf8).allSatisfy { ($0 | 0x20) == ($1 | 0x20) }
  }
}

/// The fields of a `message/delivery-status` (RFC 3464 §2.1).
struct DeliveryStatus {
  /// What the report says of each recipient: the first words of `Action` and `Status`, in lower case.
  private var groups: [(action: String, status: String)] = []

  init(_ bytes: [UInt8]) {
    var group: [String: String] = [:]
    func end(_ groups: inout [(action: String, status: String)]) {
      if let action = group["action"] { groups.append((action, group["status"] ?? "")) }
      group = [:]
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty {
        end(&groups)
      } else if let (name, value) = Self.field(line), group[name] == nil {
        group[name] = value
      }
    }
    end(&groups)
  }

  /// The reason of a failed recipient, if the mail has reached none.
  var fault: DeliveryFault? {
    guard groups.allSatisfy({ ["failed", "delayed"].contains($0.action) }) else { return nil }
    return DeliveryFault.mildest(
      groups.filter { $0.action == "failed" }.compactMap { group in
        EnhancedStatus(group.status).flatMap(DeliveryFault.init)
      })
  }

  /// The name of a field and the first word of its value, both in lower case; nil for a line that continues one.
  private static func field(_ line: ArraySlice<UInt8>) -> (String, String)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let first = line.first,
      first > UInt8(ascii: " ")
    else { return nil }
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let name = line[..<colon].prefix { !isSpace($0) }
    let value = line[(colon + 1)...].drop(while: isSpace).prefix { byte in
      !isSpace(byte) && byte != UInt8(ascii: "(") && byte != UInt8(ascii: ";")
    }
    return (
      String(decoding: name, as: UTF8.self).lowercased(),
      String(decoding: value.prefix(40), as: UTF8.self).lowercased()
    )
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

  /// The content of the second part of a `multipart/report` about a delivery (RFC 6522 §3, RFC 6533 §6); nil if the mail
  /// is none.
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
  func values(of names: Set<String>, atMost most: Int, bytes: Int) -> [String] {
    let headers = g_mime_object_get_header_list(gmime_object(message))
    var found: [String] = []
    for index in 0..<g_mime_header_list_get_count(headers) where found.count < most {
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
