import Foundation
import Mail
import PrivacyMap
import TestMailServer
import Testing

@Suite struct MailMessageTests {
  @Test func `a mail has all the fields that servers require`() throws {
    let lines = try TestMail.message(subject: "Hello").lines
    for line in [
      "Date: Sat, 21 Nov 2026 12:00:00 +0000", "From: Farol", " <farol@example.org>",
      "To: ana@example.net", "Subject: Hello", "Message-ID: <1f2e@farol.example.org>",
      "Auto-Submitted: auto-generated", "Content-Language: pt", "MIME-Version: 1.0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "Thu, 1 Jan 1970 00:00:00 +0000"),
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

  @Test func `no line is longer than 78 bytes, whatever the text`() throws {
    let long = String(repeating: "ã", count: 300)
    let message = try TestMail.message(
      from: "\(String(long.prefix(100))) <farol@example.org>", subject: long, text: long + "\n.\n",
      html: String(repeating: "x", count: 5_000))
    #expect(message.lines.allSatisfy { $0.utf8.count <= 78 })
    #expect(message.mime().allSatisfy { $0 < 0x7F })
  }

  @Test func `all line breaks are CRLF, whatever the text contains`() throws {
    let source = try TestMail.message(text: "a\nb\rc\r\nd\n\n\re").mime()
    for (place, byte) in source.enumerated() {
      if byte == UInt8(ascii: "\n") { #expect(source[place - 1] == UInt8(ascii: "\r")) }
      if byte == UInt8(ascii: "\r") { #expect(source[place + 1] == UInt8(ascii: "\n")) }
    }
    #expect(String(decoding: source, as: UTF8.self).contains("a\r\nb\r\nc\r\nd\r\n\r\n\r\ne\r\n"))
  }

  @Test func `an encoded word holds whole characters in at most 75 bytes`() throws {
    let subject = String(repeating: "a€😀", count: 40)
    let words = try TestMail.message(subject: subject).source
      .components(separatedBy: "=?UTF-8?Q?").dropFirst()
    #expect(words.count > 3)
    for word in words {
      let content = word.prefix { $0 != "?" }
      #expect(content.utf8.count + 12 <= 75)
      let bytes = try decodedQ(String(content))
      #expect(String(validating: bytes, as: UTF8.self) != nil)
    }
  }

  /// The bytes of an encoded word's content.
  private func decodedQ(_ text: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while let first = rest.popFirst() {
      if first == "=" {
        bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
        rest = rest.dropFirst(2)
      } else {
        bytes += Array(String(first).utf8)
      }
    }
    return bytes
  }

  @Test func `text that equals the boundary between the parts stays in its part`() throws {
    let message = try TestMail.message(text: "--=_farol_\n--=_farol_--\n")
    #expect(message.lines.filter { $0.hasPrefix("--=_farol_") }.count == 3)
  }
}
