import Mail
import PrivacyMap
import Service
import WebServer

/// Limits the number of links mailed to one address.
///
/// Anyone can request a mail to an address. Mails are therefore counted by the pair of requesting
/// network and address: a stranger uses up only their own share. A daily limit per address applies to
/// all strangers together, so that many networks cannot flood a mailbox. Networks from which the owner
/// has signed in are exempt from that limit.
struct LinkLimits: Sendable {
  /// Mails to one address per requesting network.
  static let hourly = 3
  static let daily = 6
  /// Mails per address and day for all networks together from which the owner has not signed in.
  static let strangers = 20

  /// An address and the network that requested a mail to it.
  struct Pair: CountedKey {
    /// The address in the form of ``EmailAddress/key(of:)``.
    let address: String
    let network: ClientAddress

    var countedBytes: [UInt8] { network.countedBytes + address.countedBytes }
  }

  private let hours: Throttle<Pair>
  private let days: Throttle<Pair>
  private let others: Throttle<String>
  /// Password links that the owner requested from a known network, while they are valid.
  private let owned: Throttle<String>

  init(_ rates: RateLimits) {
    hours = rates.limit("links.hours", Self.hourly, per: .seconds(3_600))
    days = rates.limit("links.days", Self.daily, per: .seconds(86_400))
    others = rates.limit("links.others", Self.strangers, per: .seconds(86_400))
    owned = rates.limit("links.owned", 1, per: .seconds(MailTokens.Kind.reset.lifetime))
  }

  /// Counts a mail if it may be sent.
  ///
  /// A password link replaces the previous one. While a link requested from a known network is valid,
  /// strangers cannot request another, so they cannot invalidate the link that the owner waits for.
  ///
  /// - Parameters:
  ///   - pair: the address and the requesting network.
  ///   - isKnown: whether the owner of the address has signed in from the network.
  ///   - kind: the purpose of the link.
  /// - Returns: whether the mail may be sent. Called within a transaction of the writer.
  /// - Throws: the errors of ``Throttle``.
  func take(_ pair: Pair, isKnown: Bool, for kind: MailTokens.Kind) throws -> Bool {
    let isReset = kind == .reset
    guard try hours.wait(for: pair) == nil, try days.wait(for: pair) == nil else { return false }
    guard try isKnown || others.wait(for: pair.address) == nil else { return false }
    guard try isKnown || !isReset || owned.wait(for: pair.address) == nil else { return false }
    try hours.count(pair)
    try days.count(pair)
    if !isKnown { try others.count(pair.address) }
    if isKnown, isReset { try owned.count(pair.address) }
    return true
  }
}
