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

  /// Seconds after a mail that was caused by entering an address, in which another network causes no second mail. Mail
  /// usually arrives within minutes; greylisting delays it by five to ten (RFC 6647 §5).
  static let pause: Int64 = 600

  private let hours: Throttle<Pair>
  private let days: Throttle<Pair>
  private let others: Throttle<String>
  /// Password links that the owner requested from a known network, while they are valid.
  private let owned: Throttle<String>
  /// Addresses that were entered and to which a mail is on its way.
  private let entered: Throttle<String>
  /// The network that caused such a mail, which may request it again.
  private let enteredFrom: Throttle<Pair>

  init(_ rates: RateLimits) {
    hours = rates.limit("links.hours", Self.hourly, per: .seconds(3_600))
    days = rates.limit("links.days", Self.daily, per: .days(1))
    others = rates.limit("links.others", Self.strangers, per: .days(1))
    owned = rates.limit("links.owned", 1, per: .seconds(MailTokens.Kind.reset.lifetime))
    entered = rates.limit("links.entered", 1, per: .seconds(Self.pause))
    enteredFrom = rates.limit("links.entered_from", 1, per: .seconds(Self.pause))
  }

  /// A requested mail with a link.
  struct Link {
    let kind: MailTokens.Kind
    /// Whether the address was entered by a person who claims it: to sign up, to change an address, or to get such a
    /// mail again. One link is then enough, from any network: it confirms any account that claims the address.
    let isClaim: Bool
    /// Whether the owner of the address has signed in from the network.
    let isKnown: Bool
  }

  /// Counts a mail if it may be sent.
  ///
  /// A password link replaces the previous one. While a link requested from a known network is valid,
  /// strangers cannot request another, so they cannot invalidate the link that the owner waits for.
  ///
  /// - Parameters:
  ///   - pair: the address and the requesting network.
  ///   - link: the mail.
  ///   - isWaiting: whether a mail that was caused by entering the address is in the queue.
  /// - Returns: whether the mail may be sent. Called within a transaction of the writer.
  /// - Throws: the errors of ``Throttle``.
  func take(_ pair: Pair, for link: Link, isWaiting: () throws -> Bool) throws -> Bool {
    let isReset = link.kind == .reset
    guard try link.isKnown || !isReset || owned.wait(for: pair.address) == nil else { return false }
    var tally = Tally()
    guard try tally.count(pair, in: hours), try tally.count(pair, in: days) else { return false }
    if !link.isKnown {
      guard try tally.count(pair.address, in: others) else { return false }
      guard try !link.isClaim || mayEnter(pair, isWaiting, &tally) else { return false }
    }
    if link.isKnown, isReset { try owned.count(pair.address) }
    return true
  }

  /// Whether no mail is on its way that another network caused.
  private func mayEnter(
    _ pair: Pair, _ isWaiting: () throws -> Bool, _ tally: inout Tally
  ) throws -> Bool {
    if try enteredFrom.wait(for: pair) != nil { return true }
    guard try !isWaiting() else {
      try tally.giveBack()
      return false
    }
    guard try tally.count(pair.address, in: entered) else { return false }
    try enteredFrom.count(pair)
    return true
  }

  /// Counts an event in several limits, or in none of them.
  ///
  /// Each limit is counted at once, so that several servers do not exceed it together.
  private struct Tally {
    private var steps: [() throws -> Void] = []

    /// - Returns: false if the limit is reached. The counts before are then given back.
    mutating func count<Key>(_ key: Key, in limit: Throttle<Key>) throws -> Bool {
      guard try limit.take(key) == nil else {
        try giveBack()
        return false
      }
      steps.append { try limit.giveBack(key) }
      return true
    }

    func giveBack() throws { for step in steps { try step() } }
  }
}
