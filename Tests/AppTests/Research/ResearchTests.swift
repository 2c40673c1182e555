@testable import Accounts
@testable import App
@testable import Devices
import Downloads
import JSON
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Requests for research access, the decision of an admin, and the effect of a token with that
/// scope.
@Suite struct ResearchTests {
  let app: TestApp
  let ana: TestAccount
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    admin = try app.account("chief", role: .admin)
  }

  private static let own = "/api/account/research-access"
  private static let endpoint = "/api/admin/research-access"
  private static let question: JSONValue = [
    "project": "Cameras of towns", "until": "2027-03-01",
    "purpose": "How many cameras say who runs them, town by town.",
  ]

  private func ask(_ json: JSONValue = question) -> TestAnswer {
    app.post(Self.own, json, as: ana.identity)
  }

  private func decide(_ id: String, _ json: JSONValue) -> TestAnswer {
    app.post("\(Self.endpoint)/\(id)", json, as: admin.identity)
  }

  /// Requested and granted. Returns the id of the request.
  private func granted(until: String = "2027-03-01") throws -> String {
    let id = try #require(try ask().json["id"]?.stringValue)
    let answer = decide(
      id, ["decision": "grant", "reason": "A good purpose", "until": .string(until)])
    #expect(answer.status == .ok)
    return id
  }

  private func makeToken(_ scopes: JSONValue = ["research"]) -> TestAnswer {
    app.post("/api/account/tokens", ["name": "R", "scopes": scopes], as: ana.identity)
  }

  private func program() throws -> Identity {
    .bearer(try #require(try makeToken().json["token"]?.stringValue))
  }

  // Requests

  @Test func `a request waits, and every admin is notified`() throws {
    let answer = ask()
    #expect(answer.status == .created)
    let made = try answer.json
    #expect(made["state"] == "waiting")
    #expect(made["wanted_until"] == "2027-03-01")
    #expect(made["until"] == .null)
    #expect(try app.get(Self.own, as: ana.identity).json["requests"] == [made])
    let mail = try app.lastMail
    #expect(mail.template == "research_asked")
    #expect(mail.account == admin.rowid)
    #expect(
      mail.arguments == ["other": "ana", "project": "Cameras of towns", "username": "chief"])
  }

  @Test func `a second request has to wait for the decision on the first`() throws {
    #expect(ask().status == .created)
    let second = ask()
    #expect(second.status == .conflict)
    #expect(try second.json["type"] == "/problems/research-waits")
  }

  @Test(arguments: [
    ("project", ""), ("project", String(repeating: "a", count: 121)), ("purpose", "too short"),
    ("purpose", String(repeating: "a", count: 2_001)), ("until", "soon"),
    ("until", "2026-11-21"), ("until", "2028-11-22"),
  ])
  func `a request with missing, long or invalid values names the field`(
    name: String, value: String
  ) throws {
    var question = try #require(Self.question.objectValue)
    question[name] = .string(value)
    let answer = ask(.object(question))
    #expect([.unprocessableContent, .badRequest].contains(answer.status))
    #expect(try answer.fields == [name])
    #expect(try app.count("research_access") == 0)
  }

  @Test func `the longest time is 731 days`() throws {
    var question = try #require(Self.question.objectValue)
    question["until"] = "2028-11-21"
    #expect(ask(.object(question)).status == .created)
  }

  @Test func `five requests a day are allowed`() throws {
    for _ in 1...5 {
      let id = try #require(try ask().json["id"]?.stringValue)
      #expect(app.send(.delete, "\(Self.own)/\(id)", as: ana.identity).status == .noContent)
    }
    #expect(ask().status == .tooManyRequests)
  }

  // Decisions

  @Test func `a grant notifies the requester with its end and reason`() throws {
    let id = try granted(until: "2027-02-01")
    let shown = try app.get(Self.own, as: ana.identity).json
    #expect(shown["until"] == "2027-02-01")
    #expect(shown["requests"]?[0]?["id"]?.stringValue == id)
    #expect(shown["requests"]?[0]?["state"] == "granted")
    #expect(shown["requests"]?[0]?["reason"] == "A good purpose")
    let mail = try app.lastMail
    #expect(mail.template == "research_granted")
    #expect(mail.account == ana.rowid)
    #expect(mail.arguments["day"] == "2027-02-01")
    #expect(mail.arguments["reason"] == "A good purpose")
    #expect(try app.count("audit WHERE action = 'grant_research'") == 1)
  }

  @Test func `a refusal states the reason and gives no access`() throws {
    let id = try #require(try ask().json["id"]?.stringValue)
    let answer = decide(id, ["decision": "refuse", "reason": "Reading is open to everybody"])
    #expect(try answer.json["state"] == "refused")
    #expect(makeToken().status == .unprocessableContent)
    #expect(try app.count("mail WHERE template = 'research_refused'") == 1)
  }

  @Test func `a decision is final`() throws {
    let id = try granted()
    for decision in ["grant", "refuse"] {
      var json: JSONObject = JSONObject([("decision", .string(decision)), ("reason", "again")])
      if decision == "grant" { json["until"] = "2027-03-01" }
      #expect(decide(id, .object(json)).status == .conflict)
    }
    #expect(decide(id, ["decision": "revoke", "reason": "a breach"]).status == .ok)
    #expect(decide(id, ["decision": "revoke", "reason": "again"]).status == .conflict)
  }

  @Test func `a refusal needs a reason, and a grant only a day`() throws {
    let id = try #require(try ask().json["id"]?.stringValue)
    #expect(try decide(id, ["decision": "refuse"]).fields == ["reason"])
    #expect(try decide(id, ["decision": "grant", "reason": "good"]).fields == ["until"])
    let refusal = decide(id, ["decision": "refuse", "reason": "no", "until": "2027-03-01"])
    #expect(try refusal.fields == ["until"])
    #expect(decide(id, ["decision": "grant", "until": "2027-03-01"]).status == .ok)
  }

  @Test func `the list has the oldest first and counts all`() throws {
    let first = try granted()
    let second = try #require(try ask().json["id"]?.stringValue)
    let page = try app.get(Self.endpoint, as: admin.identity).json
    #expect(
      page["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [second, first])
    #expect(page["requests"]?[0]?["account"]?["username"] == "ana")
    #expect(page["counts"]?["waiting"] == 1)
    #expect(page["counts"]?["granted"] == 1)
    let one = try app.get(Self.endpoint, ["limit": "1"], as: admin.identity).json
    let next = try #require(one["next"]?.stringValue)
    let rest = try app.get(Self.endpoint, ["limit": "1", "cursor": next], as: admin.identity).json
    #expect(rest["requests"]?[0]?["id"]?.stringValue == first)
    #expect(rest["next"] == .null)
    let waiting = try app.get(Self.endpoint, ["state": "waiting"], as: admin.identity).json
    #expect(waiting["requests"]?.arrayValue?.count == 1)
  }

  // The token

  @Test func `the scope is offered and granted only while access is valid`() throws {
    let path = "/api/account/tokens"
    #expect(
      try app.get(path, as: ana.identity).json["available_scopes"]
        == ["read", "contribute", "choices_read", "choices", "records"])
    let refused = makeToken()
    #expect(refused.status == .unprocessableContent)
    #expect(try refused.fields == ["scopes"])
    _ = try granted(until: "2026-11-22")
    #expect(
      try app.get(path, as: ana.identity).json["available_scopes"]
        == ["read", "contribute", "choices_read", "choices", "records", "research"])
    #expect(makeToken().status == .created)
    app.clock.advance(by: .seconds(2 * 86_400))
    #expect(makeToken().status == .unprocessableContent)
    #expect(try app.get(Self.own, as: ana.identity).json["requests"]?[0]?["state"] == "ended")
  }

  @Test func `a researcher's page is longer, private, and a separate version`() throws {
    _ = try granted()
    let program = try program()
    let query: TestApp.Parameters = ["limit": "60000"]
    let open = app.get(Path.items, query)
    let longer = app.get(Path.items, query, as: program)
    #expect(try open.json["numberMatched"] == longer.json["numberMatched"])
    #expect(longer.headers["Cache-Control"] == "private, no-cache")
    #expect(longer.headers["Vary"]?.contains("Authorization") == true)
    #expect(open.headers["ETag"] != longer.headers["ETag"])
    let tag = try #require(longer.headers["ETag"])
    #expect(
      app.get(Path.items, query, headers: ["If-None-Match": tag], as: program).status
        == .notModified)
    #expect(app.get(Path.items, query, headers: ["If-None-Match": tag]).status == .ok)
  }

  @Test(
    arguments: [
      ("category", [:]), ("status", ["status": "reported,removed,confirmed"]),
      ("setting", ["filter": "name LIKE '%1%' OR setting IS NULL"]),
      ("operator_kind", ["bbox": "-20,-60,100,60"]), ("zone", ["q": "gate"]),
    ] as [(String, [String: String])])
  func `figures agree as a table, as JSON and counted over an export`(
    property: String, filter: [String: String]
  ) throws {
    _ = try RandomWorld(app, count: 300)
    _ = try granted()
    let program = try program()
    func get(_ path: String, _ more: [String: String]) -> TestAnswer {
      let query = filter.merging(more) { _, new in new }.map { ($0.key, $0.value) }
      return app.send(target: Request.target(path, query), as: program)
    }
    let figures = Statistics(json: try get("/api/statistics", ["group_by": property]).json)
    let table = TestTable(get("/api/statistics", ["group_by": property, "f": "csv"]).bytes)
    let export = TestTable(get(TestApp.exportPath(.csv), [:]).bytes)
    func named(_ value: String) -> String { value.isEmpty ? "-" : value }
    let counted = Dictionary(grouping: try export.column(property), by: named).mapValues(\.count)
    #expect(counted.count > 2)
    #expect(try figures.counts(property) == counted)
    let rows = zip(try table.column(property).map(named), try table.column("count"))
    #expect(rows.map { "\($0) \($1)" }.sorted() == counted.map { "\($0) \($1)" }.sorted())
    #expect(figures.total == export.records.count)
    #expect(try get(Path.items, ["limit": "50000"]).ids.sorted() == export.column("id").sorted())
  }

  @Test func `the limits are those in the documentation`() {
    #expect(DeviceRoutes.maximumLimit == 10_000)
    #expect(DeviceRoutes.researchLimit == 50_000)
    #expect(ResearchReader.readTime == .seconds(20))
    #expect((try? DeviceRoutes.limit("60000")) == 10_000)
    #expect((try? DeviceRoutes.limit("60000", maximum: DeviceRoutes.researchLimit)) == 50_000)
  }

  @Test func `access ends after its last day, and the token reads public data again`() throws {
    _ = try granted(until: "2026-11-22")
    let program = try program()
    let reader = ResearchReader(gate: app.app.accounts.gate)
    #expect(try reads(program, reader))
    app.clock.advance(by: .seconds(86_400))
    #expect(try reads(program, reader))
    app.clock.advance(by: .seconds(86_400))
    #expect(try !reads(program, reader))
    #expect(app.get(Path.items, as: program).status == .ok)
  }

  @Test func `revoking, withdrawing and suspending each end it at once`() throws {
    let reader = ResearchReader(gate: app.app.accounts.gate)
    let first = try granted()
    let program = try program()
    #expect(try reads(program, reader))
    #expect(decide(first, ["decision": "revoke", "reason": "a breach"]).status == .ok)
    #expect(try !reads(program, reader))
    let second = try granted()
    #expect(try reads(program, reader))
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_at = ? WHERE rowid = ?",
        [.text(app.clock.now.text), .integer(ana.rowid)])
    }
    #expect(try !reads(program, reader))
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_at = NULL WHERE rowid = ?", [.integer(ana.rowid)])
    }
    #expect(app.send(.delete, "\(Self.own)/\(second)", as: ana.identity).status == .noContent)
    #expect(try !reads(program, reader))
    #expect(try app.count("research_access") == 1)
  }

  @Test func `a token without the scope has no effect, and a wrong token is refused`() throws {
    _ = try granted()
    let reader = ResearchReader(gate: app.app.accounts.gate)
    let made = try makeToken(["read"]).json["token"]?.stringValue
    #expect(try !reads(.bearer(try #require(made)), reader))
    #expect(app.get(Path.items, as: .bearer("farol_nonsense")).status == .unauthorized)
    #expect(
      app.get(Path.items, as: ana.identity).headers["Cache-Control"]?.hasPrefix("public") == true)
  }

  private func reads(_ identity: Identity, _ reader: ResearchReader) throws -> Bool {
    var request = Request(.get, Path.items)
    for (name, value) in identity.headers { request.headers.add(name, value) }
    return try reader.isResearcher(request)
  }

  // Query plans

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the list and the lookup of a token use their indexes`() throws {
    let today = SQLValue.text("2026-11-21")
    try app.database.read { connection in
      let page = try connection.explain(
        ResearchStore.page, [today, .null, .null, .null, .integer(20)]
      ).joined(separator: "\n")
      #expect(page.contains("research_access_in_order"), "\(page)")
      let held = try connection.explain(AccountStore.researcherQuery, [.integer(1), today])
        .joined(separator: "\n")
      #expect(held.contains("research_access_by_account"), "\(held)")
    }
  }
}
