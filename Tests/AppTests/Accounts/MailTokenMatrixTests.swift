import JSON
import SpatialDatabase
import Testing
import WebServer

/// Every kind of mailed token, combined with every way in which the address of its account changes
/// or is requested to change. A token proves only the address that it was sent to.
@Suite struct MailTokenMatrixTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// The ways to obtain a token for the account `ana`.
  enum Holding: String, CaseIterable, Sendable {
    /// Signed up, unconfirmed: the link that confirms the address.
    case confirmation
    /// The same link, requested again.
    case confirmationAgain
    /// Unconfirmed: a link to set a password.
    case resetOfUnconfirmed
    /// Confirmed: a link to set a password, requested by username or by address.
    case resetByName, resetByAddress
    /// Confirmed: the link that the owner gets when another person signs up with the address.
    case reminder
    /// Confirmed: the link that would give the account the address `third@example.org`.
    case newAddress

    var isConfirmed: Bool {
      switch self {
      case .confirmation, .confirmationAgain, .resetOfUnconfirmed: false
      case .resetByName, .resetByAddress, .reminder, .newAddress: true
      }
    }

    var isReset: Bool {
      switch self {
      case .confirmation, .confirmationAgain, .newAddress: false
      case .resetOfUnconfirmed, .resetByName, .resetByAddress, .reminder: true
      }
    }
  }

  /// Changes to the address of the account while the token waits.
  enum Change: String, CaseIterable, Sendable {
    /// The owner changes the address: at once while unconfirmed, by the mailed link otherwise.
    case byItsOwner
    /// The operator of the instance changes the row.
    case byHand
    /// A different address for a while, then the old one again.
    case thereAndBack
    /// A different address is requested and not confirmed. An unconfirmed account has it at once.
    case askedFor
    /// The same, and then the old address is requested.
    case askedForAndWithdrawn
    /// The same address is requested in another spelling.
    case otherSpelling
    /// No change of the address: name and language change.
    case nameAndLanguage
  }

  /// Whether a token must still be valid.
  private func isGood(_ holding: Holding, after change: Change) -> Bool {
    switch change {
    case .byItsOwner, .byHand, .thereAndBack: false
    // A confirmed account keeps its address; earlier requests end.
    case .askedFor, .askedForAndWithdrawn: holding.isConfirmed && holding != .newAddress
    case .otherSpelling: holding != .newAddress
    case .nameAndLanguage: true
    }
  }

  private static let victim = "victim@example.org"
  private static let password = "uma bem diferente"

  @Test(arguments: Holding.allCases, Change.allCases)
  func `a token proves no address except the one it was sent to`(
    holding: Holding, change: Change
  ) throws {
    let (token, session) = try hold(holding)
    try carryOut(change, session, isConfirmed: holding.isConfirmed)
    let addressBefore = try email()
    let answer = use(token, isReset: holding.isReset)
    if isGood(holding, after: change) {
      #expect(!answer.status.isError, "\(answer.text)")
    } else {
      #expect(answer.status == .unprocessableContent)
      #expect(try answer.type == "/problems/token-spent")
      #expect(try email() == addressBefore)
      #expect(try isConfirmed() == holding.isConfirmed)
      #expect(app.signIn(try name(), Self.password).status == .unauthorized)
    }
    // An address whose mail was not read must not be confirmed, whichever token is valid.
    let unread = try app.integer(
      "SELECT count(*) FROM account WHERE email_key = ? AND confirmed_at IS NOT NULL",
      [.text(Self.victim)])
    #expect(
      unread == (change == .byItsOwner && holding.isConfirmed ? 1 : unreadByHand(change, holding)))
  }

  /// The operator of an instance may change the address of a confirmed account without a mail.
  private func unreadByHand(_ change: Change, _ holding: Holding) -> Int64 {
    change == .byHand && holding.isConfirmed ? 1 : 0
  }

  /// Creates a token.
  private func hold(_ holding: Holding) throws -> (token: String, session: Identity) {
    let session: Identity
    if holding.isConfirmed {
      session = try app.person("ana")
    } else {
      #expect(app.signUp("ana").status == .accepted)
      session = try app.signIn("ana").identity
    }
    switch holding {
    case .confirmation: break
    case .confirmationAgain:
      _ = app.post("/api/accounts/confirm/resend", ["email": "ana@example.org"])
    case .resetOfUnconfirmed, .resetByName: _ = app.post("/api/accounts/recover", ["login": "ana"])
    case .resetByAddress: _ = app.post("/api/accounts/recover", ["login": "ana@example.org"])
    case .reminder: _ = app.signUp("eva", email: "ana@example.org")
    case .newAddress: #expect(ask("third@example.org", session).status == .ok)
    }
    try app.work()
    let mail = try app.lastMail
    #expect(mail.address == (holding == .newAddress ? "third@example.org" : "ana@example.org"))
    return (try mail.token, session)
  }

  private func ask(_ email: String, _ session: Identity) -> TestAnswer {
    app.send(
      .patch, "/api/account",
      json: ["email": .string(email), "current_password": .string(TestApp.password)], as: session)
  }

  private func carryOut(_ change: Change, _ session: Identity, isConfirmed: Bool) throws {
    switch change {
    case .byItsOwner:
      #expect(ask(Self.victim, session).status == .ok)
      guard isConfirmed else { return }
      let link = try app.lastMail.token
      #expect(app.post("/api/accounts/confirm", ["token": .string(link)]).status == .ok)
    case .byHand: try set(Self.victim)
    case .thereAndBack:
      try set(Self.victim)
      try set("ana@example.org")
    case .askedFor: #expect(ask(Self.victim, session).status == .ok)
    case .askedForAndWithdrawn:
      #expect(ask(Self.victim, session).status == .ok)
      #expect(ask("ana@example.org", session).status == .ok)
    case .otherSpelling: #expect(ask("ANA@Example.org", session).status == .ok)
    case .nameAndLanguage:
      let json: JSONValue = [
        "username": "anita", "locale": "pt", "current_password": .string(TestApp.password),
      ]
      #expect(app.send(.patch, "/api/account", json: json, as: session).status == .ok)
    }
  }

  private func set(_ email: String) throws {
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET email = ?, email_key = ? WHERE username_key = 'ana'",
        [.text(email), .text(email)])
    }
  }

  private func use(_ token: String, isReset: Bool) -> TestAnswer {
    isReset
      ? app.post(
        "/api/accounts/reset", ["token": .string(token), "password": .string(Self.password)])
      : app.post("/api/accounts/confirm", ["token": .string(token)])
  }

  private static let ana = "FROM account WHERE username_key IN ('ana', 'anita')"
  private func email() throws -> String? { try app.text("SELECT email \(Self.ana)") }
  private func name() throws -> String { try app.text("SELECT username \(Self.ana)") ?? "" }
  private func isConfirmed() throws -> Bool {
    try app.integer("SELECT confirmed_at IS NOT NULL \(Self.ana)") == 1
  }

  // The attack found in the review, step by step.

  @Test func `a mailbox cannot confirm an account with another person's address`() throws {
    _ = app.signUp("eva", email: "mine@example.org")
    _ = app.post("/api/accounts/recover", ["login": "eva"])
    try app.work()
    let kept = try app.lastMail.token
    let eva = try app.signIn("eva").identity
    #expect(ask(Self.victim, eva).status == .ok)
    #expect(use(kept, isReset: true).status == .unprocessableContent)
    #expect(try app.get("/api/account", as: eva).json["confirmed"] == false)
    // The owner of the address signs up and confirms as if nothing had been attempted.
    _ = app.signUp("victor", email: Self.victim)
    let link = try #require(try app.mails.last { $0.template == "confirm" }).token
    #expect(app.post("/api/accounts/confirm", ["token": .string(link)]).status == .ok)
  }

  @Test func `a token stored for another address is refused even if still valid`() throws {
    _ = app.signUp("ana")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let token = try app.lastMail.token
    try app.dropTrigger("account_address_ends_mail_tokens", of: "account")
    try set(Self.victim)
    #expect(try app.count("mail_token") == 2)
    #expect(use(token, isReset: true).status == .unprocessableContent)
    #expect(use(try app.mails[0].token, isReset: false).status == .unprocessableContent)
  }

  @Test func `a link to set a password confirms no address of another account`() throws {
    _ = app.signUp("eva", email: "shared@example.org")
    _ = app.post("/api/accounts/recover", ["login": "eva"])
    try app.work()
    let link = try app.lastMail.token
    _ = app.signUp("ana", email: "shared@example.org")
    #expect(
      use(try app.mails.last { $0.template == "confirm" }?.token ?? "", isReset: false).status
        == .ok)
    #expect(use(link, isReset: true).status == .noContent)
    #expect(try app.signIn("eva", Self.password).json["account"]?["confirmed"] == false)
  }

  // The check of an organisation: its token proves an address at the organisation's domain.

  private func checked(_ domain: String = "exemplo.example") throws -> (Identity, String) {
    let ana = try app.account("ana")
    app.register("City of Exemplo", domain, as: ana.identity)
    let step = app.post(
      "/api/operators/mine/check", ["method": "email", "address": .string("office@\(domain)")],
      as: ana.identity)
    #expect(step.status == .ok)
    return (ana.identity, try app.token(in: "operator_check"))
  }

  private func finish(_ token: String) -> Status {
    app.post("/api/operators/check", ["token": .string(token)]).status
  }

  @Test func `a check of an organisation is valid for the domain it was sent to`() throws {
    let (ana, token) = try checked()
    let moved = app.send(.patch, "/api/operators/mine", json: ["domain": "victim.example"], as: ana)
    #expect(moved.status == .ok)
    #expect(finish(token) == .unprocessableContent)
    let back = app.send(.patch, "/api/operators/mine", json: ["domain": "exemplo.example"], as: ana)
    #expect(back.status == .ok)
    #expect(finish(token) == .unprocessableContent)
  }

  @Test func `a check of an organisation ends with the next one and with the organisation`() throws
  {
    let (ana, first) = try checked()
    let body: JSONValue = ["method": "email", "address": "info@exemplo.example"]
    #expect(app.post("/api/operators/mine/check", body, as: ana).status == .ok)
    let second = try app.token(in: "operator_check")
    #expect(finish(first) == .unprocessableContent)
    #expect(app.send(.delete, "/api/operators/mine", as: ana).status == .noContent)
    app.register("City of Exemplo", "exemplo.example", as: ana)
    #expect(finish(second) == .unprocessableContent)
  }

  @Test func `a check of an organisation does not depend on the account's address`() throws {
    let (_, token) = try checked()
    try set("other@example.org")
    #expect(finish(token) == .ok)
  }

  @Test func `no token of one kind is valid for another`() throws {
    let (_, check) = try checked()
    #expect(use(check, isReset: true).status == .unprocessableContent)
    #expect(use(check, isReset: false).status == .unprocessableContent)
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let reset = try app.lastMail.token
    #expect(use(reset, isReset: false).status == .unprocessableContent)
    #expect(finish(reset) == .unprocessableContent)
    #expect(use(reset, isReset: true).status == .noContent)
  }
}
