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
///
/// Counts are in memory; a restart resets them.
struct LinkLimits: Sendable {
  /// Mails to one address per requesting network.
  static let hourly = 3
  static let daily = 6
  /// Mails per address and day for all networks together from which the owner has not signed in.
  static let strangers = 20

  /// An address and the network that requested a mail to it.
  struct Pair: Hashable, Sendable {
    /// The address in the form of ``EmailAddress/key(of:)``.
    let address: String
    let network: ClientAddress
  }

  private let hours: Throttle<Pair>
  private let days: Throttle<Pair>
  private let others: Throttle<String>
  /// Password links that the owner requested from a known network, while they are valid.
  private let owned: Throttle<String>

  init(now: @escaping @Sendable () -> Timestamp) {
    hours = Throttle(limit: Self.hourly, window: .seconds(3_600), now: now)
    days = Throttle(limit: Self.daily, window: .seconds(86_400), now: now)
    others = Throttle(limit: Self.strangers, window: .seconds(86_400), now: now)
    owned = Throttle(limit: 1, window: .seconds(MailTokens.Kind.reset.lifetime), now: now)
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
  func take(_ pair: Pair, isKnown: Bool, for kind: MailTokens.Kind) -> Bool {
    let isReset = kind == .reset
    guard hours.wait(for: pair) == nil, days.wait(for: pair) == nil else { return false }
    guard isKnown || others.wait(for: pair.address) == nil else { return false }
    guard isKnown || !isReset || owned.wait(for: pair.address) == nil else { return false }
    hours.count(pair)
    days.count(pair)
    if !isKnown { others.count(pair.address) }
    if isKnown, isReset { owned.count(pair.address) }
    return true
  }
}
