import JSON
import Locking
import Secrets
import Testing
import WebServer

@Suite struct ConfirmationTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func confirm(_ token: String) -> TestAnswer {
    app.post("/api/accounts/confirm", ["token": .string(token)])
  }

  private func resend(_ email: String, as identity: Identity = .visitor) throws -> TestAnswer {
    let answer = app.post(
      "/api/accounts/confirm/resend", ["email": .string(email)], as: identity)
    try app.work()
    return answer
  }

  @Test func `the link in the mail confirms the account once`() throws {
    _ = app.signUp("ana")
    let ana = try app.signIn("ana").identity
    let token = try app.lastMail.token
    let answer = confirm(token)
    #expect(answer.status == .ok)
    #expect(try answer.json == ["confirmed": "account", "username": "ana"])
    #expect(try app.get("/api/session", as: ana).json["account"]?["confirmed"] == true)
    let again = confirm(token)
    #expect(again.status == .unprocessableContent)
    #expect(try again.type == "/problems/token-spent")
  }

  @Test func `a link is valid for 48 hours`() throws {
    _ = app.signUp("ana")
    _ = app.signUp("rui")
    let (first, second) = (try app.mails[0].token, try app.mails[1].token)
    app.clock.advance(by: .seconds(48 * 3_600 - 1))
    #expect(confirm(first).status == .ok)
    app.clock.advance(by: .seconds(1))
    #expect(confirm(second).status == .unprocessableContent)
  }

  @Test func `an unknown token gets the response of a used one`() throws {
    for token in [SecretToken().text, "", "x", String(repeating: "A", count: 43)] {
      let answer = confirm(token)
      #expect(answer.status == .unprocessableContent)
      #expect(try answer.fields == ["token"])
      #expect(answer.headers["Cache-Control"] == "private, no-store" || answer.status.isError)
    }
  }

  @Test func `a token for one purpose is invalid for all others`() throws {
    _ = app.signUp("ana")
    let confirmation = try app.lastMail.token
    #expect(
      app.post(
        "/api/accounts/reset",
        ["token": .string(confirmation), "password": "outra bem comprida"]
      ).status == .unprocessableContent)
    #expect(confirm(confirmation).status == .ok)
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let reset = try app.lastMail.token
    #expect(confirm(reset).status == .unprocessableContent)
    #expect(
      app.post(
        "/api/accounts/reset", ["token": .string(reset), "password": "outra bem comprida"]
      ).status == .noContent)
  }

  @Test func `of sixteen simultaneous uses of a token, one succeeds`() throws {
    _ = app.signUp("ana")
    let token = try app.lastMail.token
    let good = Locked(0)
    Race.run(16) { _ in
      if confirm(token).status == .ok { good.withLock { $0 += 1 } }
    }
    #expect(good.withLock { $0 } == 1)
  }

  @Test func `of two accounts with one address, the first to confirm has it`() throws {
    _ = app.signUp("ana", email: "one@example.org")
    _ = app.signUp("rui", email: "One@example.org")
    let (first, second) = (try app.mails[0].token, try app.mails[1].token)
    #expect(confirm(second).status == .ok)
    #expect(confirm(first).status == .unprocessableContent)
    #expect(try app.signIn("ana").json["account"]?["confirmed"] == false)
  }

  @Test func `the mail can be sent again, and both links are valid until one is used`() throws {
    _ = app.signUp("ana")
    #expect(try resend("ANA@example.org").status == .accepted)
    let (first, second) = (try app.mails[0].token, try app.mails[1].token)
    #expect(first != second)
    #expect(confirm(first).status == .ok)
    #expect(confirm(second).status == .unprocessableContent)
  }

  @Test func `a signed-in user gets the link for their own account`() throws {
    _ = app.signUp("ana", email: "one@example.org")
    let ana = try app.signIn("ana").identity
    _ = app.signUp("rui", email: "one@example.org")
    _ = try resend("one@example.org", as: ana)
    #expect(confirm(try app.lastMail.token).status == .ok)
    #expect(try app.get("/api/session", as: ana).json["account"]?["confirmed"] == true)
  }

  @Test func `a request for an unknown address gets the same response and no mail`() throws {
    _ = app.signUp("ana")
    let known = try resend("ana@example.org")
    let unknown = try resend("nobody@example.org")
    #expect(known.status == unknown.status)
    #expect(known.bytes == unknown.bytes)
    #expect(try app.mails.map(\.address) == ["ana@example.org", "ana@example.org"])
  }

  @Test func `a confirmed user gets a link to recover the account`() throws {
    _ = try app.person("ana")
    _ = try resend("ana@example.org")
    #expect(try app.lastMail.template == "already_registered")
  }

  @Test func `the requested address is not stored afterwards`() throws {
    _ = try resend("nobody@example.org")
    #expect(try app.count("job") == 0)
  }

  @Test func `a network may request ten mails in half an hour`() throws {
    func ask() -> TestAnswer {
      app.post("/api/accounts/recover", ["login": "nobody"], from: "192.0.2.1")
    }
    for _ in 1...10 { #expect(ask().status == .accepted) }
    #expect(ask().status == .tooManyRequests)
    #expect(
      app.post("/api/accounts/recover", ["login": "nobody"], from: "192.0.2.2").status
        == .accepted)
    app.clock.advance(by: .seconds(1_800))
    #expect(ask().status == .accepted)
  }
}
