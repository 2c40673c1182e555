import Mail
import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Routes to regain access to an account without the password.
struct RecoveryRoutes: Sendable {
  let accounts: Accounts

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "recover", .post, "/api/accounts/recover", tag: "People",
        summary:
          "Request a mail with a link to set a new password. `login` is a username or an e-mail address.",
        access: .everyone, body: .json("loginOnly", limit: Endpoint.Body.smallLimit),
        answers: [.accepted("If the account exists, the mail will be sent.")],
        .change(recover)),
      Endpoint(
        "resetPassword", .post, "/api/accounts/reset", tag: "People",
        summary: "Set a new password with the token of the mail. All sessions end.",
        access: .everyone, body: .json("newPassword", limit: Endpoint.Body.smallLimit),
        answers: [.done("The password is set.")], .password(reset)
      ).withToken(),
    ]
  }

  @Sendable private func recover(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    var body = try RequestBody(request, ["login"])
    let login = body.text("login", 1...EmailAddress.maxLength, isRequired: true)
    try body.check()
    let network = request.clientAddress.limitKey
    try accounts.mailRequests.spend(network)
    let asked = MailRequest(
      kind: .reset, login: try login.given(), account: nil, asker: try accounts.askers.add(network))
    return { connection in
      try asked.schedule(at: accounts.now, connection)
      return Response(.accepted)
    }
  }

  /// Checks the token before hashing the password, so that only its holder can cause that work.
  @Sendable private func reset(_ request: Request, _ caller: Caller) throws -> Response {
    var body = try RequestBody(request, ["token", "password"])
    let token = body.mailToken()
    _ = body.secret("password")
    try body.check()
    let shown = try token.given()
    let account = try accounts.database.read { connection in
      try accounts.tokens.look(at: shown, for: [.reset], at: accounts.now, connection)
        .flatMap { try accounts.store.account($0.account, connection) }
    }
    guard let account else { throw MailTokens.spent }
    let password = body.newPassword(
      "password", isRequired: true, of: [account.username, account.email], accounts.rules)
    try body.check()
    let hash = try accounts.hashing.hash(password.given())
    try accounts.database.write { connection in
      let claim = try accounts.tokens.claim(shown, for: [.reset], at: accounts.now, connection)
      try accounts.store.setPassword(hash, of: claim.account, connection)
      try confirm(claim, connection)
      let now = try accounts.store.account(claim.account, connection)
      if let now { try accounts.mails.tell(.passwordChanged, now, connection) }
    }
    try accounts.guessing.forget([
      Username.key(of: account.username), EmailAddress.key(of: account.email),
    ])
    return .noContent
  }

  /// Confirms the account's address, because the claim succeeds only for a link sent to that address.
  /// An address that another account has confirmed stays with that account.
  private func confirm(
    _ claim: MailTokens.Claim, _ connection: borrowing Connection
  ) throws {
    let key = EmailAddress.key(of: claim.email)
    guard try accounts.store.owner(of: key, connection) == nil else { return }
    try accounts.store.confirm(claim.account, at: accounts.now, connection)
  }
}
