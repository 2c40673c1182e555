import JSON
import Mail
import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Routes on which a person reads and changes their own account.
struct AccountRoutes: Sendable {
  let accounts: Accounts

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getAccount", .get, "/api/account", tag: "People", summary: "The account of the caller.",
        access: .owner, answers: [.ok("The account.", schema: "account")], .personal(get)),
      Endpoint(
        "changeAccount", .patch, "/api/account", tag: "People",
        summary:
          "Change username, e-mail address, password, language, or whether others may request records.",
        access: .owner,
        body: .json("accountChange", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The account. A new address takes effect once it is confirmed.", schema: "account"),
          .refusal(409, "The username is taken; `type` is `/problems/username-taken`."),
        ], .password(change)),
      Endpoint(
        "deleteAccount", .delete, "/api/account", tag: "People",
        summary: "Delete the account. Its contributions to the map stay, without an author.",
        access: .owner, body: .json("proof", limit: Endpoint.Body.smallLimit),
        answers: [
          .done("The account was deleted."),
          .refusal(409, "The account is the only admin; `type` is `/problems/last-admin`."),
        ], .password(delete)),
    ]
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try accounts.database.readQuickly { connection in
      let account = try accounts.account(of: principal, connection)
      return .json(
        try AccountJSON(account, now: accounts.now, connection), as: AccountJSON.shape)
    }
  }

  /// The requested changes; nil for members that stay the same.
  private struct Changes {
    let username: Username?
    let email: EmailAddress?
    /// The hash of the new password.
    let passwordHash: String?
    let locale: String?
    /// Whether others may send requests for the person's records.
    let dataRequests: Bool?
    /// The network that sent the request.
    let network: ClientAddress
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let session = try principal.session()
    var body = try RequestBody(
      request, ["username", "email", "password", "locale", "data_requests", "current_password"])
    let username = body.username("username", isRequired: false)
    let email = body.email("email", isRequired: false)
    let locale = body.code("locale", accounts.catalogue.languages)
    let dataRequests = body.flag("data_requests")
    let isGrave = ["username", "email", "password"].contains { body.value($0) != nil }
    let current = body.secret("current_password", isRequired: isGrave)
    let before = try accounts.database.read { try accounts.account(of: principal, $0) }
    let password = body.newPassword(
      "password", isRequired: false,
      of: [username?.text ?? before.username, before.email, email?.text], accounts.rules)
    try body.check()
    if isGrave {
      _ = try accounts.account(
        of: principal, password: current.given(), field: "current_password")
    }
    // Names are public, so a suspended account may not change its name.
    if username != nil && principal.isSuspended { throw Refusal.suspended }
    if email != nil { try accounts.addressChanges.spend(principal.account) }
    let changes = Changes(
      username: username, email: email,
      passwordHash: try password.map { try accounts.hashing.hash($0) }, locale: locale,
      dataRequests: dataRequests, network: request.clientAddress.limitKey)
    let (answer, opened, isNamed) = try accounts.database.write { connection in
      let account = try accounts.account(of: principal, connection)
      // A password change by another request in the meantime has ended this session.
      guard account.passwordHash == before.passwordHash else { throw Refusal.signedOut }
      try carryOut(changes, of: account, connection)
      let (answer, opened) = try self.answer(
        request, account.rowid, changes, session, connection)
      let isNamed = try username != nil && accounts.store.isNamed(account.rowid, connection)
      if isNamed { try PublicChanges.note(connection, at: accounts.now) }
      return (answer, opened, isNamed)
    }
    if isNamed { accounts.publicChanges.changed() }
    var response = Response.json(answer, as: AccountJSON.shape)
    if let opened {
      response.headers.add(
        "Set-Cookie", accounts.gate.cookie(opened.token.text, seconds: opened.lifetime))
    }
    return response
  }

  private func carryOut(
    _ changes: Changes, of account: StoredAccount, _ connection: borrowing Connection
  ) throws {
    if let username = changes.username {
      guard try !accounts.store.isTaken(username, but: account.rowid, connection) else {
        throw AccountStore.usernameTaken
      }
      try accounts.store.rename(account.rowid, to: username, connection)
    }
    if let locale = changes.locale {
      try accounts.store.setLocale(locale, of: account.rowid, connection)
    }
    if let dataRequests = changes.dataRequests {
      try accounts.store.setDataRequests(
        dataRequests, of: account.rowid, at: accounts.now, connection)
    }
    if let hash = changes.passwordHash {
      try accounts.store.setPassword(hash, of: account.rowid, connection)
      try accounts.mails.tell(.passwordChanged, account, connection)
    }
    if let email = changes.email {
      let renamed = try accounts.store.account(account.rowid, connection) ?? account
      try change(renamed, to: email, from: changes.network, connection)
    }
  }

  /// A confirmed account keeps its address until the new address is confirmed. An unconfirmed account changes at once,
  /// so that a mistyped address can be corrected.
  private func change(
    _ account: StoredAccount, to email: EmailAddress, from network: ClientAddress,
    _ connection: borrowing Connection
  ) throws {
    try accounts.tokens.end(.email, of: account.rowid, connection)
    guard email.key != EmailAddress.key(of: account.email) else { return }
    if account.isConfirmed {
      return try accounts.mails.change(account, to: email, from: network, connection)
    }
    try accounts.store.setEmail(email, of: account.rowid, connection)
    try accounts.mails.confirm(
      account.rowid, username: account.username, email: email, locale: account.locale,
      from: network, connection)
  }

  /// The current account. A new password ended every session, so this browser gets a new one.
  private func answer(
    _ request: Request, _ rowid: Int64, _ changes: Changes,
    _ session: (rowid: Int64, token: String, expiresAt: Timestamp),
    _ connection: borrowing Connection
  ) throws -> (AccountJSON, SessionStore.Opened?) {
    guard let account = try accounts.store.account(rowid, connection) else {
      throw Refusal.signedOut
    }
    var json = try AccountJSON(account, now: accounts.now, connection)
    guard changes.passwordHash != nil else { return (json, nil) }
    let opened = try accounts.sessions.open(
      rowid, role: account.role, id: accounts.environment.newDeviceID().text,
      agent: BrowserName.coarse(request.headers["User-Agent"]), at: accounts.now, connection)
    json.csrfToken = Gate.csrfToken(of: opened.token.text)
    return (json, opened)
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["password", "code"])
    let password = body.secret("password")
    let code = body.text("code", 1...100)
    try body.check()
    let shown = try accounts.account(
      of: principal, password: password.given(), field: "password")
    let wasNamed = try accounts.database.write { connection in
      let account = try accounts.account(of: principal, connection)
      guard account.passwordHash == shown.passwordHash else { throw Refusal.signedOut }
      if try accounts.store.isLastAdmin(account.rowid, connection) { throw Self.lastAdmin }
      try accounts.prove(code, of: account, connection)
      return try accounts.store.isNamed(account.rowid, connection)
    }
    let erasure = accounts.erasure
    try erasure.eraseAtLength(shown.rowid, in: accounts.database)
    try accounts.database.write { connection in
      let account = try accounts.account(of: principal, connection)
      if try accounts.store.isLastAdmin(account.rowid, connection) { throw Self.lastAdmin }
      try erasure.erase(account, connection)
      try accounts.mails.sayGoodbye(account, connection)
      try erasure.scheduleWiping(connection)
      if wasNamed { try PublicChanges.note(connection, at: accounts.now) }
    }
    // If public data did not name the account, the public data versions must not change either.
    if wasNamed { accounts.publicChanges.changed() }
    accounts.wipeTraces()
    return accounts.signedOut()
  }

  private static let lastAdmin = Refusal(.conflict, "error.last_admin", type: "last-admin")
}
