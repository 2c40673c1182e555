@testable import Devices
import JSON
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Organisations: registered, checked, approved, withdrawn, erased.
@Suite struct OrganisationTests {
  let app: TestApp
  let ana: TestAccount
  let root: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    root = try app.account("root", role: .admin)
  }

  private var mine: JSONValue {
    get throws { try app.get("/api/operators/mine", as: ana.identity).json }
  }

  private func id() throws -> String { try #require(try mine["id"]?.stringValue) }

  @Test func `an organisation waits for an admin, who records the evidence`() throws {
    let made = app.register("City of Exemplo", "www.Exemplo.example", as: ana.identity)
    #expect(made.status == .created)
    #expect(try made.json["domain"] == "exemplo.example" && made.json["state"] == "waiting")
    #expect(try app.get("/api/operators").json["operators"] == [])
    #expect(app.get("/api/operators/\(try id())").status == .notFound)
    let list = try app.get("/api/admin/operators", ["state": "waiting"], as: root.identity).json
    #expect(list["operators"]?[0]?["account"]?["username"] == "ana")
    #expect(list["counts"]?["waiting"] == 1)
    let bare = app.decide(try id(), "approve", note: nil, as: root.identity)
    #expect(bare.status == .unprocessableContent)
    #expect(try bare.fields == ["note"])
    #expect(
      app.decide(try id(), "approve", note: "Telephoned them", as: root.identity).status == .ok)
    let known = try app.get("/api/operators").json["operators"]?[0]
    #expect(known?["name"] == "City of Exemplo" && known?["checked_by"] == "manual")
    #expect(known?["approved_on"] == "2026-11-21" && known?["devices"] == 0)
    #expect(known?["domain"] == nil && known?["contact"] != nil)
    #expect(try app.text("SELECT role FROM account WHERE username = 'ana'") == "operator")
    let row = "SELECT name FROM operator JOIN account ON operator.rowid = operator_rowid"
    #expect(try app.text(row) == "City of Exemplo")
    let target = "operator \(known?["id"]?.stringValue ?? "")"
    let line = ["approve_operator", target, "\(root.rowid)", "Telephoned them"]
    #expect(try app.audit().last == line)
    #expect(try app.waitingMails().map(\.template) == ["operator_approved"])
  }

  @Test func `an account has one organisation, and describes it in full`() throws {
    #expect(app.register("One", "one.example", as: ana.identity).status == .created)
    #expect(app.register("Two", "two.example", as: ana.identity).status == .conflict)
    let ben = try app.account("ben").identity
    for (members, field) in [
      (["domain": "exemplo"], "domain"), (["domain": "a b.example"], "domain"),
      (["domain": "10.0.0.1"], "domain"), (["kind": "household"], "kind"),
      (["website": "https://elsewhere.example/"], "website"),
      (["website": "javascript:alert(1)"], "website"), (["contact": "a@b"], "contact"),
      (["privacy_policy": "no page"], "privacy_policy"), (["name": ""], "name"),
    ] as [(JSONValue, String)] {
      let answer = app.register("Three", "three.example", members, as: ben)
      #expect(answer.status.code >= 400 && answer.status.code < 500, "\(field)")
      #expect(try answer.fields == [field], "\(answer.text)")
    }
    let fine = app.register(
      "Three", "three.example",
      ["website": "https://data.three.example/", "contact": "office@three.example"], as: ben)
    #expect(fine.status == .created)
  }

  @Test func `a mail to an address at the domain proves its owner, once`() throws {
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    let path = "/api/operators/mine/check"
    for wrong in ["ana@other.example", "ana@sub.exemplo.example", "ana@notexemplo.example"] {
      let body: JSONValue = ["method": "email", "address": .string(wrong)]
      let answer = app.send(.post, path, json: body, as: ana.identity)
      #expect(try answer.status == .unprocessableContent && answer.fields == ["address"])
    }
    #expect(try app.waitingMails().isEmpty)
    let body: JSONValue = ["method": "email", "address": "office@exemplo.example"]
    #expect(app.send(.post, path, json: body, as: ana.identity).status == .ok)
    let mail = try #require(try app.waitingMails().first)
    #expect(mail.to == "office@exemplo.example" && mail.all == "{}")
    let token = try app.token(in: "operator_check")
    #expect(try app.integer("SELECT count(*) FROM organisation WHERE check_method IS NULL") == 1)
    let finish: JSONValue = ["token": .string(token)]
    let done = app.send(.post, "/api/operators/check", json: finish)
    #expect(try done.json["name"] == "City of Exemplo")
    #expect(app.send(.post, "/api/operators/check", json: finish).status == .unprocessableContent)
    #expect(try mine["check"]?["method"] == "email")
    #expect(try mine["check"]?["note"] == "office@exemplo.example")
    // A verified domain needs no note; another domain is unverified.
    #expect(app.decide(try id(), "approve", note: nil, as: root.identity).status == .ok)
    #expect(try app.get("/api/operators").json["operators"]?[0]?["checked_by"] == "email")
  }

  @Test(arguments: [("exemplo.example", "en"), ("exemplo.pt", "pt"), ("exemplo.com.br", "pt")])
  func `the mail has the language of the domain, not of the account`(
    domain: String, language: String
  ) throws {
    for locale in ["en", "pt"] {
      let person = try app.account("person-\(locale)")
      let changed = app.send(
        .patch, "/api/account", json: ["locale": .string(locale)], as: person.identity)
      #expect(changed.status == .ok)
      app.register("City of Exemplo", domain, as: person.identity)
      let answer = app.send(
        .post, "/api/operators/mine/check",
        json: ["method": "email", "address": .string("office@\(domain)")], as: person.identity)
      try #require(answer.status == .ok, "\(answer.text)")
      #expect(try app.lastMail.language == language, "\(locale)")
    }
  }

  @Test func `a mailed check expires after two days, and three an hour are allowed`() throws {
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    let body: JSONValue = ["method": "email", "address": "office@exemplo.example"]
    let path = "/api/operators/mine/check"
    for _ in 0..<3 { #expect(app.send(.post, path, json: body, as: ana.identity).status == .ok) }
    #expect(app.send(.post, path, json: body, as: ana.identity).status == .tooManyRequests)
    let token = try app.token(in: "operator_check")
    app.clock.advance(by: .seconds(48 * 3_600))
    let late = app.send(.post, "/api/operators/check", json: ["token": .string(token)])
    #expect(late.status == .unprocessableContent)
  }

  @Test func `a refused organisation can be corrected, an approved name cannot`() throws {
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    let id = try id()
    app.decide(id, "refuse", note: "Which city?", as: root.identity)
    #expect(try mine["state"] == "refused" && mine["reason"] == "Which city?")
    let rename: JSONValue = ["name": "City of Exemplo, Madeira"]
    let changed = app.send(.patch, "/api/operators/mine", json: rename, as: ana.identity)
    #expect(try changed.json["state"] == "waiting")
    app.decide(id, "approve", as: root.identity)
    let me = try app.signIn(ana.rowid)
    let again = app.send(.patch, "/api/operators/mine", json: ["name": "Me"], as: me)
    #expect(try again.status == .conflict && again.json["type"] == "/problems/operator-checked")
    let contact: JSONValue = ["contact": "office@exemplo.example", "website": nil]
    #expect(app.send(.patch, "/api/operators/mine", json: contact, as: me).status == .ok)
    #expect(app.decide(id, "refuse", as: root.identity).status == .conflict)
  }

  @Test func `one organisation is approved per domain`() throws {
    _ = try app.approved()
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    let answer = app.decide(try id(), "approve", as: root.identity)
    #expect(try answer.status == .conflict && answer.json["type"] == "/problems/operator-taken")
  }

  @Test func `withdrawing removes the role and the claims on devices`() throws {
    let device = try app.added(as: ana)
    let speaker = try app.approved()
    #expect(try app.claim(device, as: speaker) == "standing")
    #expect(app.decide(speaker.id, "withdraw", as: root.identity).status == .ok)
    #expect(try app.count("organisation_claim") == 0)
    let role = "SELECT role FROM account WHERE rowid = ?"
    #expect(try app.text(role, [.integer(speaker.account.rowid)]) == "contributor")
    let me = try app.signIn(speaker.account.rowid)
    let refused = app.get("/api/operator/requests", as: me)
    #expect(try refused.status == .forbidden && refused.json["type"] == "/problems/no-organisation")
    #expect(try app.waitingMails().map(\.template).suffix(1) == ["operator_withdrawn"])
    #expect(try app.get("/api/operators").json["operators"] == [])
  }

  @Test func `an account without the role no longer represents an organisation`() throws {
    let speaker = try app.approved()
    let change: JSONValue = ["role": "contributor", "reason": "a good reason"]
    let path = "/api/admin/accounts/\(speaker.account.id)"
    #expect(app.send(.patch, path, json: try app.proving(change), as: root.identity).status == .ok)
    #expect(app.get("/api/operators/\(speaker.id)").status == .notFound)
    #expect(try app.audit().contains { $0[0] == "withdraw_operator" })
  }

  @Test func `an approval and its end keep sessions and end tokens`() throws {
    app.register("City of Exemplo", "exemplo.example", as: ana.identity)
    let token = try app.token(ana.rowid, [.read])
    app.decide(try id(), "approve", as: root.identity)
    #expect(app.get("/api/operator/requests", as: ana.identity).status == .ok)
    #expect(app.get("/api/session", as: token).status == .unauthorized)
    app.decide(try id(), "withdraw", as: root.identity)
    #expect(try app.get("/api/session", as: ana.identity).json["account"]?["role"] == "contributor")
    #expect(app.get("/api/operator/requests", as: ana.identity).status == .forbidden)
  }

  @Test func `a moderator with an organisation stays a moderator`() throws {
    let mia = try app.account("mia", role: .moderator)
    _ = try app.approved("Mia's", "mia.example", as: mia)
    #expect(try app.text("SELECT role FROM account WHERE username = 'mia'") == "moderator")
    #expect(app.get("/api/operator/requests", as: mia.identity).status == .ok)
  }

  @Test func `leaving, and erasing the account, leave no rows behind`() throws {
    let device = try app.added(as: ana)
    let first = try app.approved()
    try app.claim(device, as: first)
    #expect(app.send(.delete, "/api/operators/mine", as: first.identity).status == .noContent)
    #expect(try app.count("organisation") == 0 && app.count("organisation_claim") == 0)
    let nothing = app.get("/api/operators/mine", as: first.identity)
    #expect(try nothing.status == .ok && nothing.json == .null)
    let second = try app.approved("Another", "another.example")
    try app.claim(device, as: second)
    let erased = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: second.identity)
    #expect(erased.status == .noContent)
    #expect(try app.count("organisation") == 0 && app.count("organisation_claim") == 0)
  }

  @Test func `operators are found by name, in pages`() throws {
    for (name, domain) in [
      ("Área Um", "um.example"), ("Bus Two", "two.example"), ("Car", "c.example"),
    ] {
      _ = try app.approved(name, domain)
    }
    func names(_ query: TestApp.Parameters) throws -> [String] {
      try (app.get("/api/operators", query).json["operators"]?.arrayValue ?? [])
        .compactMap { $0["name"]?.stringValue }
    }
    #expect(try names(["q": "bus t"]) == ["Bus Two"])
    #expect(try names(["q": "area"]) == ["Área Um"])
    let first = try app.get("/api/operators", ["limit": "2"]).json
    #expect(first["operators"]?.arrayValue?.count == 2)
    let cursor = try #require(first["next"]?.stringValue)
    #expect(try names(["limit": "2", "cursor": cursor]) == ["Car"])
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `lists use their index`() throws {
    let plans = try app.database.read { connection in
      [
        try connection.explain(OrganisationStore.page(connection), ["", 0, .null, 20]),
        try connection.explain(OrganisationStore.deviceCount, [1]),
        try connection.explain(DeviceOwnershipStore.standing, ["x"]),
        try connection.explain(
          "SELECT \(ConfirmedOperator.rows) FROM device WHERE device.rowid = ?", [1]),
        try connection.explain(DeviceOwnershipStore.page, [0, 20]),
        try connection.explain(RequestStore.page, [1, .null, .null, "2026-11-21", 20]),
        try connection.explain(ChoiceStore.repliedBy, [.blob([1])]),
      ].map { $0.joined(separator: "\n") }
    }
    for plan in plans {
      #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }
}
