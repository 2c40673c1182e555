import PrivacyMap
import WebServer

/// Slows guessing without letting anybody lock another out.
///
/// Failures count by the login that was typed and by the network they come from. Counting by account
/// instead would tell which e-mail address belongs to which username. Once either count is full,
/// nobody gets in from there with that login but from a network that the account knows, which has a
/// count of its own; a wrong password from there is answered like any other, so nothing is learnt.
struct SignInGuard: Sendable {
  /// A network and a login that it knows, or anybody's account within it.
  struct Pair: Hashable, Sendable {
    let account: Int64
    /// Nil for all networks that the account does not know.
    let network: ClientAddress?
  }

  /// How far an attempt goes, before anything is looked up.
  enum Standing {
    /// Counted as a failure until ``SignInGuard/succeeded(_:from:)``.
    case open
    /// The refusal that it ends with, unless the account knows the network.
    case closed(Refusal)
  }

  /// OWASP ASVS 6.3.1 leaves the figures to us.
  static let perLogin = 10
  static let perNetwork = 25
  static let window = Duration.seconds(900)
  /// Attempts of a network that are looked at in a window; each costs a password hash.
  static let looked = 100

  private let logins: Throttle<String>
  private let networks: Throttle<ClientAddress>
  private let known: Throttle<Pair>
  private let attempts: Throttle<ClientAddress>
  private let codes: Throttle<Pair>
  private let owners: Throttle<Int64>

  init(now: @escaping @Sendable () -> Timestamp) {
    logins = Throttle(limit: Self.perLogin, window: Self.window, now: now)
    networks = Throttle(limit: Self.perNetwork, window: Self.window, now: now)
    known = Throttle(limit: Self.perLogin, window: Self.window, now: now)
    attempts = Throttle(limit: Self.looked, window: Self.window, now: now)
    // Three codes of a million are good at any time, so ten an hour find one in four years.
    codes = Throttle(limit: 10, window: .seconds(3_600), now: now)
    owners = Throttle(limit: Self.perLogin, window: Self.window, now: now)
  }

  /// Begins an attempt with a folded login.
  ///
  /// - Throws: a 429 where the network has tried so often that nothing more is looked at.
  func begin(_ login: String, from network: ClientAddress) throws -> Standing {
    try attempts.spend(network)
    if let wait = logins.take(login) {
      return .closed(refusal(max(wait, networks.wait(for: network) ?? 0), logins.limit))
    }
    if let wait = networks.take(network) {
      logins.giveBack(login)
      return .closed(refusal(wait, networks.limit))
    }
    return .open
  }

  private func refusal(_ seconds: Int64, _ limit: Int) -> Refusal {
    .tooMany(seconds: seconds, limit: limit, window: Self.window.components.seconds)
  }

  /// Counts an attempt from a network that the account knows, until ``succeeded(_:from:known:)``.
  ///
  /// - Returns: whether the password is looked at.
  func beginKnown(_ pair: Pair) -> Bool { known.take(pair) == nil }

  /// Takes back what an attempt counted.
  func succeeded(_ login: String, from network: ClientAddress, _ standing: Standing) {
    guard case .open = standing else { return }
    logins.giveBack(login)
    networks.giveBack(network)
  }

  /// Forgets the failures of logins whose owner has proved to be one.
  func forget(_ names: [String]) {
    for name in names { logins.forget(name) }
  }

  func succeeded(known pair: Pair) { known.giveBack(pair) }

  /// Counts a second factor that was shown, until ``acceptedCode(_:)``: only those get here who know
  /// the password.
  ///
  /// - Throws: a 429.
  func beginCode(_ pair: Pair) throws { try codes.spend(pair) }

  func acceptedCode(_ pair: Pair) { codes.giveBack(pair) }

  /// Counts a password that somebody who is signed in shows once more, until ``succeeded(owner:)``.
  ///
  /// - Throws: a 429.
  func begin(owner account: Int64) throws { try owners.spend(account) }

  func succeeded(owner account: Int64) { owners.giveBack(account) }
}
