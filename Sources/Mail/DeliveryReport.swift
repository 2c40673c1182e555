/// A report about the delivery of a mail (RFC 3464), which a mail server sends to the sender of the envelope.
///
/// Anyone can write one. Its content counts only with a secret that the sender put into the address.
package struct DeliveryReport: Equatable, Sendable {
  /// The values of the header fields that may name the address to which the report was sent: at most 20, of at most
  /// 1,000 bytes each.
  package let recipients: [String]
  /// Why the mail has finally failed to reach its recipient; nil if it has not.
  package let fault: DeliveryFault?

  /// Reads a mail; nil if it is not a report. For mails from strangers, ``ReportProcess`` does it in a separate
  /// process.
  package init?(_ bytes: [UInt8]) {
    guard let parts = ReportParts(of: bytes) else { return nil }
    self.init(parts)
  }

  /// Interprets the parts of a report.
  package init(_ parts: ReportParts) {
    recipients = parts.recipients
    fault = DeliveryStatus(parts.status).fault
  }
}

/// The fields of a `message/delivery-status` (RFC 3464 §2.1).
struct DeliveryStatus {
  /// The statements about each recipient: the first words of `Action` and `Status`, in lower case.
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
