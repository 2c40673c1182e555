package import PrivacyMap

/// A mail to one recipient, with the same content as plain text and as HTML.
///
/// All header values are checked on creation, so that no text can start a new header line.
package struct MailMessage: Equatable, Sendable {
  package let from: Mailbox
  package let to: EmailAddress
  /// The sender in the envelope (RFC 5321 §2.3.1), which gets reports about the delivery.
  package let envelopeSender: EmailAddress
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
  /// Nil for a mail that is not one of a series.
  package let list: MailList?

  /// The maximum length of a subject in bytes; the catalogue's subjects have a tenth of that.
  package static let maxSubjectLength = 600

  /// `envelopeSender` is the sender by default.
  ///
  /// - Throws: ``InvalidMail`` if a value does not fit in a header.
  package init(
    from: Mailbox, to: EmailAddress, subject: String, language: String, text: String, html: String,
    date: Timestamp, messageID: String, list: MailList? = nil,
    envelopeSender: EmailAddress? = nil
  ) throws(InvalidMail) {
    guard !subject.isEmpty, Self.fits(subject, Self.maxSubjectLength) else { throw .subject }
    guard Self.fits(from.name ?? "", 200) else { throw .name }
    guard !language.isEmpty, language.utf8.count <= 35,
      language.utf8.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
      })
    else { throw .language }
    guard Self.isMessageID(messageID) else { throw .messageID }
    guard list?.isValid ?? true else { throw .list }
    self.from = from
    self.to = to
    self.envelopeSender = envelopeSender ?? from.address
    self.subject = subject
    self.language = language
    self.text = text
    self.html = html
    self.date = date
    self.messageID = messageID
    self.list = list
  }

  /// Whether a text is short enough and has no line breaks, including Unicode's, and no other control characters.
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

  /// The mail in wire format.
  package func mime() -> [UInt8] { MIMEMessage(self).bytes }
}

/// A series of mails that the recipient can end.
package struct MailList: Equatable, Sendable {
  /// Identifies the series: labels separated by dots (RFC 2919 §2).
  package let id: String
  /// An address that ends the series when it receives a POST request (RFC 8058).
  package let unsubscribe: String

  package init(id: String, unsubscribe: String) {
    self.id = id
    self.unsubscribe = unsubscribe
  }

  /// Whether both fit between angle brackets in a header.
  fileprivate var isValid: Bool {
    [id, unsubscribe].allSatisfy { text in
      (1...500).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>".utf8.contains($0) }
    }
  }
}

/// The value that does not fit in a header.
package enum InvalidMail: Error {
  case subject, name, language, messageID, list
}
