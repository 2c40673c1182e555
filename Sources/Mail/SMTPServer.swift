internal import Foundation

/// The server that takes our mail, as a setting names it.
///
/// `smtp://host[:25]` is turned into TLS by STARTTLS before a login or a mail is sent, and refused if
/// that fails; `smtps://host[:465]` is TLS from the first byte. `user:password@` logs in; special
/// characters are percent-encoded. Mails open accounts, so they leave unencrypted for this same
/// machine only (`localhost`, `127.…`, `[::1]`), where it is the default; there `?tls=required`
/// asks for STARTTLS.
package struct SMTPServer: Equatable, Sendable {
  /// A name or an address; one of IPv6 in brackets.
  package let host: String
  package let port: UInt16
  /// How the connection becomes secret.
  package let security: Security
  /// Nil: no login.
  package let login: Login?

  /// How a connection becomes secret.
  package enum Security: Equatable, Sendable {
    /// Never.
    case none
    /// By STARTTLS, or nothing is sent.
    case startTLS
    /// From the first byte.
    case tls
  }

  /// A name and a password.
  package struct Login: Equatable, Sendable {
    package let username: String
    package let password: String
  }

  /// Reads the setting.
  ///
  /// - Throws: ``InvalidSMTPServer``, which does not repeat the setting: it holds a password.
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

  /// What libcurl connects to; `name` is whom we greet the server as (RFC 5321 §4.1.1.1).
  func url(greetingAs name: String) -> String {
    "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)/\(name)"
  }

  /// A text without percent-encoding; nil when it is empty or holds control characters.
  private static func decoded(_ text: String) -> String? {
    guard let decoded = text.removingPercentEncoding, !decoded.isEmpty,
      decoded.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    return decoded
  }

  /// A name or address of IPv4 in letters, digits, dots and hyphens, or one of IPv6 in brackets.
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

/// Why a setting names no ``SMTPServer``; a sentence without the setting, which may hold a password.
package enum InvalidSMTPServer: Error, CustomStringConvertible {
  case malformed
  case login
  case unencrypted

  package var description: String {
    switch self {
    case .malformed:
      "this is not an address such as smtp://mail.example.org:587 or smtps://mail.example.org, "
        + "with user:password@ before the host where a login is needed."
    case .login:
      "a login is a name and a password, as user:password@, with special characters "
        + "percent-encoded."
    case .unencrypted:
      "mail holds links that open accounts, so it leaves this machine encrypted only; leave out "
        + "tls=none, or name a server on localhost."
    }
  }
}
