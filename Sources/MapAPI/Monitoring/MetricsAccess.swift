import Secrets
import WebServer

/// Who may read the figures of an instance: `FAROL_METRICS`.
package enum MetricsAccess: Sendable {
  case nobody
  /// Programs of this machine that ask directly. What a proxy passes on is refused, as the proxy may
  /// be of this machine while who asks is not.
  case loopback
  /// Whoever shows this token as `Authorization: Bearer …`, from wherever.
  case token(String)

  /// Characters of a token.
  package static let tokenLengths = 20...200

  /// Reads `off`, `loopback` or a token; nil for what is neither.
  package init?(_ text: String) {
    switch text {
    case "off": self = .nobody
    case "loopback": self = .loopback
    default:
      // What RFC 6750 §2.1 lets a token be made of.
      let isToken = text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "-._~+/=".utf8.contains(byte)
      }
      guard isToken, Self.tokenLengths.contains(text.utf8.count) else { return nil }
      self = .token(text)
    }
  }

  /// Fields that a proxy adds.
  private static let forwarding = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
  ]

  /// - Throws: a 404 where there is nothing to be had for the caller, a 401 where a token is missing or
  ///   wrong.
  func check(_ request: Request) throws {
    switch self {
    case .nobody:
      throw Self.nothing
    case .loopback:
      guard request.clientAddress.isLoopback,
        !Self.forwarding.contains(where: request.headers.contains)
      else { throw Self.nothing }
    case .token(let token):
      guard let given = request.headers["Authorization"] else { throw Refusal.signedOut }
      let parts = given.split(separator: " ", maxSplits: 1)
      // Digests, so that not even the length shows in the time it takes.
      guard parts.count == 2, parts[0].lowercased() == "bearer",
        Digest.equal(Digest.sha256(Array(parts[1].utf8)), Digest.sha256(Array(token.utf8)))
      else { throw Refusal.badToken }
    }
  }

  /// As of an address that there is not.
  private static let nothing = Problem(.notFound, "There is nothing at this address.")
}
