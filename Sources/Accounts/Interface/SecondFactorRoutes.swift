import JSON
import PrivacyMap
import QRCode
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Routes to set up, replace and remove the second factor.
struct SecondFactorRoutes: Sendable {
  let accounts: Accounts

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "enrolSecondFactor", .post, "/api/account/totp", tag: "People",
        summary: "Start to set up or replace a second factor (TOTP).", access: .session,
        body: .json("proof", limit: Endpoint.Body.smallLimit),
        answers: [
          Endpoint.Answer(
            status: 201, description: "The secret for the authenticator app.",
            content: [("application/json", "enrolment")])
        ], .password(enrol)),
      Endpoint(
        "confirmSecondFactor", .post, "/api/account/totp/confirm", tag: "People",
        summary: "Confirm the second factor by a code.", access: .session,
        body: .json("codeOnly", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("Recovery codes. They are shown only once.", schema: "recoveryCodes"),
          .refusal(409, "No setup was started."),
        ], .change(confirm)),
      Endpoint(
        "removeSecondFactor", .delete, "/api/account/totp", tag: "People",
        summary: "Remove the second factor, if the role does not require one.", access: .session,
        body: .json("proof", limit: Endpoint.Body.smallLimit),
        answers: [.done("It is removed."), .refusal(409, "There is none.")], .password(remove)),
    ]
  }

  private static let notBegun = Refusal(.conflict, "error.second_factor_not_begun")
  private static let none = Refusal(.conflict, "error.second_factor_none")
  private static let kept = Refusal(
    .forbidden, "error.second_factor_kept", type: "second-factor-kept")

  /// The password, and the second-factor code if the account has one.
  private func proof(
    _ request: Request, _ principal: Principal
  ) throws -> (account: StoredAccount, code: String?) {
    _ = try principal.session()
    var body = try RequestBody(request, ["password", "code"])
    let password = body.secret("password")
    let code = body.text("code", 1...100)
    try body.check()
    let account = try accounts.account(
      of: principal, password: password.given(), field: "password")
    return (account, code)
  }

  static let enrolment = JSONShape<(secret: String, uri: String, qr: [String])>(
    "enrolment", .text("secret") { $0.secret }, .init("uri", .uri) { $0.uri },
    .init("qr", .list(of: .text.with("pattern", "^[01]+$"))) { $0.qr })
  static let recoveryCodes = JSONShape<[String]>(
    "recoveryCodes", .texts("recovery_codes", \.self))

  @Sendable private func enrol(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let (account, code) = try proof(request, principal)
    let made = try accounts.database.write { connection in
      try accounts.prove(code, of: accounts.account(of: principal, connection), connection)
      return try SecondFactorStore().begin(for: account.rowid, connection)
    }
    let uri = made.uri(issuer: accounts.instance, account: account.username)
    return .json(
      (made.base32, uri, try QRCode(uri).rows), as: Self.enrolment, status: .created)
  }

  @Sendable private func confirm(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    _ = try principal.session()
    var body = try RequestBody(request, ["code"])
    let code = body.text("code", 1...100, isRequired: true)
    try body.check()
    let shown = try code.given()
    return { connection in
      let account = try accounts.account(of: principal, connection)
      guard account.totpPending != nil else { throw Self.notBegun }
      let pair = SignInGuard.Pair(account: account.rowid, network: nil)
      try accounts.guessing.beginCode(pair)
      guard
        let codes = try SecondFactorStore().confirm(
          shown, of: account, at: accounts.now, connection)
      else { throw Accounts.codeWrong }
      try accounts.guessing.acceptedCode(pair)
      try accounts.mails.tell(.secondFactorOn, account, connection)
      return .json(codes, as: Self.recoveryCodes)
    }
  }

  @Sendable private func remove(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    if principal.role.needsSecondFactor { throw Self.kept }
    let (_, code) = try proof(request, principal)
    try accounts.database.write { connection in
      let account = try accounts.account(of: principal, connection)
      guard account.hasSecondFactor else { throw Self.none }
      try accounts.prove(code, of: account, connection)
      try SecondFactorStore().remove(from: account.rowid, connection)
      try accounts.mails.tell(.secondFactorOff, account, connection)
    }
    return .noContent
  }
}

extension Accounts {
  /// Requires the second factor of a signed-in person, if the account has one.
  ///
  /// - Throws: a 422 that names `code`, or a 429 after too many wrong codes.
  func prove(
    _ code: String?, of account: StoredAccount, _ connection: borrowing Connection
  ) throws {
    guard account.hasSecondFactor else { return }
    guard let code else {
      throw InvalidInput.refused("code", "error.code_needed")
    }
    let pair = SignInGuard.Pair(account: account.rowid, network: nil)
    try guessing.beginCode(pair)
    guard try SecondFactorStore().accept(code, of: account, at: now, connection) else {
      throw Self.codeWrong
    }
    try guessing.acceptedCode(pair)
  }

  static let codeWrong = InvalidInput.refused("code", "error.code_wrong")
}
