package import PrivacyMap

/// A mail to one recipient, with the same content as plain text and as HTML.
///
/// All header values are checked on creation, so that no text can start a new header line.
package struct MailMessage: Equatable, Sendable {
  package let from: Mailbox
  package let to: EmailAddress
  package let subject: String
  /// The language of the text (BCP 47), such as `pt`.
  package let language: String
  /// Lines of any length.
  package let text: String
  /// A complete HTML document.
  package let html: String
  package let date: Timestamp
  /// `left@right`, without brackets; the same for every attempt to send the mail.
  package let messageID: String

  /// The maximum length of a subject in bytes; the catalogue's subjects have a tenth of that.
  package static let longestSubject = 600

  /// - Throws: ``InvalidMail`` if a value does not fit in a header.
  package init(
    from: Mailbox, to: EmailAddress, subject: String, language: String, text: String, html: String,
    date: Timestamp, messageID: String
  ) throws(InvalidMail) {
    guard !subject.isEmpty, Self.fits(subject, Self.longestSubject) else { throw .subject }
    guard Self.fits(from.name ?? "", 200) else { throw .name }
    guard !language.isEmpty, language.utf8.count <= 35,
      language.utf8.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
      })
    else { throw .language }
    guard Self.isMessageID(messageID) else { throw .messageID }
    self.from = from
    self.to = to
    self.subject = subject
    self.language = language
    self.text = text
    self.html = html
    self.date = date
    self.messageID = messageID
  }

  /// No line breaks, including those of Unicode, and no other control characters.
  private static func fits(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count <= limit
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
        default: true
        }
      }
  }

  private static func isMessageID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return parts.count == 2 && text.utf8.count <= 200
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { ASCII.isAtomText($0) || $0 == UInt8(ascii: ".") }
      }
  }

  /// The mail in wire format (RFC 5322, RFC 2045): ASCII, lines ended by CRLF and at most 78 bytes long
  /// without it, except for a line with a longer address.
  package func mime() -> [UInt8] {
    var mail = MailBytes()
    mail.field("Date", Self.dateText(date))
    mail.field("From", from.field)
    mail.field("To", to.text)
    mail.field("Subject", subjectField)
    mail.field("Message-ID", "<\(messageID)>")
    // RFC 3834: suppresses automatic replies.
    mail.field("Auto-Submitted", "auto-generated")
    mail.field("Content-Language", language)
    mail.field("MIME-Version", "1.0")
    mail.field(
      "Content-Type", "multipart/alternative;\r\n boundary=\"\(Self.boundary)\"")
    for (type, content) in [("text/plain", text), ("text/html", html)] {
      mail.line("")
      mail.line("--\(Self.boundary)")
      mail.field("Content-Type", "\(type); charset=utf-8")
      mail.field("Content-Transfer-Encoding", "quoted-printable")
      mail.line("")
      mail.bytes += QuotedPrintable(content).bytes
    }
    mail.line("")
    mail.line("--\(Self.boundary)--")
    return mail.bytes
  }

  /// Separates the parts. `=_` cannot occur in quoted-printable text (RFC 2045 §6.7, note 2).
  private static let boundary = "=_farol_"

  private var subjectField: [UInt8] {
    let isPlain = subject.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    let hasEdges = subject.first == " " || subject.last == " "
    return isPlain && !hasEdges && subject.utf8.count <= 69 && !subject.contains("=?")
      ? Array(subject.utf8) : EncodedWords(subject, after: "Subject: ".utf8.count).bytes
  }

  /// `Sat, 21 Nov 2026 12:00:00 +0000` (RFC 5322 §3.3).
  private static func dateText(_ date: Timestamp) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let (year, month, day) = date.day.parts
    let weekday = weekdays[((Int(date.day.daysSinceEpoch) % 7) + 7) % 7]
    let clock = date.text.dropFirst(11).prefix(8)
    return "\(weekday), \(day) \(months[month - 1]) \(year) \(clock) +0000"
  }
}

/// The value that does not fit in a header.
package enum InvalidMail: Error {
  case subject, name, language, messageID
}

/// Builds the lines of a mail.
private struct MailBytes {
  var bytes: [UInt8] = []

  mutating func line(_ text: String) {
    bytes += Array(text.utf8) + Array("\r\n".utf8)
  }

  mutating func field(_ name: String, _ body: String) { field(name, Array(body.utf8)) }

  mutating func field(_ name: String, _ body: [UInt8]) {
    bytes += Array(name.utf8) + Array(": ".utf8) + body + Array("\r\n".utf8)
  }
}
