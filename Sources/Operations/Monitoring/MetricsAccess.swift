import Secrets
import Service
import WebServer

/// Controls access to the metrics: `FAROL_METRICS`.
package enum MetricsAccess: Sendable {
  case nobody
  /// Direct requests from this machine. Forwarded requests are refused, because a proxy on this machine
  /// may forward requests from elsewhere.
  case loopback
  /// Requests from any address with this token as `Authorization: Bearer …`.
  case token(String)

  /// Allowed lengths of a token, in characters.
  package static let tokenLengths = 20...200

  /// Reads `off`, `loopback` or a token; nil if invalid.
  package init?(_ text: String) {
    switch text {
    case "off": self = .nobody
    case "loopback": self = .loopback
    default:
      // The characters that RFC 6750 §2.1 allows in a token.
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

  /// Headers that proxies add.
  private static let forwarding = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
  ]

  /// - Throws: a 404 if metrics are not available to the caller, a 401 if the token is missing or wrong.
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
      // Digests are compared, so that the time taken does not reveal even the length.
      guard parts.count == 2, parts[0].lowercased() == "bearer",
        Digest.equal(Digest.sha256(Array(parts[1].utf8)), Digest.sha256(Array(token.utf8)))
      else { throw Refusal.badToken }
    }
  }

  /// The response for an unknown path.
  private static let nothing = Problem(.notFound, "There is nothing at this address.")
}
