import JSON
import Mail
import Metrics
import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Routes to sign in and out.
struct SessionRoutes: Sendable {
  let accounts: Accounts

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "signIn", .post, "/api/session", tag: "People",
        summary: "Sign in with a username or an e-mail address.", access: .everyone,
        body: .json("signIn", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("Signed in. A cookie contains the session.", schema: "session"),
          .refusal(
            401,
            "Wrong name or password, or, with `type` `/problems/second-factor-required`, a code is required."
          ),
        ], .password(signIn)),
      Endpoint(
        "getSession", .get, "/api/session", tag: "People", summary: "The current session.",
        access: .session, answers: [.ok("The session.", schema: "session")], .personal(session)),
      Endpoint(
        "signOut", .delete, "/api/session", tag: "People", summary: "Sign out.", access: .session,
        answers: [.done("The session has ended.")], .change(signOut)),
    ]
  }

  /// The name or the password is wrong. The response does not reveal which.
  static let refused = Refusal(
    .unauthorized, "error.sign_in", headers: ["WWW-Authenticate": "Bearer"])
  static let codeNeeded = Refusal(
    .unauthorized, "error.code_needed", type: "second-factor-required",
    headers: ["WWW-Authenticate": "Bearer"])
  static let codeWrong = Refusal(
    .unauthorized, "error.code_wrong", type: "second-factor-required", field: "code",
    headers: ["WWW-Authenticate": "Bearer"])

  @Sendable private func signIn(_ request: Request, _ caller: Caller) throws -> Response {
    do {
      let response = try letIn(request, caller)
      accounts.signIns.add(.succeeded)
      return response
    } catch {
      if let outcome = SignInOutcome(error) { accounts.signIns.add(outcome) }
      throw error
    }
  }

  private func letIn(_ request: Request, _ caller: Caller) throws -> Response {
    var body = try RequestBody(request, ["login", "password", "code"])
    let login = body.text("login", 1...EmailAddress.maxLength, isRequired: true)
    let password = body.secret("password")
    let code = body.text("code", 1...100)
    try body.check()
    let attempt = Attempt(
      login: try login.given(), password: try password.given(), code: code,
      network: request.clientAddress.limitKey)
    let account = try authenticate(attempt)
    let isOld = PasswordHash.needsRehash(account.passwordHash)
    let hash = isOld ? try accounts.hashing.hash(attempt.password) : account.passwordHash
    let (opened, answer) = try accounts.database.write { connection in
      // The password was changed after it was verified.
      guard let current = try accounts.store.account(account.rowid, connection),
        current.passwordHash == account.passwordHash
      else { throw Self.refused }
      try show(attempt.code, of: current, attempt.network, connection)
      if isOld { try accounts.store.renewHash(hash, of: current.rowid, connection) }
      if case .session(let rowid, _, _) = caller.principal?.credential {
        try accounts.sessions.close(rowid, connection)
      }
      try accounts.networks.add(attempt.network, to: current, on: accounts.now.day, connection)
      let opened = try accounts.sessions.open(
        current.rowid, role: current.role, id: accounts.environment.newDeviceID().text,
        agent: BrowserName.coarse(request.headers["User-Agent"]), at: accounts.now, connection)
      let answer = try accounts.session(
        of: current, token: opened.token.text, until: opened.expiresAt, connection)
      return (opened, answer)
    }
    return Response.json(answer, as: SessionJSON.shape)
      .with("Set-Cookie", accounts.gate.cookie(opened.token.text, seconds: opened.lifetime))
  }

  /// The credentials of a sign-in attempt.
  private struct Attempt {
    let login: String
    let password: String
    let code: String?
    let network: ClientAddress

    var isEmail: Bool { login.contains("@") }
    /// The key under which failures are counted.
    var key: String { isEmail ? EmailAddress.key(of: login) : Username.key(of: login) }
  }

  /// The account that the login and password identify.
  ///
  /// Unknown and existing logins cost the same number of hashes: one for a username, two for an e-mail
  /// address, because one account may have confirmed it and another may claim it.
  private func authenticate(_ attempt: Attempt) throws -> StoredAccount {
    let standing = try accounts.guessing.begin(attempt.key, from: attempt.network)
    let candidates = try accounts.database.read { try meant(by: attempt, standing, $0) }
    var found: Candidate?
    for place in 0..<(attempt.isEmail ? 2 : 1) {
      let candidate = candidates.indices.contains(place) ? candidates[place] : nil
      let hash = candidate.flatMap { $0.isLookedAt ? $0.account.passwordHash : nil }
      let isRight = accounts.hashing.verify(attempt.password, hash ?? PasswordHash.decoy)
      if isRight, found == nil { found = candidate }
    }
    guard let found else {
      if case .closed(let refusal) = standing { throw refusal }
      throw Self.refused
    }
    let isClaim = attempt.isEmail && !found.account.isConfirmed
    try accounts.guessing.succeeded(
      attempt.key, from: attempt.network, standing, isClaim: isClaim)
    for pair in (isClaim ? [found.pair] : candidates.map(\.pair)).compactMap({ $0 }) {
      try accounts.guessing.succeeded(known: pair)
    }
    return found.account
  }

  /// An account that the login may refer to.
  private struct Candidate {
    let account: StoredAccount
    /// Set if the account knows the network.
    let pair: SignInGuard.Pair?
    /// Whether the rate limits allow checking the password.
    let isLookedAt: Bool
  }

  private func meant(
    by attempt: Attempt, _ standing: SignInGuard.Standing, _ connection: borrowing Connection
  ) throws -> [Candidate] {
    let named =
      try attempt.isEmail
      ? accounts.store.accounts(claiming: attempt.key, connection)
      : [accounts.store.account(named: attempt.login, connection)].compactMap { $0 }
    let isOpen = if case .open = standing { true } else { false }
    return try named.map { account in
      guard try accounts.networks.knows(attempt.network, account, connection) else {
        return Candidate(account: account, pair: nil, isLookedAt: isOpen)
      }
      let pair = SignInGuard.Pair(account: account.rowid, network: attempt.network)
      let isLookedAt = try accounts.guessing.beginKnown(pair)
      return Candidate(account: account, pair: pair, isLookedAt: isOpen || isLookedAt)
    }
  }

  /// Requires the second factor, if the account has one.
  private func show(
    _ code: String?, of account: StoredAccount, _ network: ClientAddress,
    _ connection: borrowing Connection
  ) throws {
    guard account.hasSecondFactor else { return }
    guard let code else { throw Self.codeNeeded }
    let isKnown = try accounts.networks.knows(network, account, connection)
    let pair = SignInGuard.Pair(account: account.rowid, network: isKnown ? network : nil)
    try accounts.guessing.beginCode(pair)
    guard try SecondFactorStore().accept(code, of: account, at: accounts.now, connection) else {
      throw Self.codeWrong
    }
    try accounts.guessing.acceptedCode(pair)
  }

  @Sendable private func session(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let session = try principal.session()
    return try accounts.database.readQuickly { connection in
      .json(
        try accounts.session(
          of: accounts.account(of: principal, connection), token: session.token,
          until: session.expiresAt, connection), as: SessionJSON.shape)
    }
  }

  @Sendable private func signOut(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let session = try caller.signedIn().session()
    return { connection in
      try accounts.sessions.close(session.rowid, connection)
      return accounts.signedOut()
    }
  }
}

extension Accounts {
  /// A 204 that deletes the session cookie.
  ///
  /// It sends no `Clear-Site-Data`: `storage` would delete the drafts in this browser, `cookies` the
  /// cookies of sibling hosts, and `cache` contains nothing private.
  func signedOut() -> Response {
    return Response.noContent.with("Set-Cookie", gate.cookie("", seconds: 0))
  }
}
