import JSON
import Locking
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct SecondFactorTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// An authenticator app.
  struct Authenticator: Sendable {
    let password: OneTimePassword

    /// The code of the current time step, or of another one some steps later.
    func code(_ app: TestApp, later steps: Int64 = 0) -> String {
      password.code(at: OneTimePassword.step(at: app.clock.now.secondsSinceEpoch) + steps)
    }
  }

  private func enrol(
    _ identity: Identity, password: String = TestApp.password, code: String? = nil
  ) -> TestAnswer {
    var members: [(key: String, value: JSONValue)] = [("password", .string(password))]
    if let code { members.append(("code", .string(code))) }
    return app.post("/api/account/totp", .object(JSONObject(members)), as: identity)
  }

  private func confirm(_ code: String, as identity: Identity) -> TestAnswer {
    app.post("/api/account/totp/confirm", ["code": .string(code)], as: identity)
  }

  private func pending() throws -> Authenticator {
    let secret = try app.database.read { try $0.scalar("SELECT totp_pending FROM account") }
    guard case .blob(let bytes) = secret else { throw Missing() }
    return Authenticator(password: try #require(OneTimePassword(secret: bytes)))
  }

  private struct Missing: Error {}

  /// Sets up a second factor as a user would.
  private func enrolled(
    _ identity: Identity
  ) throws -> (app: Authenticator, codes: [String]) {
    #expect(enrol(identity).status == .created)
    let authenticator = try pending()
    let answer = confirm(authenticator.code(app), as: identity)
    #expect(answer.status == .ok)
    let codes = try answer.json["recovery_codes"]?.arrayValue?.compactMap(\.stringValue)
    return (authenticator, try #require(codes))
  }

  private func next() { app.clock.advance(by: .seconds(30)) }

  @Test func `the secret is shown as text, address and picture`() throws {
    let ana = try app.person("ana")
    let answer = enrol(ana)
    #expect(answer.status == .created)
    let secret = try pending().password
    #expect(try answer.json["secret"]?.stringValue == secret.base32)
    #expect(
      try answer.json["uri"]?.stringValue == secret.uri(issuer: "Farol", account: "ana"))
    let rows = try #require(try answer.json["qr"]?.arrayValue)
    #expect(rows.count >= 21)
    #expect(rows.allSatisfy { $0.stringValue?.count == rows.count })
    #expect(answer.headers["Cache-Control"] == "private, no-store")
  }

  @Test func `the second factor applies only after a first code`() throws {
    let ana = try app.person("ana")
    _ = enrol(ana)
    #expect(app.signIn("ana").status == .ok)
    let wrong = confirm("000000", as: ana)
    #expect(wrong.status == .unprocessableContent)
    #expect(try wrong.fields == ["code"])
    #expect(app.signIn("ana").status == .ok)
    #expect(confirm("000000", as: try app.person("rui")).status == .conflict)
  }

  @Test func `then signing in needs a code, requested after the right password`()
    throws
  {
    let ana = try app.person("ana")
    let (authenticator, codes) = try enrolled(ana)
    #expect(codes.count == 10)
    #expect(Set(codes).count == 10)
    #expect(try app.lastMail.template == "second_factor_on")
    next()
    let asked = app.signIn("ana")
    #expect(asked.status == .unauthorized)
    #expect(try asked.type == "/problems/second-factor-required")
    #expect(asked.headers["Set-Cookie"] == nil)
    let wrong = app.signIn("ana", "a wrong guess", code: authenticator.code(app))
    #expect(wrong.status == .unauthorized)
    #expect(try wrong.type == "about:blank" || wrong.type == nil)
    let session = app.signIn("ana", code: authenticator.code(app))
    #expect(session.status == .ok)
    #expect(
      try session.json["account"]?["second_factor"] == [
        "enabled": true, "required": false, "recovery_codes_left": 10,
      ])
  }

  @Test func `a code is valid once, even when used sixteen times at once`() throws {
    let ana = try app.person("ana")
    let (authenticator, _) = try enrolled(ana)
    #expect(app.signIn("ana", code: authenticator.code(app)).status == .unauthorized)
    next()
    let code = authenticator.code(app)
    let good = Locked(0)
    Race.run(16) { place in
      let answer = app.signIn("ana", code: code, from: "192.0.2.\(place)")
      if answer.status == .ok { good.withLock { $0 += 1 } }
    }
    #expect(good.withLock { $0 } == 1)
  }

  @Test func `a clock that is half a minute off is accepted, a minute is not`() throws {
    let ana = try app.person("ana")
    let (authenticator, _) = try enrolled(ana)
    app.clock.advance(by: .seconds(300))
    #expect(
      app.signIn("ana", code: authenticator.code(app, later: -2)).status == .unauthorized)
    #expect(app.signIn("ana", code: authenticator.code(app, later: -1)).status == .ok)
    #expect(app.signIn("ana", code: authenticator.code(app, later: 1)).status == .ok)
    #expect(app.signIn("ana", code: authenticator.code(app, later: 2)).status == .unauthorized)
  }

  @Test func `a recovery code replaces a code of the app once`() throws {
    let ana = try app.person("ana")
    let (_, codes) = try enrolled(ana)
    let typed = codes[3].uppercased().replacing("-", with: " ")
    let session = app.signIn("ana", code: typed)
    #expect(session.status == .ok)
    #expect(try session.json["account"]?["second_factor"]?["recovery_codes_left"] == 9)
    #expect(app.signIn("ana", code: codes[3]).status == .unauthorized)
    #expect(app.signIn("ana", code: codes[4]).status == .ok)
  }

  @Test func `the database stores recovery codes as digests`() throws {
    let ana = try app.person("ana")
    let (_, codes) = try enrolled(ana)
    let stored = try app.database.read { connection in
      try connection.rows("SELECT digest FROM recovery_code") { $0.blob(0) }
    }
    #expect(Set(stored) == Set(codes.map { Digest.sha256(Array($0.utf8)) }))
  }

  @Test
  func `ten wrong codes an hour are allowed, counted after a right password`()
    throws
  {
    let ana = try app.person("ana")
    let (authenticator, _) = try enrolled(ana)
    next()
    let stranger = "198.51.100.7"
    for _ in 1...9 {
      _ = app.signIn("ana", "a wrong guess", code: "000000", from: stranger)
    }
    for place in 1...10 {
      let answer = app.signIn("ana", code: "00000\(place % 10)", from: stranger)
      #expect(answer.status == .unauthorized)
      #expect(try answer.type == "/problems/second-factor-required")
      #expect(try answer.fields == ["code"])
    }
    #expect(
      app.signIn("ana", code: authenticator.code(app), from: stranger).status == .tooManyRequests)
    #expect(app.signIn("ana", code: authenticator.code(app)).status == .ok)
    app.clock.advance(by: .seconds(3_600))
    #expect(app.signIn("ana", code: authenticator.code(app), from: stranger).status == .ok)
  }

  @Test func `ten wrong codes are allowed during setup too`() throws {
    let ana = try app.person("ana")
    _ = enrol(ana)
    for _ in 1...10 { #expect(confirm("000000", as: ana).status == .unprocessableContent) }
    #expect(confirm(try pending().code(app), as: ana).status == .tooManyRequests)
  }

  @Test
  func
    `it is replaced by whoever shows password and code, and holds until the new app has shown one`()
    throws
  {
    let ana = try app.person("ana")
    let (old, codes) = try enrolled(ana)
    next()
    let without = enrol(ana)
    #expect(without.status == .unprocessableContent)
    #expect(try without.fields == ["code"])
    #expect(enrol(ana, code: old.code(app)).status == .created)
    let new = try pending()
    next()
    #expect(app.signIn("ana", code: new.code(app)).status == .unauthorized)
    #expect(app.signIn("ana", code: old.code(app)).status == .ok)
    #expect(confirm(new.code(app), as: ana).status == .ok)
    next()
    #expect(app.signIn("ana", code: old.code(app)).status == .unauthorized)
    #expect(app.signIn("ana", code: codes[0]).status == .unauthorized)
    #expect(app.signIn("ana", code: new.code(app)).status == .ok)
  }

  @Test func `removing it needs the password and a code`() throws {
    let ana = try app.person("ana")
    let (authenticator, _) = try enrolled(ana)
    next()
    func remove(_ json: JSONValue) -> TestAnswer {
      app.send(.delete, "/api/account/totp", json: json, as: ana)
    }
    #expect(try remove(["password": .string(TestApp.password)]).fields == ["code"])
    #expect(
      try remove(["password": "wrong", "code": .string(authenticator.code(app))]).fields
        == ["password"])
    #expect(
      try remove(["password": .string(TestApp.password), "code": "000000"]).fields == ["code"])
    let proof: JSONValue = [
      "password": .string(TestApp.password), "code": .string(authenticator.code(app)),
    ]
    #expect(remove(proof).status == .noContent)
    #expect(try app.lastMail.template == "second_factor_off")
    #expect(app.signIn("ana").status == .ok)
    #expect(try app.count("recovery_code") == 0)
    #expect(remove(proof).status == .conflict)
  }

  @Test(arguments: [Role.moderator, .admin])
  func `roles with moderation rights must set it up and cannot remove it`(role: Role) throws {
    _ = try app.account("mod", role: role, hasSecondFactor: false)
    let mod = try app.signIn("mod").identity
    for path in ["/api/account", "/api/account/sessions", "/api/account/export"] {
      let answer = app.get(path, as: mod)
      #expect(answer.status == .forbidden)
      #expect(try answer.type == "/problems/second-factor-enrolment-required")
    }
    #expect(
      try app.get("/api/session", as: mod).json["account"]?["second_factor"] == [
        "enabled": false, "required": true, "recovery_codes_left": 0,
      ])
    let (authenticator, _) = try enrolled(mod)
    next()
    #expect(app.get("/api/account", as: mod).status == .ok)
    let answer = app.send(
      .delete, "/api/account/totp",
      json: ["password": .string(TestApp.password), "code": .string(authenticator.code(app))],
      as: mod)
    #expect(answer.status == .forbidden)
    #expect(try answer.type == "/problems/second-factor-kept")
  }

  @Test func `a new password does not remove the second factor`() throws {
    let ana = try app.person("ana")
    _ = try enrolled(ana)
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    _ = app.post(
      "/api/accounts/reset",
      ["token": .string(try app.lastMail.token), "password": "uma bem diferente"])
    #expect(
      try app.signIn("ana", "uma bem diferente").type == "/problems/second-factor-required")
  }
}
