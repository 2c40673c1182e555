import Mail
import Testing

@Suite struct EmailAddressTests {
  @Test(arguments: [
    "ana@example.org", "a@b.co", "Ana.Maria+farol@mail.example.org", "o'neil@example.ie",
    "ana@xn--exmplo-dta.pt", "1@2.example", "a!#$%&*-/=?^_`{|}~b@example.org",
  ])
  func `common addresses are accepted`(text: String) throws {
    #expect(try EmailAddress(text).text == text)
  }

  @Test(arguments: [
    "", "@", "ana", "ana@", "@example.org", "ana@@example.org", "ana@b@example.org",
    "ana@example", "ana@localhost", ".ana@example.org", "ana.@example.org", "a..b@example.org",
    "ana@.example.org", "ana@example.org.", "ana@example..org", "ana@-example.org",
    "ana@example-.org", "ana@10.0.0.1", "ana@[10.0.0.1]", "ana@exam_ple.org",
    "\"ana maria\"@example.org", "\"ana\"@example.org", "ana maria@example.org",
    " ana@example.org", "ana@example.org ", "Ana <ana@example.org>",
    "ana@example.org,b@example.org",
    "ana@example.org\r\nBcc: b@example.org", "ana\n@example.org", "ana@example.org\0",
    "ana\u{7F}@example.org", "ana(comment)@example.org", "<ana@example.org>",
  ])
  func `invalid addresses are refused`(text: String) {
    #expect(throws: InvalidEmailAddress.malformed) { try EmailAddress(text) }
  }

  @Test(arguments: [
    "josé@example.org", "ana@exâmplo.pt", "ana@example\u{202E}.org", "\u{200B}ana@example.org",
    "аna@example.org",
  ])
  func `an address with letters beyond ASCII is refused with that reason`(text: String) {
    #expect(throws: InvalidEmailAddress.beyondASCII) { try EmailAddress(text) }
  }

  @Test func `a local part of 64 bytes is accepted and one of 65 is not`() throws {
    let longest = String(repeating: "a", count: 64)
    #expect(try EmailAddress(longest + "@example.org").text.utf8.count == 76)
    #expect(throws: InvalidEmailAddress.tooLong) { try EmailAddress(longest + "a@example.org") }
  }

  @Test func `an address of 254 bytes is accepted and one of 255 is not`() throws {
    let label = String(repeating: "b", count: 61)
    let domain = [label, label, label, "example.org"].joined(separator: ".")
    let local = String(repeating: "a", count: 254 - domain.utf8.count - 1)
    #expect(try EmailAddress(local + "@" + domain).text.utf8.count == 254)
    #expect(throws: InvalidEmailAddress.tooLong) { try EmailAddress(local + "a@" + domain) }
  }

  @Test func `a label of 63 bytes is accepted and one of 64 is not`() throws {
    let label = String(repeating: "b", count: 63)
    #expect(try EmailAddress("ana@\(label).org").domain == "\(label).org")
    #expect(throws: InvalidEmailAddress.malformed) { try EmailAddress("ana@b\(label).org") }
  }

  @Test func `two spellings of one mailbox have one key, two mailboxes have two`() throws {
    #expect(try EmailAddress("Ana@Example.ORG").key == "ana@example.org")
    #expect(try EmailAddress("ana@example.org").key == "ana@example.org")
    #expect(try EmailAddress("an.a@example.org").key != "ana@example.org")
  }

  @Test func `the reason for a refusal does not repeat the address`() {
    for refusal in [InvalidEmailAddress.malformed, .tooLong, .beyondASCII] {
      #expect(!"\(refusal)".contains("josé"))
    }
  }

  @Test(
    arguments: [
      ("farol@example.org", nil),
      ("Farol <farol@example.org>", "Farol"),
      ("  Farol da Madeira   <farol@example.org>", "Farol da Madeira"),
      ("\"Farol, Madeira\" <farol@example.org>", "Farol, Madeira"),
      ("<farol@example.org>", nil),
    ] as [(String, String?)])
  func `a sender may have a name`(text: String, name: String?) throws {
    let sender = try Mailbox(text)
    #expect(sender.address.text == "farol@example.org")
    #expect(sender.name == name)
  }

  @Test(arguments: [
    "Farol", "Farol farol@example.org", "Farol <farol@example.org> x", "Farol <>",
    "Farol\r\nBcc: b@example.org <farol@example.org>",
  ])
  func `a sender without an address is refused`(text: String) {
    #expect(throws: InvalidEmailAddress.self) { try Mailbox(text) }
  }
}
