import Foundation
import Mail
import PrivacyMap

/// Mails of tests.
enum TestMail {
  static func message(
    from: String = "Farol <farol@example.org>", to: String = "ana@example.net",
    subject: String = "Confirme a sua morada", text: String = "Olá, Ana.\n",
    html: String = "<!doctype html><p>Olá, Ana.</p>\n", language: String = "pt",
    date: String = "2026-11-21T12:00:00Z", messageID: String = "1f2e@farol.example.org"
  ) throws -> MailMessage {
    try MailMessage(
      from: Mailbox(from), to: EmailAddress(to), subject: subject, language: language, text: text,
      html: html, date: Timestamp(text: date) ?? Timestamp(secondsSinceEpoch: 0),
      messageID: messageID)
  }
}

extension MailMessage {
  /// The bytes as text, all of them ASCII.
  var source: String { String(decoding: mime(), as: UTF8.self) }
  /// Its lines without their line endings.
  var lines: [String] { source.components(separatedBy: "\r\n") }
}
