internal import Foundation

/// A username and a password.
package struct ServerLogin: Equatable, Sendable {
  package let username: String
  package let password: String
}

/// A user name without a password, or one of both that is empty or contains control characters.
struct InvalidServerLogin: Error {}

/// The parts of a server's address in a setting, `scheme://user:password@host:port`.
struct ServerURL {
  /// In lower case.
  let scheme: String
  /// A host name or an IP address; IPv6 in brackets.
  let host: String
  let query: String?
  private let url: URLComponents

  /// Parses an address without a path; nil if the text has another form.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let url = URLComponents(string: text),
      let scheme = url.scheme?.lowercased(), let host = url.encodedHost, Self.isHost(host),
      ["", "/"].contains(url.path), url.fragment == nil
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.url = url
    query = url.percentEncodedQuery
  }

  /// Whether the host is this machine.
  var isLoopback: Bool { Self.isLoopback(host) }

  /// Nil if it is not a number from 1 to 65,535.
  func port(byDefault port: Int) -> UInt16? {
    UInt16(exactly: url.port ?? port).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The login in the address; nil without one.
  func login() throws(InvalidServerLogin) -> ServerLogin? {
    switch (url.percentEncodedUser, url.percentEncodedPassword) {
    case (nil, nil): return nil
    case (let user?, let password?):
      guard let user = Self.decoded(user), let password = Self.decoded(password) else {
        throw InvalidServerLogin()
      }
      return ServerLogin(username: user, password: password)
    default: throw InvalidServerLogin()
    }
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
