@testable import App
import JSON
import PrivacyMap
@testable import Rights
import SpatialDatabase
import Testing
import WebServer

/// The records that a granted data request provides.
@Suite struct DataRecordTests {
  let app: TestApp
  let rita: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    rita = try app.account("rita")
    ana = try app.account("ana")
  }

  private func accepted(
    _ asked: JSONValue = [:], _ granted: JSONValue = [:]
  ) throws -> String {
    let id = try app.dataRequest(from: rita, to: ana, asked)
    try app.accept(id, granted, as: ana)
    return id
  }

  private func records(_ id: String, _ query: TestApp.Parameters = [:]) throws -> [JSONValue] {
    let answer = app.records(id, query, as: rita)
    try #require(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json["records"]?.arrayValue)
  }

  @Test func `records contain the public data of that person only`() throws {
    let made = try app.contributions(of: ana)
    _ = try app.contributions(of: try app.account("rui"), name: "Outra")
    let found = try records(try accepted())
    #expect(
      found.compactMap { $0["field"]?.stringValue }.sorted()
        == ["claims", "devices", "edits", "photos"])
    #expect(found.allSatisfy { $0["device"]?["id"]?.stringValue == made.deviceID })
    let text = app.records(try accepted2(), as: rita).text
    for secret in ["ainda lá", "melhor nome", "rui", "Outra", "@example.org"] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }

  /// A second request, after the first is withdrawn.
  private func accepted2() throws -> String {
    let first = try app.text("SELECT id FROM data_request ORDER BY rowid DESC LIMIT 1")
    app.tell("withdraw", try #require(first), as: rita)
    return try accepted()
  }

  @Test func `only public points are included, and nothing hidden, deleted or pending`() throws {
    let home = try app.added(
      ["precision": "1km"], longitude: 7.4391827, latitude: 46.9518273, as: ana)
    let hidden = try app.added(["name": "Hidden"], longitude: 7.6, as: ana)
    let deleted = try app.added(["name": "Deleted"], longitude: 7.7, as: ana)
    try app.database.write { connection in
      try connection.execute("UPDATE device SET hidden = 1 WHERE id = ?", [.text(hidden)])
      try connection.execute("DELETE FROM device WHERE id = ?", [.text(deleted)])
      for state in ["waiting", "hidden", "deleted"] {
        try connection.execute(
          """
          INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
            height, created_at)
          SELECT ?1, rowid, ?2, 1, 'A photo that is ' || ?3, ?3, ?1, 10, 10, ?4
          FROM device WHERE id = ?5
          """,
          [
            .text(app.environment.newDeviceID().text), .integer(ana.rowid), .text(state),
            .text(app.clock.now.text), .text(home),
          ])
      }
    }
    app.clock.advance(by: .seconds(5))
    let found = try records(try accepted())
    #expect(found.count == 1)
    #expect(found[0]["device"]?["id"]?.stringValue == home)
    let shown = try app.get(Path.item(home)).json["geometry"]?["coordinates"]
    #expect(found[0]["device"]?["geometry"]?["coordinates"] == shown)
    let text = app.records(try accepted2(), as: rita).text
    #expect(!text.contains("7.43918") && !text.contains("46.95182"))
    #expect(!text.contains("A photo that is"))
  }

  @Test func `fields and days limit the records`() throws {
    let first = try app.added(["name": "One"], as: ana)
    app.clock.advance(by: .seconds(86_400))
    let second = try app.added(["name": "Two"], longitude: 8, as: ana)
    app.clock.advance(by: .seconds(86_400))
    _ = try app.added(["name": "Three"], longitude: 9, as: ana)
    app.clock.advance(by: .seconds(5))
    let id = try accepted([:], ["fields": ["devices"], "from": "2026-11-22", "to": "2026-11-22"])
    #expect(try records(id).compactMap { $0["device"]?["id"]?.stringValue } == [second])
    let other = try accepted2Granted(["fields": ["edits"]])
    #expect(try records(other).isEmpty)
    let early = try accepted2Granted(["to": "2026-11-21"])
    #expect(try records(early).compactMap { $0["device"]?["id"]?.stringValue } == [first])
  }

  private func accepted2Granted(_ granted: JSONValue) throws -> String {
    let first = try app.text("SELECT id FROM data_request ORDER BY rowid DESC LIMIT 1")
    app.tell("withdraw", try #require(first), as: rita)
    return try accepted([:], granted)
  }

  @Test func `without a subscription later records are excluded`() throws {
    let before = try app.added(["name": "Before"], as: ana)
    app.clock.advance(by: .seconds(5))
    let id = try accepted()
    app.clock.advance(by: .seconds(5))
    _ = try app.added(["name": "After"], longitude: 8, as: ana)
    app.clock.advance(by: .seconds(5))
    #expect(try records(id).compactMap { $0["device"]?["id"]?.stringValue } == [before])
  }

  @Test func `a subscription provides later additions, each once`() throws {
    _ = try app.added(["name": "Before"], as: ana)
    app.clock.advance(by: .seconds(5))
    let id = try accepted(["subscribe": true])
    let first = try app.records(id, as: rita).json
    #expect(first["records"]?.arrayValue?.count == 1)
    let since = try #require(first["since"]?.stringValue)
    let nothing = try app.records(id, ["since": since], as: rita).json
    #expect(nothing["records"] == [])
    #expect(nothing["since"]?.stringValue == since)
    let after = try app.added(["name": "After"], longitude: 8, as: ana)
    let more = try app.records(id, ["since": since], as: rita).json
    #expect(more["records"]?.arrayValue?.compactMap { $0["device"]?["id"]?.stringValue } == [after])
    let last = try #require(more["since"]?.stringValue)
    #expect(try app.records(id, ["since": last], as: rita).json["records"] == [])
  }

  @Test func `pages contain each record once, also within one second`() throws {
    var ids: [String] = []
    for number in 0..<7 {
      ids.append(try app.added(["name": "A device"], longitude: 7 + Double(number), as: ana))
    }
    app.clock.advance(by: .seconds(5))
    let id = try accepted()
    var found: [String] = []
    var cursor: String?
    repeat {
      let query: TestApp.Parameters =
        cursor.map { ["limit": "3", "cursor": $0] } ?? ["limit": "3"]
      let page = try app.records(id, query, as: rita).json
      found += (page["records"]?.arrayValue ?? []).compactMap { $0["device"]?["id"]?.stringValue }
      cursor = page["next"]?.stringValue
    } while cursor != nil
    #expect(found.sorted() == ids.sorted())
    for wrong in ["x", "WyJhIl0"] {
      #expect(app.records(id, ["cursor": wrong], as: rita).status == .badRequest)
      #expect(app.records(id, ["since": wrong], as: rita).status == .badRequest)
    }
  }

  @Test func `each reading is logged and visible to the person concerned`() throws {
    _ = try app.added(as: ana)
    app.clock.advance(by: .seconds(5))
    let id = try accepted([:], ["fields": ["devices", "edits"]])
    _ = try records(id)
    _ = app.get("/api/data-requests/\(id)/records", as: ana.identity)
    _ = app.get("/api/data-requests/\(id)/records", as: try app.account("eva").identity)
    let seen = try app.dataRequest(id, as: ana).json["seen"]
    #expect(
      seen == [["at": .string(app.clock.now.text), "fields": ["devices", "edits"], "count": 1]])
    #expect(try app.dataRequest(id, as: rita).json["seen"] == seen)
  }

  @Test func `a suspended user can read no more`() throws {
    let id = try accepted()
    try app.database.write {
      try $0.execute(
        """
        UPDATE account SET suspended_at = '2026-11-21T12:00:00Z', suspended_reason = 'x'
        WHERE rowid = ?
        """,
        [.integer(rita.rowid)])
    }
    #expect(app.records(id, as: rita).status == .forbidden)
  }

  @Test func `reading is limited per hour`() throws {
    let id = try accepted()
    let identity = try app.signIn(rita.rowid)
    for _ in 0..<120 {
      #expect(app.get("/api/data-requests/\(id)/records", as: identity).status == .ok)
    }
    #expect(
      app.get("/api/data-requests/\(id)/records", as: identity).status == .tooManyRequests)
  }

  @Test func `both sides have the request in their export`() throws {
    let id = try accepted()
    _ = try records(id)
    for account in [rita, ana] {
      var headers = Headers()
      for (name, value) in account.identity.headers { headers.add(name, value) }
      let response = app.app.router.respond(
        to: Request(.get, "/api/account/export", headers: headers))
      let document = try JSONValue(parsing: try response.collectBody())
      #expect(document["data_requests"]?[0]?["id"]?.stringValue == id)
      #expect(document["data_requests"]?[0]?["from"] == "rita")
      #expect(
        document["data_requests"]?[0]?["granted"] == ["devices", "edits", "claims", "photos"])
      #expect(document["data_request_looks"]?.arrayValue?.count == 1)
    }
  }

  @Test(
    .onlySQLite("about the query plans of SQLite"),
    arguments: RecordRequest.Field.allCases)
  func `records are found with an index on the person`(field: RecordRequest.Field) throws {
    let plan = try app.database.read { connection in
      try connection.explain(PersonRecords.query(field), [1, "", "2027", "", "", "", 10])
    }
    let index =
      switch field {
      case .devices: "device_by_account"
      case .edits: "revision_by_account"
      case .claims: "verdict_by_account"
      case .photos: "photo_by_account"
      }
    #expect(plan.contains { $0.contains(index) }, "\(plan)")
  }
}
