import App
import JSON
@testable import Moderation
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct LogTests {
  let app: TestApp
  let admin: TestAccount
  let moderator: TestAccount
  let ana: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana")
    device = try app.device(by: ana, name: "Gate")
  }

  private func log(_ query: TestApp.Parameters = [:]) throws -> JSONValue {
    try app.get("/api/moderation/log", query, as: moderator.identity).json
  }

  private func entries(_ query: TestApp.Parameters = [:]) throws -> [JSONValue] {
    try #require(try log(query)["entries"]?.arrayValue)
  }

  private func actions(_ query: TestApp.Parameters = [:]) throws -> [String] {
    try entries(query).compactMap { $0["action"]?.stringValue }
  }

  @Test func `the log has every privileged action, the latest first`() throws {
    let hidden = app.act("hide", "device", device.id, reason: "A face", as: moderator.identity)
    app.clock.advance(by: .seconds(60))
    try app.undo(hidden, reason: "No face", as: admin.identity)
    try app.database.write { connection in
      try AuditStore(environment: app.environment).note(
        "promote", target: "account \(ana.id)", by: "command line", reason: nil, connection)
    }

    let entries = try entries()

    #expect(entries.compactMap { $0["action"]?.stringValue } == ["promote", "undo", "hide"])
    #expect(entries.map { $0["actor"]?.stringValue } == ["command line", "root", "mod"])
    #expect(entries.map { $0["reason"]?.stringValue } == [nil, "No face", "A face"])
    #expect(entries[0]["target"]?["name"]?.stringValue == "ana")
    #expect(
      entries[2]["target"] == ["type": "device", "id": .string(device.id), "name": "Gate"])
    #expect(entries[2]["at"]?.stringValue == "2026-11-21T12:00:00Z")
    #expect(entries[2]["undone_at"]?.stringValue == "2026-11-21T12:01:00Z")
    #expect(try entries[2]["id"] == hidden.json["id"])
    #expect(entries[0]["id"]?.isNull == true && entries[1]["id"]?.isNull == true)
  }

  @Test func `the log is filtered by action, by person and by target`() throws {
    let other = try app.device(by: ana)
    app.act("hide", "device", device.id, as: moderator.identity)
    app.act("hide", "device", other.id, as: admin.identity)
    app.act("warn", "account", ana.id, as: admin.identity)
    #expect(try actions(["action": "hide"]) == ["hide", "hide"])
    #expect(try actions(["actor": "Root"]) == ["warn", "hide"])
    #expect(try actions(["actor": "nobody"]).isEmpty)
    #expect(try actions(["target": device.id.uppercased()]) == ["hide"])
    #expect(try actions(["target": ana.id]) == ["warn"])
    #expect(try actions(["target": ana.id, "action": "hide"]).isEmpty)
  }

  @Test func `pages continue after the last row while entries are added`() throws {
    for number in 0..<5 {
      app.act("warn", "account", ana.id, reason: "\(number)", as: moderator.identity)
    }
    let first = try log(["limit": "2"])
    app.act("warn", "account", ana.id, reason: "later", as: moderator.identity)
    var seen = first["entries"]?.arrayValue ?? []
    var next = first["next"]?.stringValue
    while let cursor = next {
      let page = try log(["limit": "2", "cursor": cursor])
      seen += page["entries"]?.arrayValue ?? []
      next = page["next"]?.stringValue
    }
    #expect(seen.map { $0["reason"]?.stringValue } == ["4", "3", "2", "1", "0"])
  }

  @Test(arguments: ["x", "W10", "WyJhIl0"]) func `an invalid cursor is refused`(
    cursor: String
  ) {
    let answer = app.get("/api/moderation/log", ["cursor": cursor], as: moderator.identity)
    #expect(answer.status == .badRequest)
  }

  @Test func `a deleted account is not named, nor a later one with its number`() throws {
    app.act("hide", "device", device.id, as: moderator.identity)
    try app.database.write { connection in
      try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(moderator.rowid)])
    }
    let answer = app.get("/api/moderation/log", as: admin.identity)
    #expect(try answer.json["entries"]?[0]?["actor"]?.isNull == true)
    app.clock.advance(by: .seconds(60))
    let heir = try app.account("heir", isNew: true)
    try app.database.write { connection in
      try connection.execute("DELETE FROM session WHERE account_rowid = ?", [.integer(heir.rowid)])
      try connection.execute(
        "UPDATE account SET rowid = ? WHERE rowid = ?",
        [.integer(moderator.rowid), .integer(heir.rowid)])
    }
    let later = app.get("/api/moderation/log", as: admin.identity)
    #expect(try later.json["entries"]?[0]?["actor"]?.isNull == true)
  }

  @Test func `a deletion shows the typed reason and the name of the deleted device`() throws {
    let answer = app.send(
      .post, "/api/admin/deletions",
      json: ["id": .string(device.id), "confirm": true, "reason": "It was a bird box"],
      as: admin.identity)
    #expect(answer.status == .ok)
    #expect(try app.text("SELECT reason FROM audit") == "admin")

    let entry = try #require(try entries().first)

    #expect(entry["action"] == "delete")
    #expect(entry["reason"] == "It was a bird box")
    #expect(entry["target"]?["name"] == "Gate")
  }

  @Test func `a review and a flag carry the name of their device`() throws {
    let new = try app.account("new", isNew: true)
    let added = try app.device(by: new, name: "Mast")
    let review = try app.review("contribution", of: added, by: new, number: 1)
    app.flag("device", device.id, as: new.identity)
    let flag = try #require(try app.text("SELECT id FROM flag"))
    app.act("accept", "review", review, reason: nil, as: moderator.identity)
    app.act("dismiss", "flag", flag, as: moderator.identity)

    let targets = try entries().map { $0["target"]?["name"]?.stringValue }

    #expect(targets == ["Gate", "Mast"])
    #expect(added.id != device.id)
  }

  @Test func `log entries cannot be changed`() throws {
    app.act("hide", "device", device.id, as: moderator.identity)
    for sql in [
      "DELETE FROM audit", "UPDATE audit SET reason = ''", "UPDATE audit SET action_rowid = NULL",
    ] {
      #expect(throws: DatabaseFault.self) { try app.database.write { try $0.execute(sql) } }
    }
    #expect(try actions() == ["hide"])
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `a page of the log is read backwards from the table`() throws {
    let store = LogStore(names: app.app.features.flatMap { type(of: $0).logNames })
    for filter in [
      LogStore.Filter(), LogStore.Filter(action: "hide"), LogStore.Filter(target: "x"),
    ] {
      let plan = try app.database.readPrivate { connection in
        let sql = store.page(filter, isFurther: false)
        let arguments = [SQLValue](repeating: nil, count: sql.count { $0 == "?" })
        return try connection.explain(sql, arguments).joined(separator: "\n")
      }
      #expect(!plan.contains("TEMP B-TREE FOR ORDER BY") || filter.target != nil, "\(plan)")
      #expect(filter.target == nil || plan.contains("audit_by_target"), "\(plan)")
      #expect(plan.contains("SEARCH moderation_action USING INTEGER PRIMARY KEY"), "\(plan)")
    }
  }
}
