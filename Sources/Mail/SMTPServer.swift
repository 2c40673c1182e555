internal import Foundation

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
  /// How the connection is encrypted.
  package let security: Security
  /// Nil if no login is needed.
  package let login: Login?

  /// How a connection is encrypted.
  package enum Security: Equatable, Sendable {
    /// Not encrypted.
    case none
    /// STARTTLS is required before anything is sent.
    case startTLS
    /// TLS from the first byte.
    case tls
  }

  /// A username and a password.
  package struct Login: Equatable, Sendable {
    package let username: String
    package let password: String
  }

  /// Parses the setting.
  ///
  /// - Throws: ``InvalidSMTPServer``, without the setting, because that contains a password.
  package init(_ text: String) throws(InvalidSMTPServer) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let url = URLComponents(string: text),
      let scheme = url.scheme?.lowercased(), let host = url.encodedHost, Self.isHost(host),
      ["", "/"].contains(url.path), url.fragment == nil
    else { throw .malformed }
    let isHere = Self.isLoopback(host)
    switch (scheme, url.percentEncodedQuery) {
    case ("smtps", nil): security = .tls
    case ("smtp", "tls=required"): security = .startTLS
    case ("smtp", nil): security = isHere ? .none : .startTLS
    case ("smtp", "tls=none") where isHere: security = .none
    case ("smtp", "tls=none"): throw .unencrypted
    default: throw .malformed
    }
    guard let port = UInt16(exactly: url.port ?? (scheme == "smtps" ? 465 : 25)), port > 0 else {
      throw .malformed
    }
    (self.host, self.port) = (host, port)
    switch (url.percentEncodedUser, url.percentEncodedPassword) {
    case (nil, nil): login = nil
    case (let user?, let password?):
      guard let user = Self.decoded(user), let password = Self.decoded(password) else {
        throw .login
      }
      login = Login(username: user, password: password)
    default: throw .login
    }
  }

  /// The URL for libcurl; `name` is the client's name in the greeting (RFC 5321 §4.1.1.1).
  func url(greetingAs name: String) -> String {
    "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)/\(name)"
  }

  /// Decodes percent-encoding; nil if the text is empty or contains control characters.
  private static func decoded(_ text: String) -> String? {
    guard let decoded = text.removingPercentEncoding, !decoded.isEmpty,
      decoded.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    return decoded
  }

  /// A host name or IPv4 address (letters, digits, dots and hyphens), or an IPv6 address in brackets.
  private static func isHost(_ host: String) -> Bool {
    guard !host.isEmpty, host.utf8.count <= 253 else { return false }
    if host.hasPrefix("["), host.hasSuffix("]") {
      var address = in6_addr()
      return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
    }
    return host.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-._".utf8.contains($0)
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }  // RFC 6761 §6.3
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    return host == "[::1]"
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
