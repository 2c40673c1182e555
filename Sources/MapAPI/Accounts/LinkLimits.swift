import Mail
import PrivacyMap
import WebServer

/// How many links that open something are mailed to one address.
///
/// Anybody may ask for a mail to an address. So mails count by the network that asks and the address
/// together: a stranger spends their own share and not the owner's. All strangers together have a
/// daily limit for each address, so that many networks do not flood a mailbox. Networks that the owner
/// has signed in from are not part of that limit.
///
/// Counts live in memory; a restart forgets them.
struct LinkLimits: Sendable {
  /// Mails to one address that one network asks for.
  static let hourly = 3
  static let daily = 6
  /// Mails to one address in a day that networks unknown to its owner ask for, all together.
  static let strangers = 20

  /// An address and who asked for a mail to it.
  struct Pair: Hashable, Sendable {
    /// Folded, as ``EmailAddress/key(of:)`` does.
    let address: String
    let network: ClientAddress
  }

  private let hours: Throttle<Pair>
  private let days: Throttle<Pair>
  private let others: Throttle<String>
  /// Links to set a password that the owner asked for from a known network, while they are good.
  private let owned: Throttle<String>

  init(now: @escaping @Sendable () -> Timestamp) {
    hours = Throttle(limit: Self.hourly, window: .seconds(3_600), now: now)
    days = Throttle(limit: Self.daily, window: .seconds(86_400), now: now)
    others = Throttle(limit: Self.strangers, window: .seconds(86_400), now: now)
    owned = Throttle(limit: 1, window: .seconds(MailTokens.Kind.reset.lifetime), now: now)
  }

  /// Counts a mail, if one may be sent.
  ///
  /// A link to set a password replaces the one before. So that strangers cannot end the link that the
  /// owner waits for, they get none while a link is good that a known network asked for.
  ///
  /// - Parameters:
  ///   - pair: the address, and who asked for the mail.
  ///   - isKnown: whether the owner of the address has signed in from the network.
  ///   - kind: what the link is for.
  /// - Returns: whether the mail may be sent. Called within the one writer's transaction.
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
