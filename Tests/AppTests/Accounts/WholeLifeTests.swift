import JSON
import PrivacyMap
import Secrets
import Testing
import WebServer

/// One account from sign-up to deletion, with the requests that a browser sends.
@Suite struct WholeLifeTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `an account works from sign-up to deletion`() throws {
    // A visitor creates an account, is signed in at once, and sees that the confirmation is
    // missing.
    #expect(app.signUp("Ana.Silva", email: "Ana@Example.org", locale: "pt").status == .accepted)
    var ana = try app.signIn("ana.silva", agent: "Firefox/128.0 (X11; Linux)").identity
    #expect(try app.get("/api/account", as: ana).json["confirmed"] == false)
    let token = JSONValue.string(try app.lastMail.token)
    #expect(app.post("/api/accounts/confirm", ["token": token]).status == .ok)
    #expect(try app.get("/api/session", as: ana).json["account"]?["confirmed"] == true)

    // She sets up a second factor.
    let proof: JSONValue = ["password": .string(TestApp.password)]
    let enrolment = try app.post("/api/account/totp", proof, as: ana).json
    let secret = try #require(enrolment["secret"]?.stringValue)
    let authenticator = try #require(OneTimePassword(secret: Base32Reader.bytes(of: secret)))
    func code() -> JSONValue {
      app.clock.advance(by: .seconds(30))
      return .string(
        authenticator.code(at: OneTimePassword.step(at: app.clock.now.secondsSinceEpoch)))
    }
    let confirmed = app.post("/api/account/totp/confirm", ["code": code()], as: ana)
    #expect(try confirmed.json["recovery_codes"]?.arrayValue?.count == 10)

    // She gives QGIS a token, and contributes.
    let made = app.post(
      "/api/account/tokens", ["name": "QGIS", "scopes": ["read"]], as: ana)
    #expect(made.status == .created)
    #expect(app.get("/api/people/ana.silva").status == .ok)

    // She forgets her password, and every login but the link stops working.
    #expect(app.post("/api/accounts/recover", ["login": "ana@example.org"]).status == .accepted)
    try app.work()
    let link = JSONValue.string(try app.lastMail.token)
    let reset = app.post(
      "/api/accounts/reset", ["token": link, "password": "uma bem diferente"])
    #expect(reset.status == .noContent)
    #expect(app.get("/api/account", as: ana).status == .unauthorized)
    let half = app.signIn("ana@example.org", "uma bem diferente")
    #expect(try half.type == "/problems/second-factor-required")
    let whole = app.signIn(
      "ana@example.org", "uma bem diferente", code: code().stringValue)
    ana = try whole.identity

    // She changes her address and her name.
    let changed = app.send(
      .patch, "/api/account",
      json: [
        "email": "ana.silva@example.org", "username": "Aninhas",
        "current_password": "uma bem diferente",
      ], as: ana)
    #expect(try changed.json["pending_email"] == "ana.silva@example.org")
    let proven = JSONValue.string(try app.lastMail.token)
    #expect(app.post("/api/accounts/confirm", ["token": proven]).status == .ok)
    #expect(app.get("/api/people/ana.silva").status == .notFound)
    #expect(app.get("/api/people/aninhas").status == .ok)

    // She downloads her data and deletes her account.
    #expect(app.get("/api/account/export", as: ana).status == .ok)
    let left = app.send(
      .delete, "/api/account", json: ["password": "uma bem diferente", "code": code()], as: ana)
    #expect(left.status == .noContent)
    #expect(app.signIn("aninhas", "uma bem diferente").status == .unauthorized)
    #expect(
      try app.mails.map(\.template) == ["account_deleted"] && app.count("account") == 0)
    #expect(app.log.lines.isEmpty)
  }
}

/// Decodes a secret as an authenticator app does (RFC 4648 §6).
enum Base32Reader {
  static func bytes(of text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var bytes: [UInt8] = []
    var pending = 0
    var bits = 0
    for character in text {
      pending = (pending << 5 | (alphabet.firstIndex(of: character) ?? 0)) & 0xFFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(pending >> bits & 0xFF))
      }
    }
    return bytes
  }
}
