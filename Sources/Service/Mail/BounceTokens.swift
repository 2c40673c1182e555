package import Mail
package import PrivacyMap
import Secrets
package import SpatialDatabase

/// The envelope senders of mails: an address for each, which encodes the recipient and the time, and which only this
/// instance can create. A report to such an address is therefore about that mail, whatever it contains.
package struct BounceTokens: Sendable {
  private let pattern: BounceAddress
  private let key: [UInt8]

  /// Seconds for which a token is accepted. Mail servers give up after five days (RFC 5321 §4.5.4.1), and Farol's own
  /// attempts take two.
  package static let lifetime: Int64 = Seconds.days(14)

  /// The account of a mail without one, which no account has.
  private static let nobody: Int64 = 0

  /// Reads the key of the instance, or makes it.
  package init(
    _ pattern: BounceAddress, _ connection: borrowing Connection, now: Timestamp
  ) throws {
    self.pattern = pattern
    key = try InstanceSecret.read(.bounces, connection, now: now)
  }

  /// The envelope sender of a mail to the address of an account. Nil for numbers that do not fit into a token: accounts
  /// from 2^48, and times after 2106.
  func address(for recipient: EmailAddress, of account: Int64?, at time: Timestamp) -> EmailAddress?
  {
    let account = account ?? Self.nobody
    guard let time = UInt32(exactly: time.secondsSinceEpoch), (0..<1 << 48).contains(account),
      let token = MaskedToken(
        Self.bytes(account, 6) + Self.bytes(Int64(time), 4), in: recipient.key, key: key)
    else { return nil }
    return try? pattern.address(token.text)
  }

  /// A mail that this instance may have sent, if the token is genuine.
  struct Claim {
    let account: Int64
    let token: MaskedToken
  }

  /// The claims of the addresses in header fields that are not older than ``lifetime``.
  func claims(in fields: [String], now: Timestamp) -> [Claim] {
    fields.flatMap(pattern.tokens).compactMap { text in
      guard let token = MaskedToken(text: text, key: key) else { return nil }
      let age = now.secondsSinceEpoch - Self.number(token.content.suffix(4))
      // Clocks may have been set back by a little.
      guard (-3_600...Self.lifetime).contains(age) else { return nil }
      return Claim(account: Self.number(token.content.prefix(6)), token: token)
    }
  }

  /// Whether this instance sent the mail of a claim to this address.
  func isGenuine(_ claim: Claim, to addressKey: String) -> Bool {
    claim.token.isGenuine(in: addressKey, key: key)
  }

  /// Big-endian.
  private static func bytes(_ number: Int64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
