@testable import Accounts
@testable import App
import JSON
@testable import Service
import Testing
import WebServer

@Suite struct AccountChangeTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let other = "uma bem diferente"

  private func change(_ json: JSONValue, as identity: Identity) -> TestAnswer {
    app.send(.patch, "/api/account", json: json, as: identity)
  }

  @Test func `a user can read their own account`() throws {
    let ana = try app.person("ana")
    let answer = app.get("/api/account", as: ana)
    let id = try #require(try answer.json["id"])
    #expect(
      try answer.json == [
        "id": id, "username": "ana", "email": "ana@example.org", "locale": "en",
        "role": "contributor", "confirmed": true, "suspended": nil,
        "second_factor": ["enabled": false, "required": false, "recovery_codes_left": 0],
        "new": true, "created_at": "2026-11-21T12:00:00Z", "pending_email": nil,
        "data_requests": true,
      ])
    #expect(answer.headers["Cache-Control"] == "private, no-store")
    #expect(app.get("/api/account").status == .unauthorized)
  }

  @Test func `the language is changed without a password`() throws {
    let ana = try app.person("ana")
    #expect(try change(["locale": "pt"], as: ana).json["locale"] == "pt")
    #expect(change(["locale": "xx"], as: ana).status == .unprocessableContent)
    #expect(try app.get("/api/account", as: ana).json["locale"] == "pt")
  }

  @Test(
    arguments: [
      ["username": "eva"], ["email": "eva@example.org"], ["password": "uma bem diferente"],
    ] as [JSONValue])
  func `every other change needs the password`(changes: JSONValue) throws {
    let ana = try app.person("ana")
    let before = try app.get("/api/account", as: ana).json
    let missing = change(changes, as: ana)
    #expect(missing.status == .badRequest)
    #expect(try missing.fields == ["current_password"])
    var members = try #require(changes.objectValue)
    members.members.append(("current_password", "a wrong guess"))
    let wrong = change(.object(members), as: ana)
    #expect(wrong.status == .unprocessableContent)
    #expect(try wrong.fields == ["current_password"])
    #expect(try app.get("/api/account", as: ana).json == before)
  }

  @Test func `ten wrong passwords block changes, but not signing in`() throws {
    let ana = try app.person("ana")
    func attempt(_ password: String) -> Status {
      change(["username": "eva", "current_password": .string(password)], as: ana).status
    }
    for _ in 1...10 { #expect(attempt("a wrong guess") == .unprocessableContent) }
    #expect(attempt(TestApp.password) == .tooManyRequests)
    #expect(app.signIn("ana").status == .ok)
    app.clock.advance(by: .seconds(900))
    #expect(attempt(TestApp.password) == .ok)
  }

  @Test func `a username is changed, and the old one becomes free`() throws {
    let ana = try app.person("ana")
    let answer = change(
      ["username": "Eva", "current_password": .string(TestApp.password)], as: ana)
    #expect(try answer.json["username"] == "Eva")
    #expect(app.signIn("ana").status == .unauthorized)
    #expect(app.signIn("eva").status == .ok)
    #expect(app.signUp("ana", email: "new@example.org").status == .accepted)
  }

  @Test func `a look-alike username is refused, a respelling of the own name is not`() throws {
    let ana = try app.person("ana")
    _ = try app.person("rui")
    let taken = change(
      ["username": "RUI", "current_password": .string(TestApp.password)], as: ana)
    #expect(taken.status == .conflict)
    #expect(try taken.type == "/problems/username-taken")
    #expect(try taken.fields == ["username"])
    let spelt = change(
      ["username": "Ana", "current_password": .string(TestApp.password)], as: ana)
    #expect(try spelt.json["username"] == "Ana")
  }

  @Test func `a new name changes the version of all resources that show names`() throws {
    let ana = try app.person("ana")
    let before = app.app.accounts.publicChanges.version
    _ = change(["locale": "pt"], as: ana)
    #expect(app.app.accounts.publicChanges.version == before)
    // So far only the profile shows them, and it has a separate version.
    _ = change(["username": "eva", "current_password": .string(TestApp.password)], as: ana)
    #expect(app.app.accounts.publicChanges.version == before)
    #expect(app.add(Sent.feature(), as: ana).status == .created)
    _ = change(["username": "ina", "current_password": .string(TestApp.password)], as: ana)
    #expect(app.app.accounts.publicChanges.version != before)
  }

  @Test func `a new password ends all other sessions and starts a new one`() throws {
    let ana = try app.person("ana")
    let phone = try app.signIn("ana").identity
    let rowid = try #require(try app.mails.first?.account)
    let program = try app.token(rowid, [.read])
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let link = try app.lastMail.token
    let answer = change(
      ["password": .string(Self.other), "current_password": .string(TestApp.password)], as: ana)
    #expect(answer.status == .ok)
    for identity in [ana, phone, program] {
      #expect(app.get("/api/account", as: identity).status == .unauthorized)
    }
    #expect(app.get("/api/account", as: try answer.identity).status == .ok)
    let reset = app.post(
      "/api/accounts/reset", ["token": .string(link), "password": "mais uma diferente"])
    #expect(reset.status == .unprocessableContent)
    #expect(app.signIn("ana").status == .unauthorized)
    #expect(app.signIn("ana", Self.other).status == .ok)
    #expect(try app.lastMail.template == "password_changed")
  }

  @Test(arguments: ["short", "password", "ana@example.org", "eva.silva"])
  func `a new password must satisfy the rules, also against a new name`(password: String) throws {
    let ana = try app.person("ana")
    let answer = change(
      [
        "password": .string(password), "username": "eva.silva",
        "current_password": .string(TestApp.password),
      ], as: ana)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields == ["password"])
  }

  @Test func `a new address applies once confirmed, and the old one is notified`() throws {
    let ana = try app.person("ana")
    let answer = change(
      ["email": "eva@example.org", "current_password": .string(TestApp.password)], as: ana)
    #expect(try answer.json["email"] == "ana@example.org")
    #expect(try answer.json["pending_email"] == "eva@example.org")
    let mail = try app.lastMail
    #expect(mail.address == "eva@example.org")
    #expect(mail.template == "change_email")
    #expect(mail.link?.hasPrefix("/confirm-email#token=") == true)
    let confirmed = app.post("/api/accounts/confirm", ["token": .string(try mail.token)])
    #expect(try confirmed.json == ["confirmed": "email", "username": "ana"])
    let after = try app.get("/api/account", as: ana).json
    #expect(after["email"] == "eva@example.org")
    #expect(after["pending_email"] == .null)
    #expect(after["confirmed"] == true)
    #expect(try app.lastMail.template == "email_changed")
    #expect(try app.lastMail.address == "ana@example.org")
    #expect(app.signIn("ana@example.org").status == .unauthorized)
    #expect(app.signIn("eva@example.org").status == .ok)
  }

  @Test func `a link sent to the old address is invalid after the change`() throws {
    let ana = try app.person("ana")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let old = try app.lastMail.token
    _ = change(
      ["email": "eva@example.org", "current_password": .string(TestApp.password)], as: ana)
    _ = app.post("/api/accounts/confirm", ["token": .string(try app.lastMail.token)])
    let answer = app.post(
      "/api/accounts/reset", ["token": .string(old), "password": .string(Self.other)])
    #expect(answer.status == .unprocessableContent)
  }

  @Test func `the response for an address in use equals that for a free one`() throws {
    let ana = try app.person("ana")
    _ = try app.person("rui")
    let free = change(
      ["email": "eva@example.org", "current_password": .string(TestApp.password)], as: ana)
    let taken = change(
      ["email": "rui@example.org", "current_password": .string(TestApp.password)], as: ana)
    #expect(taken.status == free.status)
    #expect(try taken.json["pending_email"] == "rui@example.org")
    #expect(try app.lastMail.template == "already_registered")
    #expect(try app.lastMail.address == "rui@example.org")
    #expect(try app.mails.filter { $0.template == "change_email" }.count == 1)
  }

  @Test func `only the last requested address is pending, and the current one cancels it`()
    throws
  {
    let ana = try app.person("ana")
    for email in ["one@example.org", "two@example.org"] {
      _ = change(["email": .string(email), "current_password": .string(TestApp.password)], as: ana)
    }
    let first = try #require(try app.mails.first { $0.address == "one@example.org" })
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(try first.token)]).status
        == .unprocessableContent)
    #expect(try app.get("/api/account", as: ana).json["pending_email"] == "two@example.org")
    _ = change(
      ["email": "Ana@example.org", "current_password": .string(TestApp.password)], as: ana)
    #expect(try app.get("/api/account", as: ana).json["pending_email"] == .null)
  }

  @Test func `an unconfirmed address can be corrected`() throws {
    _ = app.signUp("ana", email: "anna@example.org")
    let ana = try app.signIn("ana").identity
    let wrong = try app.lastMail.token
    let answer = change(
      ["email": "ana@example.org", "current_password": .string(TestApp.password)], as: ana)
    #expect(try answer.json["email"] == "ana@example.org")
    #expect(try answer.json["confirmed"] == false)
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(wrong)]).status
        == .unprocessableContent)
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(try app.lastMail.token)]).status == .ok)
    #expect(try app.get("/api/account", as: ana).json["confirmed"] == true)
  }

  @Test func `five address changes an hour are allowed`() throws {
    let ana = try app.person("ana")
    func ask(_ place: Int) -> TestAnswer {
      change(
        ["email": .string("\(place)@example.org"), "current_password": .string(TestApp.password)],
        as: ana)
    }
    for place in 1...5 { #expect(ask(place).status == .ok) }
    #expect(ask(6).status == .tooManyRequests)
    app.clock.advance(by: .seconds(3_600))
    #expect(ask(6).status == .ok)
  }

  @Test func `a suspended user keeps the name, and may change private data`() throws {
    let rui = try app.account("rui", isSuspended: true).identity
    let named = change(
      ["username": "eva", "current_password": .string(TestApp.password)], as: rui)
    #expect(named.status == .forbidden)
    #expect(try named.type == "/problems/suspended")
    let addressed = change(
      ["email": "eva@example.org", "current_password": .string(TestApp.password)], as: rui)
    #expect(addressed.status == .ok)
  }

  @Test func `users cannot change fields reserved for admins`() throws {
    let ana = try app.person("ana")
    for member in ["role", "confirmed", "id", "suspended", "new"] {
      let answer = change(
        .object(
          JSONObject([
            (member, "admin"), ("current_password", .string(TestApp.password)),
          ])), as: ana)
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == [member])
    }
  }

  @Test func `a personal token cannot change the account`() throws {
    let account = try app.account("ana")
    let program = try app.token(account.rowid, Set(Scope.allCases))
    #expect(change(["locale": "pt"], as: program).status == .forbidden)
    #expect(app.get("/api/account", as: program).status == .forbidden)
  }
}
