import Service
import WebServer

/// Slows down password guessing without letting an attacker lock out the owner.
///
/// Failures are counted by the login as entered and by the network. Counting by account instead would
/// reveal which e-mail address belongs to which username. Once either count is full, sign-in with that
/// login or from that network succeeds only if the account knows the network. Known networks have a
/// separate count. Wrong passwords from there get the usual refusal, so the response reveals nothing.
struct SignInGuard: Sendable {
  /// A known network and its account, or an account on all unknown networks.
  struct Pair: CountedKey {
    let account: Int64
    /// Nil for all networks that the account does not know.
    let network: ClientAddress?

    var countedBytes: [UInt8] { account.countedBytes + (network?.countedBytes ?? []) }
  }

  /// The state of an attempt before any lookup.
  enum Standing {
    /// Counted as a failure until ``SignInGuard/succeeded(_:from:_:isClaim:)``.
    case open
    /// The refusal to send, unless the account knows the network.
    case closed(Refusal)
  }

  /// OWASP ASVS 6.3.1 recommends no figures; these are ours.
  static let perLogin = 10
  static let perNetwork = 25
  static let window = Duration.seconds(900)
  /// Attempts per network and window that are checked; each costs a password hash.
  static let looked = 100

  private let logins: Throttle<String>
  private let networks: Throttle<ClientAddress>
  private let known: Throttle<Pair>
  private let attempts: Throttle<ClientAddress>
  private let codes: Throttle<Pair>
  private let owners: Throttle<Int64>

  init(_ rates: RateLimits) {
    logins = rates.limit("sign_in.logins", Self.perLogin, per: Self.window)
    networks = rates.limit("sign_in.networks", Self.perNetwork, per: Self.window)
    known = rates.limit("sign_in.known", Self.perLogin, per: Self.window)
    attempts = rates.limit("sign_in.attempts", Self.looked, per: Self.window)
    // Three of a million codes are valid at any time: ten attempts an hour find one in four years.
    codes = rates.limit("sign_in.codes", 10, per: .seconds(3_600))
    owners = rates.limit("sign_in.owners", Self.perLogin, per: Self.window)
  }

  /// Starts an attempt. The login is in its normalised form.
  ///
  /// - Throws: a 429 if the network has used up its attempts. The password is then not checked.
  func begin(_ login: String, from network: ClientAddress) throws -> Standing {
    try attempts.spend(network)
    if let wait = try logins.take(login) {
      let other = try networks.wait(for: network) ?? 0
      return .closed(refusal(max(wait, other), logins.limit))
    }
    if let wait = try networks.take(network) {
      try logins.giveBack(login)
      return .closed(refusal(wait, networks.limit))
    }
    return .open
  }

  private func refusal(_ seconds: Int64, _ limit: Int) -> Refusal {
    .tooMany(seconds: seconds, limit: limit, window: Self.window.components.seconds)
  }

  /// Counts an attempt from a network that the account knows, until ``succeeded(known:)``.
  ///
  /// - Returns: whether the password should be checked.
  func beginKnown(_ pair: Pair) throws -> Bool { try known.take(pair) == nil }

  /// Reverts the count of a successful attempt.
  ///
  /// With `isClaim` the account has not confirmed the address that is the login, so another account may have it, whose
  /// password was compared too. The attempt then counts as a guess of this login. Otherwise a claim of an address, with
  /// the guess as its password, would allow any number of guesses. It counts the same if the address is free.
  func succeeded(
    _ login: String, from network: ClientAddress, _ standing: Standing, isClaim: Bool
  ) throws {
    guard case .open = standing else { return }
    if !isClaim { try logins.giveBack(login) }
    try networks.giveBack(network)
  }

  /// Removes the failures of logins whose owner has proved their identity.
  func forget(_ names: [String]) throws {
    for name in names { try logins.forget(name) }
  }

  func succeeded(known pair: Pair) throws { try known.giveBack(pair) }

  /// Counts a second-factor attempt, until ``acceptedCode(_:)``. Only callers with the correct password
  /// reach this step.
  ///
  /// - Throws: a 429.
  func beginCode(_ pair: Pair) throws { try codes.spend(pair) }

  func acceptedCode(_ pair: Pair) throws { try codes.giveBack(pair) }

  /// Counts a password that a signed-in person enters again, until ``succeeded(owner:)``.
  ///
  /// - Throws: a 429.
  func begin(owner account: Int64) throws { try owners.spend(account) }

  func succeeded(owner account: Int64) throws { try owners.giveBack(account) }
}
