import Mail
import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Routes to create an account and to confirm its address.
struct SignUpRoutes: Sendable {
  let accounts: Accounts

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "signUp", .post, "/api/accounts", tag: "People",
        summary: "Create an account. A mail confirms its address.", access: .everyone,
        body: .json("newAccount", limit: Endpoint.Body.smallLimit),
        answers: [
          .accepted("A mail will be sent, even if the address already has an account."),
          .refusal(409, "The username is taken; `type` is `/problems/username-taken`."),
        ], .password(signUp)),
      Endpoint(
        "confirm", .post, "/api/accounts/confirm", tag: "People",
        summary: "Confirm an address with the token of the mail.", access: .everyone,
        body: .json("mailToken", limit: Endpoint.Body.smallLimit),
        answers: [.ok("What the token confirmed.", schema: "confirmation")], .change(confirm)
      ).withToken(),
      Endpoint(
        "resendConfirmation", .post, "/api/accounts/confirm/resend", tag: "People",
        summary: "Send the mail that confirms an address again.", access: .everyone,
        body: .json("emailOnly", limit: Endpoint.Body.smallLimit),
        answers: [.accepted("If needed, the mail will be sent.")],
        .change(resend)),
    ]
  }

  /// Hashes the password even if the address is in use, so that both cases take the same time.
  @Sendable private func signUp(_ request: Request, _ caller: Caller) throws -> Response {
    var body = try RequestBody(
      request, ["username", "email", "password", "locale", "accept_terms"])
    let username = body.username("username", isRequired: true)
    let email = body.email("email", isRequired: true)
    let password = body.newPassword(
      "password", isRequired: true, of: [username?.text, email?.text], accounts.rules)
    let locale =
      body.code("locale", accounts.catalogue.languages)
      ?? accounts.catalogue.language(of: request)
    if body.flag("accept_terms", isRequired: true) == false {
      body.refuse("accept_terms", Message("error.terms"))
    }
    try body.check()
    let name = try username.given()
    let address = try email.given()
    try accounts.database.read { connection in
      if try accounts.store.isTaken(name, but: nil, connection) { throw AccountStore.usernameTaken }
    }
    let network = request.clientAddress.limitKey
    try accounts.signUps.spend(network)
    let hash = try accounts.hashing.hash(password.given())
    try accounts.database.write { connection in
      let rowid = try accounts.store.add(
        AccountStore.NewAccount(
          id: accounts.environment.newDeviceID().text, username: name, email: address,
          passwordHash: hash, locale: locale), at: accounts.now, connection)
      try accounts.mails.confirm(
        rowid, username: name.text, email: address, locale: locale, from: network, connection)
    }
    return Response(.accepted)
  }

  static let confirmation = JSONShape<(confirmed: String, username: String)>(
    "confirmation", .init("confirmed", .oneOf(["account", "email"])) { $0.confirmed },
    .text("username") { $0.username })

  @Sendable private func confirm(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    var body = try RequestBody(request, ["token"])
    let token = body.mailToken()
    try body.check()
    let shown = try token.given()
    return { connection in
      let claim = try accounts.tokens.claim(
        shown, for: [.confirm, .email], at: accounts.now, connection)
      guard let account = try meant(by: claim, caller, connection),
        let email = try? EmailAddress(claim.email),
        try isFree(email, for: account, connection)
      else { throw MailTokens.spent }
      if claim.kind == .confirm {
        try take(account, connection)
      } else {
        try change(account, to: email, connection)
      }
      return .json(
        (claim.kind == .confirm ? "account" : "email", account.username), as: Self.confirmation)
    }
  }

  /// The account that a link confirms.
  ///
  /// While a mail is on its way to an address, other accounts that claim the address get none. So the link of an
  /// account also confirms another one that claims the address and is signed in: the link proves whose the address
  /// is, and the session which account is meant.
  private func meant(
    by claim: MailTokens.Claim, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    if claim.kind == .confirm, case .session = caller.principal?.credential,
      let own = try caller.principal.flatMap({ try accounts.store.account($0.account, connection) }
      ),
      !own.isConfirmed, EmailAddress.key(of: own.email) == EmailAddress.key(of: claim.email)
    {
      return own
    }
    return try accounts.store.account(claim.account, connection)
  }

  private func isFree(
    _ email: EmailAddress, for account: StoredAccount, _ connection: borrowing Connection
  ) throws -> Bool {
    let owner = try accounts.store.owner(of: email.key, connection)
    return owner == nil || owner?.rowid == account.rowid
  }

  /// Confirms the address of an account. The caller has refused tokens sent to another address.
  private func take(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    try accounts.store.confirm(account.rowid, at: accounts.now, connection)
    try accounts.tokens.end(.confirm, of: account.rowid, connection)
  }

  /// Changes the address. Links mailed to the previous one become invalid.
  private func change(
    _ account: StoredAccount, to email: EmailAddress, _ connection: borrowing Connection
  ) throws {
    try accounts.mails.tellFormerAddress(account, connection)
    try accounts.store.setEmail(email, of: account.rowid, connection)
  }

  @Sendable private func resend(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    var body = try RequestBody(request, ["email"])
    let email = body.email("email", isRequired: true)
    try body.check()
    let network = request.clientAddress.limitKey
    try accounts.mailRequests.spend(network)
    let asked = MailRequest(
      kind: .confirm, login: try email.given().text, account: caller.principal?.account,
      asker: try accounts.askers.add(network))
    return { connection in
      try asked.schedule(at: accounts.now, connection)
      return Response(.accepted)
    }
  }
}
