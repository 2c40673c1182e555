import Mail
import Testing

@Suite struct SMTPServerTests {
  @Test(arguments: [
    ("smtp://mail.example.org", "mail.example.org", 25, SMTPServer.Security.startTLS),
    ("smtp://mail.example.org:587", "mail.example.org", 587, .startTLS),
    ("smtp://mail.example.org:587/?tls=required", "mail.example.org", 587, .startTLS),
    ("smtps://mail.example.org", "mail.example.org", 465, .tls),
    ("SMTPS://mail.example.org:4650/", "mail.example.org", 4650, .tls),
    ("smtp://localhost", "localhost", 25, .none),
    ("smtp://LOCALHOST:2525", "LOCALHOST", 2525, .none),
    ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, .none),
    ("smtp://127.9.8.7:2525?tls=none", "127.9.8.7", 2525, .none),
    ("smtp://[::1]:2525", "[::1]", 2525, .none),
    ("smtp://localhost:587?tls=required", "localhost", 587, .startTLS),
    ("smtp://10.0.0.1", "10.0.0.1", 25, .startTLS),
    ("smtp://128.0.0.1", "128.0.0.1", 25, .startTLS),
    ("smtp://[2001:db8::1]", "[2001:db8::1]", 25, .startTLS),
    ("smtp://localhost.example.org", "localhost.example.org", 25, .startTLS),
    ("smtp://127.0.0.1.example.org", "127.0.0.1.example.org", 25, .startTLS),
    ("smtps://localhost", "localhost", 465, .tls),
  ])
  func `a server address gives the port and the encryption mode`(
    text: String, host: String, port: UInt16, security: SMTPServer.Security
  ) throws {
    let server = try SMTPServer(text)
    #expect((server.host, server.port) == (host, port))
    #expect(server.security == security)
    #expect(server.login == nil)
  }

  @Test func `a login is percent-decoded`() throws {
    let login = try SMTPServer("smtp://ana%40example.org:p%3Aa%2Fs%40s%20%C3%A7@mail.example.org")
      .login
    #expect(login?.username == "ana@example.org")
    #expect(login?.password == "p:a/s@s ç")
  }

  @Test(arguments: [
    "", "mail.example.org", "mail.example.org:587", "smtp:", "smtp://", "smtp:///x",
    "http://mail.example.org", "smtp://mail.example.org/path", "smtp://mail.example.org#x",
    "smtp://mail.example.org?x=1", "smtps://mail.example.org?tls=none", "smtp://mail.example.org:0",
    "smtp://mail.example.org:65536", "smtp://mail.example.org:x", "smtp://mail .example.org",
    "smtp://mail.example.org\r\nRSET", "smtp://exâmplo.pt", "smtp://mail.example.org%0d%0a",
    "smtp://[::g]", "smtp://a,b", "smtp://mail.example.org?tls=maybe",
  ])
  func `an address that names no server is refused`(text: String) {
    #expect(throws: InvalidSMTPServer.malformed) { try SMTPServer(text) }
  }

  @Test(arguments: ["smtp://mail.example.org?tls=none", "smtp://10.0.0.1:25?tls=none"])
  func `unencrypted mail to another machine is refused`(text: String) {
    #expect(throws: InvalidSMTPServer.unencrypted) { try SMTPServer(text) }
  }

  @Test(arguments: [
    "smtp://ana@mail.example.org", "smtp://:x@mail.example.org", "smtp://ana:@mail.example.org",
    "smtp://ana:a%0Ab@mail.example.org", "smtp://a%00:b@mail.example.org",
    "smtp://ana:%FF@mail.example.org",
  ])
  func `a user name without a password, or the reverse, is refused`(text: String) {
    #expect(throws: InvalidSMTPServer.login) { try SMTPServer(text) }
  }
}
