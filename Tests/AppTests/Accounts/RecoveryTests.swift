@testable import Accounts
@testable import App
import JSON
import Locking
import Mail
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct RecoveryTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let other = "uma bem diferente"

  private func recover(_ login: String) throws -> TestAnswer {
    let answer = app.post("/api/accounts/recover", ["login": .string(login)])
    try app.work()
    return answer
  }

  private func reset(_ token: String, _ password: String = other) -> TestAnswer {
    app.post(
      "/api/accounts/reset", ["token": .string(token), "password": .string(password)])
  }

  @Test(arguments: ["ana", "ANA", "ana@example.org", "Ana@Example.org"])
  func `a password is set by a link, requested by username or address`(login: String) throws {
    _ = try app.person("ana")
    #expect(try recover(login).status == .accepted)
    let mail = try app.lastMail
    #expect(mail.template == "reset")
    #expect(mail.link?.hasPrefix("/reset#token=") == true)
    #expect(reset(try mail.token).status == .noContent)
    #expect(app.signIn("ana").status == .unauthorized)
    #expect(app.signIn("ana", Self.other).status == .ok)
    #expect(try app.lastMail.template == "password_changed")
  }

  @Test func `an unknown login gets the same response and no mail`() throws {
    _ = try app.person("ana")
    let before = try app.mails.count
    let unknown = try recover("nobody@example.org")
    let known = try recover("ana")
    #expect(unknown.status == known.status)
    #expect(unknown.bytes == known.bytes)
    #expect(try app.mails.count == before + 1)
  }

  @Test func `a link is valid for an hour`() throws {
    _ = try app.person("ana")
    _ = try recover("ana")
    let token = try app.lastMail.token
    app.clock.advance(by: .seconds(3_600))
    #expect(reset(token).status == .unprocessableContent)
    app.clock.advance(by: .seconds(-1))
    #expect(reset(token).status == .noContent)
  }

  @Test func `a newer link replaces older ones, and their unsent mails are dropped`() throws {
    _ = try app.person("ana")
    _ = try recover("ana")
    let old = try app.lastMail.token
    app.clock.advance(by: .seconds(60))
    _ = try recover("ana@example.org")
    let new = try app.lastMail.token
    #expect(reset(old).status == .unprocessableContent)
    let transport = TestTransport()
    try app.sendMail(transport)
    let sent = transport.messages.filter { $0.subject.contains("password") }
    #expect(sent.count == 1)
    #expect(sent.first?.text.contains(new) == true)
    #expect(reset(new).status == .noContent)
  }

  @Test func `a link caused by another sign-up replaces the older ones too`() throws {
    _ = try app.person("ana")
    _ = try recover("ana")
    let old = try app.lastMail.token
    _ = app.signUp("eva", email: "ana@example.org")
    #expect(try app.lastMail.template == "already_registered")
    #expect(reset(old).status == .unprocessableContent)
    #expect(reset(try app.lastMail.token).status == .noContent)
  }

  @Test func `a request above the limit replaces no link`() throws {
    _ = try app.person("ana")
    for _ in 1...3 { _ = try recover("ana") }
    let last = try app.lastMail.token
    let count = try app.mails.count
    for _ in 1...3 { _ = try recover("ana") }
    #expect(try app.mails.count == count)
    #expect(reset(last).status == .noContent)
  }

  @Test func `a new password ends every session, token and link`() throws {
    let ana = try app.person("ana")
    let rowid = try #require(try app.database.read { try $0.integer("SELECT rowid FROM account") })
    let program = try app.token(rowid, [.read])
    #expect(
      app.send(
        .patch, "/api/account",
        json: ["email": "eva@example.org", "current_password": .string(TestApp.password)], as: ana
      ).status == .ok)
    let other = try app.lastMail.token
    _ = try recover("ana")
    #expect(reset(try app.lastMail.token).status == .noContent)
    #expect(app.get("/api/session", as: ana).status == .unauthorized)
    #expect(app.get("/api/session", as: program).status == .unauthorized)
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(other)]).status == .unprocessableContent)
    #expect(try app.count("session") == 0)
    #expect(try app.count("personal_token") == 0)
    #expect(try app.count("mail_token") == 0)
  }

  @Test func `sessions of other accounts continue`() throws {
    _ = try app.person("ana")
    let rui = try app.person("rui")
    _ = try recover("ana")
    #expect(reset(try app.lastMail.token).status == .noContent)
    #expect(app.get("/api/session", as: rui).status == .ok)
  }

  @Test func `a refused password leaves the link valid`() throws {
    _ = try app.person("ana")
    _ = try recover("ana")
    let token = try app.lastMail.token
    for bad in ["short", "password", "ana@example.org"] {
      let answer = reset(token, bad)
      #expect(answer.status == .unprocessableContent)
      #expect(try answer.fields == ["password"])
    }
    #expect(reset(token).status == .noContent)
  }

  @Test func `a wrong token is refused before anything is hashed`() throws {
    let counter = HashCounter()
    let accounts = counter.counting(app.app.accounts)
    #expect(throws: Refusal.self) {
      try counter.call(
        RecoveryRoutes(accounts: accounts).endpoints, "resetPassword",
        ["token": "cnVpIHRlbSB1bWEgcGFsYXZyYS1wYXNzZSBsb25nYXM", "password": "uma bem comprida"])
    }
    #expect(counter.take() == HashCounter.Count())
  }

  @Test func `of sixteen simultaneous uses of one link, one succeeds`() throws {
    _ = try app.person("ana")
    _ = try recover("ana")
    let token = try app.lastMail.token
    let good = Locked<[Int]>([])
    Race.run(16) { place in
      if reset(token, "palavra-passe número \(place)").status == .noContent {
        good.withLock { $0.append(place) }
      }
    }
    let winner = try #require(good.withLock { $0 }.first)
    #expect(good.withLock { $0.count } == 1)
    #expect(app.signIn("ana", "palavra-passe número \(winner)").status == .ok)
  }

  @Test func `using the link confirms the address too`() throws {
    _ = app.signUp("ana")
    _ = try recover("ana")
    #expect(try app.lastMail.template == "reset")
    #expect(reset(try app.lastMail.token).status == .noContent)
    #expect(try app.signIn("ana", Self.other).json["account"]?["confirmed"] == true)
  }

  @Test func `the page of the interface documents the body of recovery`() throws {
    let page = app.get("/api/docs").text
    let operation = try #require(page.split(separator: "id=\"recover\"").dropFirst().first)
    #expect(operation.prefix(1_500).contains("<code>login</code>"))
    let shape = try #require(page.split(separator: "id=\"shape-loginOnly\"").dropFirst().first)
    #expect(shape.prefix(600).contains("A username or an e-mail address."))
  }

  @Test func `an account that claims another's address never gets its link`() throws {
    _ = try app.person("ana")
    _ = app.signUp("eva", email: "ana@example.org")
    _ = try recover("eva")
    let mail = try app.lastMail
    #expect(mail.template == "already_registered")
    #expect(reset(try mail.token).status == .noContent)
    #expect(app.signIn("eva").status == .ok)
    #expect(app.signIn("ana", Self.other).status == .ok)
  }
}
