/// The address of a mailbox at a POP3 server (RFC 1939), as given in a setting.
///
/// `pop3s://user:password@host[:995]` uses TLS from the first byte, as RFC 8314 §3 recommends; special characters are
/// percent-encoded. Plain `pop3://` is accepted for this machine only (`localhost`, `127.…`, `[::1]`).
package struct POP3Server: Equatable, Sendable {
  /// A host name or an IP address; IPv6 in brackets.
  package let host: String
  package let port: UInt16
  package let isEncrypted: Bool
  package let login: ServerLogin

  /// Parses the setting.
  ///
  /// - Throws: ``InvalidPOP3Server``, without the setting, because that contains a password.
  package init(_ text: String) throws(InvalidPOP3Server) {
    guard let url = ServerURL(text), url.query == nil else { throw .malformed }
    switch url.scheme {
    case "pop3s": isEncrypted = true
    case "pop3" where url.isLoopback: isEncrypted = false
    case "pop3": throw .unencrypted
    default: throw .malformed
    }
    guard let port = url.port(byDefault: isEncrypted ? 995 : 110) else { throw .malformed }
    (host, self.port) = (url.host, port)
    guard let login = try? url.login() else { throw .login }
    self.login = login
  }

  /// The URL for libcurl: of the list of mails, or of a mail.
  func url(of mail: Int? = nil) -> String {
    "\(isEncrypted ? "pop3s" : "pop3")://\(host):\(port)/" + (mail.map(String.init) ?? "")
  }
}

/// Why a setting is not a valid ``POP3Server``: a sentence without the setting, which contains a password.
package enum InvalidPOP3Server: Error, CustomStringConvertible {
  case malformed
  case login
  case unencrypted

  package var description: String {
    switch self {
    case .malformed: "this is not an address such as pop3s://user:password@mail.example.org."
    case .login:
      "a mailbox needs a name and a password, as user:password@, with special characters "
        + "percent-encoded."
    case .unencrypted:
      "a password leaves this machine only encrypted; use pop3s://, or a server on localhost."
    }
  }
}
