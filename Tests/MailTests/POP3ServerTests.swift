import Mail
import Testing

@Suite struct POP3ServerTests {
  @Test(arguments: [
    ("pop3s://ana:x@mail.example.org", "mail.example.org", 995, true),
    ("POP3S://ana:x@mail.example.org:9950/", "mail.example.org", 9950, true),
    ("pop3s://ana:x@[2001:db8::1]", "[2001:db8::1]", 995, true),
    ("pop3://ana:x@localhost", "localhost", 110, false),
    ("pop3://ana:x@127.0.0.1:1100", "127.0.0.1", 1100, false),
    ("pop3://ana:x@[::1]", "[::1]", 110, false),
  ])
  func `a mailbox address gives the port and the encryption`(
    text: String, host: String, port: UInt16, isEncrypted: Bool
  ) throws {
    let server = try POP3Server(text)
    #expect((server.host, server.port, server.isEncrypted) == (host, port, isEncrypted))
  }

  @Test func `a login is percent-decoded`() throws {
    let login = try POP3Server("pop3s://ana%40example.org:p%3Aa%2Fs@mail.example.org").login
    #expect(login.username == "ana@example.org")
    #expect(login.password == "p:a/s")
  }

  @Test(arguments: [
    "", "mail.example.org", "imaps://ana:x@mail.example.org", "pop3s://ana:x@", "pop3s://ana:x@a/b",
    "pop3s://ana:x@mail.example.org?tls=none", "pop3s://ana:x@mail.example.org:0",
    "pop3s://ana:x@mail.example.org:65536", "pop3s://ana:x@mail.example.org\r\nDELE 1",
  ])
  func `an address that names no mailbox is refused`(text: String) {
    #expect(throws: InvalidPOP3Server.malformed) { try POP3Server(text) }
  }

  @Test(arguments: ["pop3://ana:x@mail.example.org", "pop3://ana:x@10.0.0.1"])
  func `a password to another machine needs encryption`(text: String) {
    #expect(throws: InvalidPOP3Server.unencrypted) { try POP3Server(text) }
  }

  @Test(arguments: [
    "pop3s://mail.example.org", "pop3s://ana@mail.example.org", "pop3s://ana:@mail.example.org",
    "pop3s://ana:a%0Ab@mail.example.org",
  ])
  func `a mailbox without a full login is refused`(text: String) {
    #expect(throws: InvalidPOP3Server.login) { try POP3Server(text) }
  }
}
