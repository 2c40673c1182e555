import JSON
import PrivacyMap
import Secrets
package import Service
import SpatialDatabase
import WebServer

/// Routes for personal tokens, with which a person's programs authenticate.
package struct PersonalTokenRoutes: Sendable {
  let accounts: Accounts
  private var store: PersonalTokenStore { PersonalTokenStore() }

  /// Maximum number of tokens per account.
  static let maximum: Int64 = 50
  /// Allowed lifetimes of a token in days.
  package static let days = 1...366
  static let usualDays = 90
  /// Maximum and default days of a token with a moderator or admin scope.
  static let maxPrivilegedDays = 30

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getTokens", .get, "/api/account/tokens", tag: "People",
        summary: "The personal tokens of the account.", access: .owner,
        answers: [.ok("Tokens, newest first.", schema: "tokens")], .personal(list)),
      Endpoint(
        "makeToken", .post, "/api/account/tokens", tag: "People",
        summary:
          "Create a personal token. Scopes `moderate` and `admin` require `password` and `code`, and end after 30 days at most.",
        access: .owner, body: .json("newToken", limit: Endpoint.Body.smallLimit),
        answers: [
          .created("The token. It is shown only once.", schema: "madeToken"),
          .refusal(409, "The account has the maximum of fifty tokens."),
        ], .password(make)),
      Endpoint(
        "endTokens", .delete, "/api/account/tokens", tag: "People", summary: "Revoke all tokens.",
        access: .owner, answers: [.done("The tokens are revoked.")], .change(endAll)),
      Endpoint(
        "getToken", .get, "/api/account/tokens/{id}", tag: "People",
        summary: "One personal token, without its secret.", access: .owner,
        parameters: [BrowserRoutes.id], answers: [.ok("The token.", schema: "token")],
        .personal(get)),
      Endpoint(
        "endToken", .delete, "/api/account/tokens/{id}", tag: "People", summary: "Revoke a token.",
        access: .owner, parameters: [BrowserRoutes.id], answers: [.done("The token is revoked.")],
        .change(end)),
    ]
  }

  private static let notThere = NotFound(Message("error.not_found.token"))
  private static let tooMany = Refusal(
    .conflict, "error.too_many_tokens", ["maximum": "\(PersonalTokenRoutes.maximum)"])

  static let scopes = JSONSchema.list(of: .oneOf(Scope.self))
  static let shape = JSONShape<PersonalTokenStore.Stored>(
    "token", .uuid("id", \.id), .text("name", \.name),
    .init("scopes", scopes) { (try? JSONValue(parsing: Array($0.scopes.utf8))) ?? [] },
    .time("created_at", \.createdAt), .time("expires_at", \.expiresAt),
    .day("last_used_on", \.lastUsedOn))
  static let shapeOfMade = shape.extended(
    as: "madeToken", .init("token", .text) { $0.secret ?? "" })
  static let shapeOfList = JSONShape<(tokens: [PersonalTokenStore.Stored], available: [Scope])>(
    "tokens", .list("tokens", of: shape) { $0.tokens },
    .init("available_scopes", scopes) { $0.available.map(\.rawValue) })

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try accounts.database.readQuickly { connection in
      let found = try store.all(of: principal.account, at: accounts.now, connection)
      let scopes = try availableScopes(to: principal, connection)
      return .json((found, scopes), as: Self.shapeOfList)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try accounts.database.readQuickly { connection in
      let all = try store.all(of: principal.account, at: accounts.now, connection)
      guard let found = all.first(where: { $0.id == request.parameter("id") }) else {
        throw Self.notThere
      }
      return .json(found, as: Self.shape)
    }
  }

  /// The scopes that a token of the principal may have at present.
  private func availableScopes(
    to principal: Principal, _ connection: borrowing Connection
  ) throws -> [Scope] {
    let isGranted = try AccountStore.isResearcher(
      principal.account, on: accounts.now.day, connection)
    return Scope.allCases.filter { scope in
      scope == .research ? isGranted : principal.role.allows(scope)
    }
  }

  @Sendable private func make(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(
      request, FreshProof.members.union(["name", "scopes", "expires_in_days"]))
    let name = body.text("name", 1...60, isRequired: true)
    let scopes = body.codes("scopes", Scope.allCases.map(\.rawValue))
    let hasPower = scopes?.contains { Scope(rawValue: $0)?.hasPower ?? false } ?? false
    let days =
      body.integer(
        "expires_in_days", hasPower ? 1...Self.maxPrivilegedDays : Self.days)
      ?? (hasPower ? Self.maxPrivilegedDays : Self.usualDays)
    let proof = FreshProof(&body, isRequired: hasPower)
    if body.value("scopes") == nil { body.fault("scopes", Message("error.missing_member")) }
    if scopes?.isEmpty == true { body.refuse("scopes", Message("error.scopes.none")) }
    let wanted = Scope.allCases.filter { scopes?.contains($0.rawValue) ?? false }
    if wanted.contains(where: { !principal.role.allows($0) }) {
      body.refuse("scopes", Message("error.scopes.role"))
    }
    try body.check()
    let named = try name.given()
    let begun = hasPower ? try proof.begin(principal, accounts) : nil
    return try accounts.database.write { connection in
      try begun?.finish(accounts, connection)
      let held = try store.count(of: principal.account, at: accounts.now, connection)
      guard held < Self.maximum else { throw Self.tooMany }
      if wanted.contains(.research),
        try !availableScopes(to: principal, connection).contains(.research)
      {
        throw InvalidInput.refused("scopes", "error.scopes.research")
      }
      let end = accounts.now.later(Seconds.days(Int64(days)))
      if hasPower {
        try tell(
          named, wanted, until: end, to: accounts.account(of: principal, connection), connection)
      }
      return try add(named, wanted, until: end, to: principal.account, connection)
    }
  }

  /// Notifies the owner by mail, so that a token created by an attacker does not go unnoticed.
  private func tell(
    _ name: String, _ scopes: [Scope], until end: Timestamp, to account: StoredAccount,
    _ connection: borrowing Connection
  ) throws {
    let words = scopes.map { scope in
      accounts.catalogue.text(Message("account.scope.\(scope.rawValue)"), in: account.locale)
    }
    try accounts.mails.tellOfToken(
      name, scopes: words.joined(separator: ", "), until: end, to: account, connection)
  }

  private func add(
    _ name: String, _ scopes: [Scope], until end: Timestamp, to account: Int64,
    _ connection: borrowing Connection
  ) throws -> Response {
    let token = SecretToken()
    let id = accounts.environment.newDeviceID().text
    try store.add(
      token, id: id, name: name, scopes: JSONText.strings(scopes.map(\.rawValue)), until: end,
      to: account, at: accounts.now, connection)
    let all = try store.all(of: account, at: accounts.now, connection)
    guard var made = all.first(where: { $0.id == id }) else { throw Self.notThere }
    made.secret = CredentialStore.tokenPrefix + token.text
    return Response.json(made, as: Self.shapeOfMade, status: .created)
      .with("Location", "/api/account/tokens/\(id)")
  }

  @Sendable private func end(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    return { connection in
      guard try store.delete(id, of: principal.account, connection) else { throw Self.notThere }
      return .noContent
    }
  }

  @Sendable private func endAll(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    return { connection in
      try store.deleteAll(of: principal.account, connection)
      return .noContent
    }
  }
}

extension Scope {
  /// Whether the scope acts on the content of others, which only some roles may do.
  var hasPower: Bool {
    switch self {
    case .read, .contribute, .choicesRead, .choices, .records, .inbox, .operate, .research: false
    case .moderate, .admin: true
    }
  }
}

extension Role {
  /// Whether tokens of accounts with this role may have a scope.
  package func allows(_ scope: Scope) -> Bool {
    switch scope {
    case .read, .contribute, .choicesRead, .choices, .records, .research: true
    case .inbox, .operate: self >= .operator
    case .moderate: self >= .moderator
    case .admin: self >= .admin
    }
  }
}
