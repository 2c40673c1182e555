@testable import App
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct AdminAccountTests {
  let app: TestApp
  let admin: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
    ana = try app.account("ana")
  }

  private func names(_ query: TestApp.Parameters = [:]) throws -> [String] {
    let answer = app.get("/api/admin/accounts", query, as: admin.identity)
    return try (answer.json["accounts"]?.arrayValue ?? []).compactMap {
      $0["username"]?.stringValue
    }
  }

  private func change(
    _ account: TestAccount, _ body: JSONValue, as who: TestAccount? = nil
  ) -> TestAnswer {
    app.send(
      .patch, "/api/admin/accounts/\(account.id)", json: (try? app.proving(body)) ?? body,
      as: (who ?? admin).identity)
  }

  private func role(_ account: TestAccount) throws -> String? {
    try app.text("SELECT role FROM account WHERE rowid = ?", [.integer(account.rowid)])
  }

  @Test func `accounts are listed by name, role and state, the newest first`() throws {
    _ = try app.account("mod", role: .moderator)
    _ = try app.account("Mariana", isConfirmed: false)
    _ = try app.account("spammer", isSuspended: true)
    #expect(try names() == ["spammer", "Mariana", "mod", "ana", "root"])
    #expect(try names(["q": "ANA"]) == ["Mariana", "ana"])
    #expect(try names(["q": "%"]).isEmpty)
    #expect(try names(["role": "moderator"]) == ["mod"])
    #expect(try names(["state": "unconfirmed"]) == ["Mariana"])
    #expect(try names(["state": "suspended"]) == ["spammer"])
    #expect(try names(["state": "confirmed", "q": "ana"]) == ["ana"])
    for query: TestApp.Parameters in [["role": "king"], ["state": "asleep"], ["cursor": "x"]] {
      #expect(
        app.get("/api/admin/accounts", query, as: admin.identity).status == .badRequest)
    }
  }

  @Test func `a suspension in the past does not count`() throws {
    _ = try app.account("spammer", isSuspended: true)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_until = '2026-11-21T12:00:00Z' WHERE username = 'spammer'")
    }
    #expect(try names(["state": "suspended"]).isEmpty)
  }

  @Test func `pages continue after the last row`() throws {
    for number in 0..<5 { _ = try app.account("user\(number)") }
    let first = app.get("/api/admin/accounts", ["limit": "4"], as: admin.identity)
    _ = try app.account("later")
    let cursor = try first.json["next"]?.stringValue ?? ""
    let rest = try names(["limit": "4", "cursor": cursor])
    #expect(rest == ["user0", "ana", "root"])
  }

  @Test func `addresses are neither shown nor searched`() throws {
    let list = app.get("/api/admin/accounts", as: admin.identity)
    #expect(!list.text.contains("example.org"))
    #expect(try names(["q": "example"]).isEmpty)
    let one = app.get("/api/admin/accounts/\(ana.id)", as: admin.identity)
    #expect(one.status == .ok && !one.text.contains("example.org"))
  }

  @Test func `an account shows its contributions and the decisions about it`() throws {
    _ = try app.device(by: ana)
    app.flag("account", ana.id, as: admin.identity)
    app.act("warn", "account", ana.id, reason: "No faces", as: admin.identity)
    let json = try app.get("/api/admin/accounts/\(ana.id)", as: admin.identity).json
    #expect(json["contributions"]?["devices"]?.intValue == 1)
    #expect(
      json["flags"] == ["received": 1, "open": 0, "upheld": 1, "dismissed": 0, "anonymous": 0])
    #expect(json["decisions"]?[0]?["action"]?.stringValue == "warn")
    #expect(json["decisions"]?[0]?["reason"]?.stringValue == "No faces")
    #expect(json["second_factor"]?.boolValue == false)
    #expect(app.get("/api/admin/accounts/nobody", as: admin.identity).status == .notFound)
  }

  @Test func `a new role ends sessions and tokens, is logged and notified`() throws {
    let token = try app.token(ana.rowid, [.contribute])
    let answer = change(ana, ["role": "moderator", "reason": "Trusted"])
    #expect(answer.status == .ok)
    #expect(try answer.json["role"]?.stringValue == "moderator")
    #expect(app.get("/api/admin/accounts", as: ana.identity).status == .unauthorized)
    #expect(app.flag("account", admin.id, as: token).status == .unauthorized)
    #expect(
      try app.audit() == [["make_moderator", "account \(ana.id)", "\(admin.rowid)", "Trusted"]])
    let mail = try #require(try app.mails.first)
    #expect(mail.template == "role_changed")
    #expect(mail.arguments["role"]?.stringValue == "moderator")
    // The same role again changes nothing.
    #expect(change(ana, ["role": "moderator", "reason": "Trusted"]).status == .ok)
    #expect(try app.audit().count == 1)
  }

  @Test func `the last admin keeps the role`() throws {
    #expect(change(admin, ["role": "contributor", "reason": "Tired"]).status == .conflict)
    #expect(try role(admin) == "admin")
    let other = try app.account("root2", role: .admin)
    #expect(change(admin, ["role": "contributor", "reason": "Tired"]).status == .ok)
    #expect(
      change(other, ["role": "moderator", "reason": "x"], as: other).status == .conflict)
  }

  @Test func `an account with an unconfirmed address gets no role`() throws {
    let eva = try app.account("eva", isConfirmed: false)
    #expect(change(eva, ["role": "moderator", "reason": "x"]).status == .conflict)
    #expect(try role(eva) == "contributor")
  }

  @Test func `only operator accounts belong to an organisation`() throws {
    #expect(change(ana, ["role": "operator", "reason": "x"]).status == .unprocessableContent)
    let device = try app.device(by: admin)
    let known = try app.app.write { connection in
      try connection.execute(
        "INSERT INTO operator (name, kind) VALUES ('City of Bern', 'public')")
      let rowid = connection.lastInsertedRowID
      try connection.execute(
        "UPDATE device SET operator_rowid = ? WHERE rowid = ?",
        [.integer(rowid), .integer(device.rowid)])
      return rowid
    }
    let tied = change(ana, ["role": "operator", "operator": "City of Bern", "reason": "x"])
    #expect(tied.status == .ok)
    #expect(try tied.json["operator"] == ["name": "City of Bern", "kind": "public"])
    #expect(
      try app.integer("SELECT operator_rowid FROM account WHERE username = 'ana'") == known)
    let other = change(ana, ["operator": ["name": "Acme", "kind": "company"], "reason": "x"])
    #expect(try other.json["operator"]?["name"]?.stringValue == "Acme")
    #expect(change(ana, ["operator": nil, "reason": "x"]).status == .unprocessableContent)
    let rui = try app.account("rui")
    #expect(change(rui, ["operator": "Acme", "reason": "x"]).status == .unprocessableContent)
    #expect(change(ana, ["role": "contributor", "reason": "x"]).status == .ok)
    #expect(try app.integer("SELECT operator_rowid FROM account WHERE username = 'ana'") == nil)
    #expect(
      try app.audit().map { $0[0] }
        == ["tie_operator", "make_operator", "tie_operator", "untie_operator", "make_contributor"])
  }

  @Test func `an account can be suspended and reinstated here too`() throws {
    let answer = change(ana, ["suspended": true, "reason": "Spam"])
    #expect(try answer.json["suspended"]?["reason"]?.stringValue == "Spam")
    #expect(app.flag("account", admin.id, as: ana.identity).status == .forbidden)
    #expect(change(ana, ["suspended": false, "reason": "Sorry"]).status == .ok)
    #expect(change(ana, ["suspended": false, "reason": "Sorry"]).status == .conflict)
    #expect(change(admin, ["suspended": true, "reason": "x"]).status == .forbidden)
    #expect(try app.audit().map { $0[0] } == ["suspend", "unsuspend"])
    #expect(try app.mails.map(\.template) == ["suspended", "unsuspended"])
  }

  @Test func `a change needs a reason and a changed field`() throws {
    #expect(try change(ana, ["role": "moderator"]).fields == ["reason"])
    #expect(try change(ana, ["reason": "x"]).fields == ["role"])
    #expect(change(ana, ["role": "king", "reason": "x"]).status == .unprocessableContent)
    #expect(change(ana, ["email": "x@example.org", "reason": "x"]).status == .badRequest)
    #expect(try role(ana) == "contributor")
  }

  @Test func `only admins can read and change accounts`() throws {
    let moderator = try app.account("mod", role: .moderator)
    for account in [ana, moderator] {
      #expect(app.get("/api/admin/accounts", as: account.identity).status == .forbidden)
      #expect(
        app.get("/api/admin/accounts/\(ana.id)", as: account.identity).status == .forbidden)
      #expect(
        change(ana, ["role": "admin", "reason": "x"], as: account).status == .forbidden)
    }
    #expect(app.get("/api/admin/accounts").status == .unauthorized)
  }
}
