/// The address of an SMTP server, as given in a setting.
///
/// `smtp://host[:25]` switches to TLS with STARTTLS before a login or a mail is sent, and fails if that
/// fails. `smtps://host[:465]` uses TLS from the first byte. `user:password@` logs in; special characters
/// are percent-encoded. Mails contain links that open accounts, so they are sent unencrypted only to this
/// machine (`localhost`, `127.…`, `[::1]`), where this is the default; there, `?tls=required` requires
/// STARTTLS.
package struct SMTPServer: Equatable, Sendable {
  /// A host name or an IP address; IPv6 in brackets.
  package let host: String
  package let port: UInt16
  /// The encryption of the connection.
  package let security: Security
  /// Nil if no login is needed.
  package let login: ServerLogin?

  /// The encryption of a connection.
  package enum Security: Equatable, Sendable {
    /// Not encrypted.
    case none
    /// STARTTLS is required before anything is sent.
    case startTLS
    /// TLS from the first byte.
    case tls
  }

  /// Parses the setting.
  ///
  /// - Throws: ``InvalidSMTPServer``, without the setting, because that contains a password.
  package init(_ text: String) throws(InvalidSMTPServer) {
    guard let url = ServerURL(text) else { throw .malformed }
    switch (url.scheme, url.query) {
    case ("smtps", nil): security = .tls
    case ("smtp", "tls=required"): security = .startTLS
    case ("smtp", nil): security = url.isLoopback ? .none : .startTLS
    case ("smtp", "tls=none") where url.isLoopback: security = .none
    case ("smtp", "tls=none"): throw .unencrypted
    default: throw .malformed
    }
    guard let port = url.port(byDefault: url.scheme == "smtps" ? 465 : 25) else {
      throw .malformed
    }
    (self.host, self.port) = (url.host, port)
    do throws(InvalidServerLogin) { login = try url.login() } catch { throw .login }
  }

  /// The URL for libcurl; `name` is the client's name in the greeting (RFC 5321 §4.1.1.1).
  func url(greetingAs name: String) -> String {
    "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)/\(name)"
  }
}

/// Why a setting is not a valid ``SMTPServer``: a sentence without the setting, which may contain a
/// password.
package enum InvalidSMTPServer: Error, CustomStringConvertible {
  case malformed
  case login
  case unencrypted

  package var description: String {
    switch self {
    case .malformed:
      "this is not an address such as smtp://mail.example.org:587 or smtps://mail.example.org, "
        + "with user:password@ before the host if a login is needed."
    case .login:
      "a login is a name and a password, as user:password@, with special characters "
        + "percent-encoded."
    case .unencrypted:
      "mails contain links that open accounts, so they leave this machine only encrypted; remove "
        + "tls=none, or use a server on localhost."
    }
  }
}
