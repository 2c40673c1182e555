@testable import Accounts
import JSON
import Mail
@testable import Moderation
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A session alone grants no permission that outlives it: tokens with moderator or admin scope and
/// changes of roles need the password and a code.
@Suite struct FreshProofTests {
  let app: TestApp
  let admin: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
    ana = try app.account("ana")
  }

  /// An action that needs the proof: its request, and whether it took effect.
  private struct ModerationActionRecord {
    let method: WebServer.Method
    let path: String
    let body: JSONValue
    let isDone: () throws -> Bool
  }

  enum Power: String, CaseIterable, Sendable {
    case adminToken, moderatorToken, mixedToken, promotion, demotion, tie, untie, approval,
      withdrawal
  }

  private func act(_ power: Power) throws -> ModerationActionRecord {
    switch power {
    case .adminToken: return token(["admin"])
    case .moderatorToken: return token(["moderate"])
    case .mixedToken: return token(["read", "contribute", "admin"])
    case .promotion: return role(ana, ["role": "admin", "reason": "x"], until: "admin")
    case .demotion:
      let other = try app.account("mod", role: .moderator)
      return role(other, ["role": "contributor", "reason": "x"], until: "contributor")
    case .tie:
      let other = try app.account("oper", role: .operator)
      return ModerationActionRecord(
        method: .patch, path: "/api/admin/accounts/\(other.id)",
        body: ["operator": "Acme", "reason": "x"]
      ) { [app] in
        try app.integer("SELECT operator_rowid FROM account WHERE username = 'oper'") != nil
      }
    case .untie:
      return role(ana, ["role": "moderator", "operator": nil, "reason": "x"], until: "moderator")
    case .approval:
      let id = try waiting()
      return ModerationActionRecord(
        method: .post, path: "/api/admin/operators/\(id)",
        body: [
          "decision": "approve", "note": "x",
          "version": .string(try app.version(ofOrganisation: id)),
        ]
      ) { try self.role(of: self.ana) == "operator" }
    case .withdrawal:
      let speaker = try app.approved("City", "city.example", as: ana)
      return ModerationActionRecord(
        method: .post, path: "/api/admin/operators/\(speaker.id)",
        body: [
          "decision": "withdraw", "note": "x",
          "version": .string(try app.version(ofOrganisation: speaker.id)),
        ]
      ) { try self.role(of: self.ana) == "contributor" }
    }
  }

  private func token(_ scopes: JSONValue) -> ModerationActionRecord {
    ModerationActionRecord(
      method: .post, path: "/api/account/tokens", body: ["name": "x", "scopes": scopes]
    ) { [app] in try app.count("personal_token") > 0 }
  }

  private func role(_ account: TestAccount, _ body: JSONValue, until role: String)
    -> ModerationActionRecord
  {
    ModerationActionRecord(method: .patch, path: "/api/admin/accounts/\(account.id)", body: body) {
      try self.role(of: account) == role
    }
  }

  private func role(of account: TestAccount) throws -> String? {
    try app.text("SELECT role FROM account WHERE rowid = ?", [.integer(account.rowid)])
  }

  private func waiting() throws -> String {
    let made = app.register("City", "city.example", as: ana.identity)
    return try #require(try made.json["id"]?.stringValue)
  }

  private func send(
    _ act: ModerationActionRecord, _ proof: KeyValuePairs<String, String> = [:],
    as identity: Identity? = nil
  ) -> TestAnswer {
    var members = act.body.objectValue ?? JSONObject()
    for (name, value) in proof { members[name] = .string(value) }
    return app.send(
      act.method, act.path, json: .object(members), as: identity ?? admin.identity)
  }

  private func forgetCodes() throws {
    try app.database.write { try $0.execute("UPDATE account SET totp_last_step = NULL") }
  }

  @Test(arguments: Power.allCases)
  func `privileged actions need a correct password and a correct code`(power: Power) throws {
    let act = try act(power)
    try forgetCodes()
    let mails = try app.mails.count
    let code = app.code
    let password = TestAccount.password
    let wrongCode = code == "000000" ? "000001" : "000000"
    let missing: [(KeyValuePairs<String, String>, [String])] = [
      ([:], ["password", "code"]), (["password": password], ["code"]),
      (["code": code], ["password"]),
    ]
    for (proof, fields) in missing {
      let answer = send(act, proof)
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == fields)
    }
    let guessed = send(act, ["password": "a wrong guess", "code": code])
    #expect(guessed.status == .unprocessableContent)
    #expect(try guessed.fields == ["password"])
    let wrong = send(act, ["password": password, "code": wrongCode])
    #expect(wrong.status == .unprocessableContent)
    #expect(try wrong.fields == ["code"])
    #expect(try !act.isDone())
    #expect(try app.mails.count == mails, "nobody is told of what was not done")
    let done = send(act, ["password": password, "code": code])
    #expect(!done.status.isError, "\(done.text)")
    #expect(try act.isDone())
  }

  @Test(arguments: Power.allCases)
  func `a personal token cannot perform these actions, whatever its scopes`(power: Power) throws {
    let act = try act(power)
    try forgetCodes()
    let program = try app.token(admin.rowid, Set(Scope.allCases))
    try app.database.write { try $0.execute("UPDATE personal_token SET name = 'held'") }
    let answer = send(act, ["password": TestAccount.password, "code": app.code], as: program)
    #expect(answer.status == .forbidden)
    #expect(try answer.type == "/problems/session-required")
    #expect(try app.integer("SELECT count(*) FROM personal_token WHERE name <> 'held'") == 0)
    if act.method == .patch || power == .approval || power == .withdrawal {
      #expect(try !act.isDone())
    }
  }

  @Test func `a code is valid for one action`() throws {
    let act = token(["admin"])
    let proof: KeyValuePairs = ["password": TestAccount.password, "code": app.code]
    #expect(send(act, proof).status == .created)
    let again = send(role(ana, ["role": "admin", "reason": "x"], until: "admin"), proof)
    #expect(again.status == .unprocessableContent)
    #expect(try again.fields == ["code"])
    #expect(try role(of: ana) == "contributor")
    app.clock.advance(by: .seconds(30))
    let next: KeyValuePairs = ["password": TestAccount.password, "code": app.code]
    #expect(send(role(ana, ["role": "admin", "reason": "x"], until: "admin"), next).status == .ok)
  }

  @Test func `a recovery code replaces a code of the app once`() throws {
    let code = try app.database.write { connection in
      try SecondFactorStore().renewCodes(of: admin.rowid, connection)[0]
    }
    let proof: KeyValuePairs = ["password": TestAccount.password, "code": code]
    #expect(send(token(["admin"]), proof).status == .created)
    #expect(send(token(["admin"]), proof).status == .unprocessableContent)
  }

  @Test func `wrong passwords count across all actions, and the eleventh waits`() throws {
    let acts = [token(["admin"]), role(ana, ["role": "admin", "reason": "x"], until: "admin")]
    for number in 0..<10 {
      let answer = send(acts[number % 2], ["password": "a wrong guess", "code": app.code])
      #expect(answer.status == .unprocessableContent)
    }
    for act in acts {
      let answer = send(act, ["password": TestAccount.password, "code": app.code])
      #expect(answer.status == .tooManyRequests)
      #expect(answer.headers["Retry-After"] != nil)
      #expect(try !act.isDone())
    }
    app.clock.advance(by: .seconds(900))
    #expect(
      send(acts[0], ["password": TestAccount.password, "code": app.code]).status == .created)
  }

  @Test func `wrong codes count across all actions, and the eleventh waits`() throws {
    let acts = [token(["admin"]), role(ana, ["role": "admin", "reason": "x"], until: "admin")]
    let wrong = app.code == "000000" ? "000001" : "000000"
    for number in 0..<10 {
      let answer = send(acts[number % 2], ["password": TestAccount.password, "code": wrong])
      #expect(answer.status == .unprocessableContent)
    }
    let answer = send(acts[0], ["password": TestAccount.password, "code": app.code])
    #expect(answer.status == .tooManyRequests)
    #expect(try app.count("personal_token") == 0)
  }

  @Test func `without a second factor a password grants no privileged action`() throws {
    let bare = try app.account("bare", role: .admin, hasSecondFactor: false)
    let answer = send(
      token(["admin"]), ["password": TestAccount.password, "code": app.code], as: bare.identity)
    #expect(answer.status == .forbidden)
    #expect(try app.count("personal_token") == 0)
  }

  // Privileged tokens

  @Test func `a privileged token lasts 30 days at most, and 30 by default`() throws {
    func make(_ days: JSONValue) throws -> TestAnswer {
      app.post(
        "/api/account/tokens",
        try app.proving(["name": "x", "scopes": ["moderate"], "expires_in_days": days]),
        as: admin.identity)
    }
    for days in [31, 366, 0] as [JSONValue] {
      let refused = try make(days)
      #expect(refused.status == .unprocessableContent)
      #expect(try refused.fields == ["expires_in_days"])
    }
    #expect(try make(30).json["expires_at"] == "2026-12-21T12:00:00Z")
    #expect(try make(1).json["expires_at"] == "2026-11-22T12:00:00Z")
    #expect(try make(nil).json["expires_at"] == "2026-12-21T12:00:00Z")
  }

  @Test func `the owner gets a mail about a privileged token, and no other`() throws {
    let plain = app.post(
      "/api/account/tokens", ["name": "QGIS", "scopes": ["read", "contribute"]],
      as: admin.identity)
    #expect(plain.status == .created)
    #expect(try app.mails.isEmpty)
    let made = app.post(
      "/api/account/tokens", try app.proving(["name": "Night job", "scopes": ["admin", "read"]]),
      as: admin.identity)
    #expect(made.status == .created)
    let mail = try app.lastMail
    #expect(mail.template == "token_made")
    #expect(mail.address == admin.email)
    #expect(mail.arguments["token"] == "Night job")
    #expect(mail.arguments["scopes"] == "Read, Administer")
    #expect(mail.arguments["day"] == "2026-12-21")
    let secret = try #require(try made.json["token"]?.stringValue)
    #expect(!"\(mail)".contains(secret.dropFirst(6)))
    let transport = TestTransport()
    let runner = try app.runner(transport)
    while try runner.runOne() {}
    #expect(transport.messages.last?.text.contains("Night job") == true)
  }

  // Actions without proof

  @Test func `suspending a user and refusing an organisation need no proof`() throws {
    let program = try app.token(admin.rowid, [.moderate, .admin])
    let suspended = app.send(
      .patch, "/api/admin/accounts/\(ana.id)", json: ["suspended": true, "reason": "Spam"],
      as: program)
    #expect(suspended.status == .ok)
    let rui = try app.account("rui")
    let made = app.register("City", "city.example", as: rui.identity)
    let id = try #require(try made.json["id"]?.stringValue)
    let refused = app.post(
      "/api/admin/operators/\(id)",
      [
        "decision": "refuse", "note": "Which city?",
        "version": .string(try app.version(ofOrganisation: id)),
      ], as: program)
    #expect(refused.status == .ok)
  }

  @Test func `a token without privileges ignores a proof`() throws {
    let answer = app.post(
      "/api/account/tokens", ["name": "x", "scopes": ["read"], "password": "a wrong guess"],
      as: admin.identity)
    #expect(answer.status == .created)
  }
}
