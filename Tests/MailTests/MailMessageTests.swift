import Foundation
import Mail
import PrivacyMap
import TestMailServer
import Testing

@Suite struct MailMessageTests {
  @Test func `a mail has all the fields that servers require`() throws {
    let lines = try TestMail.message(subject: "Hello").lines
    for line in [
      "Date: Sat, 21 Nov 2026 12:00:00 +0000", "From: Farol <farol@example.org>",
      "To: ana@example.net", "Subject: Hello", "Message-Id: <1f2e@farol.example.org>",
      "Auto-Submitted: auto-generated", "Content-Language: pt", "MIME-Version: 1.0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 +0000"),
    ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 +0000"),
    ("2028-02-29T07:08:09Z", "Tue, 29 Feb 2028 07:08:09 +0000"),
  ])
  func `the date has the format of RFC 5322`(moment: String, written: String) throws {
    #expect(try TestMail.message(date: moment).lines.contains("Date: " + written))
  }

  @Test(arguments: [
    "a\r\nBcc: b@example.org", "a\nb", "a\rb", "a\0b", "a\u{85}b", "a\u{2028}b", "a\u{2029}b",
    "\u{7F}",
    "",
  ])
  func `a subject cannot begin another header line`(subject: String) {
    #expect(throws: InvalidMail.subject) { try TestMail.message(subject: subject) }
  }

  @Test func `a sender's name cannot begin another header line`() {
    #expect(throws: InvalidMail.name) {
      try MailMessage(
        from: Mailbox(name: "Farol\r\nBcc: b@example.org", address: TestMail.message().to),
        to: TestMail.message().to, subject: "Hello", language: "en", text: "", html: "",
        date: TestMail.message().date, messageID: "a@b")
    }
  }

  @Test(arguments: ["", "a", "@b", "a@", "a@b@c", "a b@c", "a>@b", "a@b\r\nX: y", "é@b"])
  func `a message id cannot begin another header line`(id: String) {
    #expect(throws: InvalidMail.messageID) { try TestMail.message(messageID: id) }
  }

  @Test(arguments: ["", "pt\r\nX: y", "pt;", "é"])
  func `a language cannot begin another header line`(language: String) {
    #expect(throws: InvalidMail.language) { try TestMail.message(language: language) }
  }

  @Test func `no line is longer than 78 bytes, whatever the content`() throws {
    let words = String(repeating: "Não há alteração à vista, ", count: 18)
    let message = try TestMail.message(
      from: "\(words.prefix(150)) <farol@example.org>", subject: words,
      text: String(repeating: "ã", count: 300) + "\n.\n",
      html: String(repeating: "x", count: 5_000))
    #expect(message.lines.allSatisfy { $0.utf8.count <= 78 })
    #expect(message.mime().allSatisfy { $0 < 0x7F })
  }

  /// 998 bytes, the limit of RFC 5322 §2.1.1.
  @Test(arguments: ["ã", "x", "a€😀", "\"", "=?"])
  func `a header of one long word stays within the limit for lines`(piece: String) throws {
    let subject = String(repeating: piece, count: 600 / piece.utf8.count)
    let name = String(repeating: piece, count: 200 / piece.utf8.count)
    let message = try MailMessage(
      from: Mailbox(name: name, address: TestMail.message().to), to: TestMail.message().to,
      subject: subject, language: "en", text: "", html: "", date: TestMail.message().date,
      messageID: "a@b")
    #expect(message.lines.allSatisfy { $0.utf8.count <= 998 })
    #expect(message.mime().allSatisfy { $0 < 0x7F })
  }

  @Test func `all line breaks are CRLF, whatever the text contains`() throws {
    let source = try TestMail.message(text: "a\nb\rc\r\nd\n\n\re").mime()
    for (place, byte) in source.enumerated() {
      if byte == UInt8(ascii: "\n") { #expect(source[place - 1] == UInt8(ascii: "\r")) }
      if byte == UInt8(ascii: "\r") { #expect(source[place + 1] == UInt8(ascii: "\n")) }
    }
    #expect(String(decoding: source, as: UTF8.self).contains("a\r\nb=0Dc\r\nd\r\n\r\n=0De\r\n"))
  }

  @Test func `text that equals the boundary between the parts stays in its part`() throws {
    let message = try TestMail.message(text: "--=_farol_\n--=_farol_--\n")
    #expect(message.lines.filter { $0.hasPrefix("--=_farol_") }.count == 3)
  }
}
