@testable import Accounts
@testable import App
import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct SessionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test(arguments: ["ana", "ANA", " ana ", "ana@example.org", "ANA@EXAMPLE.ORG"])
  func `a user signs in by username or address`(login: String) throws {
    _ = try app.person("ana")
    let answer = app.signIn(login)
    #expect(answer.status == .ok)
    #expect(try answer.json["account"]?["username"] == "ana")
    #expect(try answer.json["account"]?["email"] == "ana@example.org")
    #expect(try answer.json["expires_at"] == "2026-12-21T12:00:00Z")
    let session = app.get("/api/session", as: try answer.identity)
    #expect(try session.json == answer.json)
    #expect(session.headers["Cache-Control"] == "private, no-store")
    #expect(session.headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test func `the cookie is restricted to this server and unreadable for scripts`() throws {
    _ = try app.person("ana")
    let cookie = try #require(app.signIn("ana").headers["Set-Cookie"])
    let parts = cookie.split(separator: ";").map { $0.trimmingPrefix(" ") }
    #expect(parts.dropFirst() == ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax"])
    #expect(parts.first?.hasPrefix("farol=") == true)
    let stored = try app.database.read {
      try $0.scalar("SELECT digest FROM session ORDER BY rowid DESC")
    }
    let token = String(parts.first?.dropFirst(6) ?? "")
    #expect(stored == .blob(try #require(SecretToken(text: token)).digest))
  }

  @Test func `a wrong name and a wrong password get the same response`() throws {
    _ = try app.person("ana")
    let wrong = app.signIn("ana", "something else")
    let unknown = app.signIn("nobody", "something else")
    let address = app.signIn("ana@example.org", "something else")
    let foreign = app.signIn("nobody@example.org", "something else")
    for answer in [wrong, unknown, address, foreign] {
      #expect(answer.status == .unauthorized)
      #expect(answer.bytes == wrong.bytes)
      #expect(answer.headers.all.map(\.name) == wrong.headers.all.map(\.name))
      #expect(answer.headers["Set-Cookie"] == nil)
    }
  }

  @Test(arguments: [
    ("ana", 1), ("nobody", 1), ("ana@example.org", 2), ("nobody@example.org", 2),
    ("claimed@example.org", 2),
  ])
  func `an unknown login computes as many hashes as a known one`(
    login: String, hashes: Int
  ) throws {
    _ = try app.person("ana")
    for name in ["rui", "eva", "zoe"] { _ = app.signUp(name, email: "claimed@example.org") }
    let counter = HashCounter()
    let accounts = counter.counting(app.app.accounts)
    for _ in 1...12 {
      _ = try? counter.call(
        SessionRoutes(accounts: accounts).endpoints, "signIn",
        ["login": .string(login), "password": "something else"], from: "192.0.2.9")
      #expect(counter.take() == HashCounter.Count(made: 0, compared: hashes))
    }
  }

  @Test func `each sign-in starts a new session and ends the browser's last one`() throws {
    let first = try app.person("ana")
    let second = try app.signIn("ana", as: first).identity
    #expect(app.get("/api/session", as: first).status == .unauthorized)
    #expect(app.get("/api/session", as: second).status == .ok)
    let other = try app.signIn("ana").identity
    #expect(app.get("/api/session", as: second).status == .ok)
    #expect(app.get("/api/session", as: other).status == .ok)
  }

  @Test func `signing out ends the session and clears the cookie`() throws {
    let ana = try app.person("ana")
    let answer = app.send(.delete, "/api/session", as: ana)
    #expect(answer.status == .noContent)
    #expect(
      answer.headers["Set-Cookie"] == "farol=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
    #expect(app.get("/api/session", as: ana).status == .unauthorized)
    #expect(app.send(.delete, "/api/session", as: ana).status == .unauthorized)
  }

  @Test func `without a session the response is 401, and with a token 403`() throws {
    #expect(app.get("/api/session").status == .unauthorized)
    let account = try app.account("ana")
    let program = try app.token(account.rowid, [.read])
    let answer = app.get("/api/session", as: program)
    #expect(answer.status == .forbidden)
    #expect(try answer.type == "/problems/session-required")
    #expect(app.send(.delete, "/api/session", as: program).status == .forbidden)
  }

  @Test(arguments: [
    (Role.contributor, Int64(30 * 86_400)), (.operator, 30 * 86_400), (.moderator, 86_400),
    (.admin, 86_400),
  ])
  func `the length of a session depends on the role`(role: Role, seconds: Int64) throws {
    _ = try app.account("ana", role: role, hasSecondFactor: false)
    let answer = app.signIn("ana")
    #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=\(seconds);") == true)
    let until = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + seconds)
    #expect(try answer.json["expires_at"]?.stringValue == until.text)
  }

  @Test func `a session ends at its time`() throws {
    _ = try app.account("mod", role: .moderator, hasSecondFactor: false)
    let mod = try app.signIn("mod").identity
    app.clock.advance(by: .seconds(86_399))
    #expect(app.get("/api/session", as: mod).status == .ok)
    app.clock.advance(by: .seconds(1))
    #expect(app.get("/api/session", as: mod).status == .unauthorized)
  }

  @Test func `a suspended user can sign in, and sees the end and the reason`() throws {
    _ = try app.account("rui", isSuspended: true)
    let account = try app.signIn("rui").json["account"]
    #expect(account?["suspended"] == ["until": nil, "reason": "a test"])
  }

  @Test func `a hash with old parameters is renewed when the user signs in`() throws {
    _ = try app.account("ana")
    // The same password in 8 MiB and one pass, made with argon2-cffi.
    let old =
      "$argon2id$v=19$m=8192,t=1,p=1$"
      + "MDEyMzQ1Njc4OWFiY2RlZg$HJefmrM3G8/JAoEhQSsV7YSM/PZQMN2KUxVFmATWmVg"
    try app.database.write { try $0.execute("UPDATE account SET password_hash = ?", [.text(old)]) }
    #expect(app.signIn("ana", "wrong password").status == .unauthorized)
    #expect(try app.database.read { try $0.text("SELECT password_hash FROM account") } == old)
    #expect(app.signIn("ana").status == .ok)
    let new = try app.database.read { try $0.text("SELECT password_hash FROM account") }
    #expect(new?.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$") == true)
    #expect(app.signIn("ana").status == .ok)
  }

  @Test func `the oldest of more than fifty sessions is ended`() throws {
    let account = try app.account("ana")
    for _ in 1...50 {
      _ = try app.signIn(account.rowid)
    }
    _ = app.signIn("ana")
    #expect(try app.count("session") == SessionStore.maximum)
    #expect(app.get("/api/session", as: account.identity).status == .unauthorized)
  }

  @Test(
    arguments: [
      ["login": "ana"], ["password": "x"], ["login": "ana", "password": "x", "more": "y"],
      ["login": 1, "password": "x"], ["login": "ana", "password": ["x"]],
    ] as [JSONValue])
  func `a body without the required members is malformed`(body: JSONValue) {
    #expect(app.post("/api/session", body).status == .badRequest)
  }

  @Test func `a form on another site's page cannot sign in`() {
    let body = Array("{\"login\":\"ana\",\"password\":\"x\"}".utf8)
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
      let answer = app.send(
        .post, target: "/api/session", headers: ["Content-Type": type], body: body)
      #expect(answer.status == .unsupportedMediaType)
    }
  }
}
