@testable import Accounts
@testable import App
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct SignUpTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `sign-up creates an unconfirmed account and mails a link`() throws {
    let answer = app.signUp("ana", locale: "pt")
    #expect(answer.status == .accepted)
    #expect(answer.bytes.isEmpty)
    let mail = try app.lastMail
    #expect(mail.address == "ana@example.org")
    #expect(mail.language == "pt")
    #expect(mail.template == "confirm")
    #expect(mail.link?.hasPrefix("/confirm#token=") == true)
    let session = app.signIn("ana")
    #expect(try session.json["account"]?["confirmed"] == false)
    #expect(try session.json["account"]?["locale"] == "pt")
    #expect(try session.json["account"]?["role"] == "contributor")
  }

  @Test func `the language comes from the browser if none is given`() throws {
    let answer = app.send(
      .post, "/api/accounts", headers: ["Accept-Language": "pt-PT"],
      json: [
        "username": "ana", "email": "ana@example.org", "password": .string(TestApp.password),
        "accept_terms": true,
      ])
    #expect(answer.status == .accepted)
    #expect(try app.lastMail.language == "pt")
  }

  @Test(arguments: ["ana", "ANA", "Ána", "аnа"])
  func `a name in use, or similar to one, is refused and named`(name: String) throws {
    #expect(app.signUp("ana").status == .accepted)
    let answer = app.signUp(name, email: "other@example.org")
    if (try? Username(name)) == nil {
      #expect(answer.status == .unprocessableContent)
    } else {
      #expect(answer.status == .conflict)
      #expect(try answer.type == "/problems/username-taken")
    }
    #expect(try answer.fields == ["username"])
    #expect(try app.mails.count == 1)
  }

  @Test(arguments: [
    "heId-admin", "he1d-admin", "held-adrnin", "held_admin", "held.adm1n", "HELD-ADMIN",
    "hełd-admin",
  ])
  func `names similar to that of an admin are refused`(name: String) throws {
    _ = try app.account("held-admin", role: .admin)
    let answer = app.signUp(name, email: "other@example.org")
    #expect(answer.status == .conflict)
    #expect(try answer.type == "/problems/username-taken")
    let rui = try app.account("rui")
    let renamed = app.send(
      .patch, "/api/account",
      json: ["username": .string(name), "current_password": .string(TestApp.password)],
      as: rui.identity)
    #expect(renamed.status == .conflict)
    #expect(app.signUp("held-friend").status == .accepted)
  }

  @Test func `an existing look-alike name and its spelling are kept`() throws {
    let ana = try app.account("ana-lima")
    let other = try app.account("ana-1ima")
    try app.database.write { connection in
      try connection.execute("UPDATE account SET username_look = NULL")
      try app.app.accounts.store.noteLooks(connection)
      #expect(try !app.app.accounts.store.lacksLooks(connection))
    }
    func rename(_ account: TestAccount, _ name: String) -> Status {
      app.send(
        .patch, "/api/account",
        json: ["username": .string(name), "current_password": .string(TestApp.password)],
        as: account.identity
      ).status
    }
    #expect(rename(ana, "Ana-Lima") == .ok)
    #expect(rename(other, "ana_lima") == .conflict)
    #expect(rename(other, "ANA-1IMA") == .ok)
    #expect(app.signIn("ana-lima").status == .ok)
    #expect(app.signIn("ana-1ima").status == .ok)
  }

  @Test func `a used address gets the usual response, and its owner a recovery link`()
    throws
  {
    _ = try app.person("ana")
    let free = app.signUp("rui", email: "rui@example.org")
    let taken = app.signUp("eva", email: "ANA@Example.org")
    #expect(taken.status == free.status)
    #expect(taken.bytes == free.bytes)
    #expect(taken.headers.all.map(\.name) == free.headers.all.map(\.name))
    let mail = try app.lastMail
    #expect(mail.template == "already_registered")
    #expect(mail.address == "ana@example.org")
    #expect(mail.link?.hasPrefix("/reset#token=") == true)
    #expect(
      try app.mails.filter { $0.template == "confirm" }.map(\.address) == [
        "ana@example.org", "rui@example.org",
      ])
  }

  @Test func `a sign-up with a used address signs in as unconfirmed, by either name`()
    throws
  {
    _ = try app.person("ana")
    #expect(
      app.signUp("eva", email: "ana@example.org", password: "outra bem comprida").status
        == .accepted)
    for login in ["eva", "ana@example.org"] {
      let session = app.signIn(login, "outra bem comprida")
      #expect(session.status == .ok, "\(login)")
      #expect(try session.json["account"]?["username"] == "eva")
      #expect(try session.json["account"]?["confirmed"] == false)
    }
    let owner = app.signIn("ana@example.org")
    #expect(try owner.json["account"]?["username"] == "ana")
  }

  @Test func `as many passwords are hashed for a used address as for a free one`() throws {
    _ = try app.person("ana")
    let counter = HashCounter()
    let accounts = counter.counting(app.app.accounts)
    for email in ["rui@example.org", "ana@example.org"] {
      let name = email == "ana@example.org" ? "eva" : "rui"
      let answer = try counter.call(
        SignUpRoutes(accounts: accounts).endpoints, "signUp",
        [
          "username": .string(name), "email": .string(email),
          "password": .string(TestApp.password), "accept_terms": true,
        ])
      #expect(answer.status == .accepted)
      #expect(counter.take() == HashCounter.Count(made: 1, compared: 0), "\(email)")
    }
  }

  @Test(
    arguments: [
      ("username", "ab"), ("username", "a b c"), ("email", "ana"), ("email", "ana@example"),
      ("email", "ana@example.org,eva@example.org"),
      ("email", "ana@example.org\nBcc: x@example.org"),
      ("password", "short12"), ("password", "password"), ("password", "PASSWORD"),
      ("password", "anasilva"), ("password", "Anasilva@example.org"), ("locale", "xx"),
    ] as [(String, String)])
  func `a refusal names its field`(field: String, value: String) throws {
    var members: [(key: String, value: JSONValue)] = [
      ("username", "anasilva"), ("email", "anasilva@example.org"),
      ("password", .string(TestApp.password)), ("locale", "en"), ("accept_terms", true),
    ]
    members = members.map { $0.key == field ? ($0.key, .string(value)) : $0 }
    let answer = app.post("/api/accounts", .object(JSONObject(members)))
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields == [field])
    #expect(try app.count("account") == 0)
  }

  @Test(arguments: [7, 8, 1_024, 1_025])
  func `a password has 8 to 1,024 characters`(length: Int) {
    let answer = app.signUp(
      password: String(repeating: "çx", count: 512).prefix(length) + (length > 1_024 ? "y" : ""))
    #expect((answer.status == .accepted) == (8...1_024).contains(length))
  }

  @Test func `one response reports all errors`() throws {
    let answer = app.post("/api/accounts", ["username": "a", "email": "b", "password": "c"])
    #expect(answer.status == .badRequest)
    #expect(Set(try answer.fields) == ["username", "email", "password", "accept_terms"])
    let refused = app.post(
      "/api/accounts",
      ["username": "a", "email": "b", "password": "c", "accept_terms": false])
    #expect(refused.status == .unprocessableContent)
    #expect(Set(try refused.fields) == ["username", "email", "password", "accept_terms"])
  }

  @Test func `users cannot make themselves admin or confirmed`() throws {
    for member in ["role", "confirmed_at", "id", "accepted_edits"] {
      let answer = app.post(
        "/api/accounts",
        [
          "username": "ana", "email": "ana@example.org", "password": .string(TestApp.password),
          "accept_terms": true, "\(member)": "admin",
        ])
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == [member])
    }
  }

  @Test func `a network may create five accounts in half an hour, separate from others`()
    throws
  {
    for place in 1...5 {
      #expect(app.signUp("user\(place)", from: "192.0.2.1").status == .accepted)
    }
    let answer = app.signUp("user6", from: "192.0.2.1")
    #expect(answer.status == .tooManyRequests)
    #expect(answer.headers["Retry-After"] == "1800")
    #expect(app.signUp("user6", from: "192.0.2.2").status == .accepted)
    app.clock.advance(by: .seconds(1_799))
    #expect(app.signUp("user7", from: "192.0.2.1").status == .tooManyRequests)
    app.clock.advance(by: .seconds(1))
    #expect(app.signUp("user7", from: "192.0.2.1").status == .accepted)
  }

  @Test func `addresses of one IPv6 customer are one network`() {
    for place in 1...5 {
      _ = app.signUp("user\(place)", from: "2001:db8::\(place)")
    }
    #expect(app.signUp("user6", from: "2001:db8::ffff:1").status == .tooManyRequests)
    #expect(app.signUp("user6", from: "2001:db8:0:1::1").status == .accepted)
  }

  @Test func `failed sign-ups do not count towards the limit`() {
    _ = app.signUp("ana", from: "192.0.2.1")
    for _ in 1...20 {
      _ = app.signUp("ana", email: "x@example.org", from: "192.0.2.1")
      _ = app.signUp("rui", password: "short", from: "192.0.2.1")
    }
    #expect(app.signUp("rui", from: "192.0.2.1").status == .accepted)
  }

  @Test
  func `a network gets three mails an hour to an address, without an error beyond`()
    throws
  {
    for place in 1...4 {
      let answer = app.signUp("user\(place)", email: "ana@example.org", from: "192.0.2.1")
      #expect(answer.status == .accepted)
    }
    #expect(try app.mails.count == 3)
    // They are sent: while one waits, there is no other.
    try app.database.write { try $0.execute("DELETE FROM mail") }
    app.clock.advance(by: .seconds(3_600))
    _ = app.signUp("user5", email: "Ana@example.org", from: "192.0.2.1")
    #expect(try app.mails.count == 1)
  }

  @Test func `a page of another site cannot sign up visitors`() {
    let answer = app.send(
      .post, "/api/accounts", headers: ["Origin": "https://evil.example"], json: [:])
    #expect(answer.status == .forbidden)
  }
}
