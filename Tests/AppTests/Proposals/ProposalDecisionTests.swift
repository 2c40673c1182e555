@testable import App
import JSON
import Locking
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import WebServer

/// Moderators decide about proposed lists.
@Suite struct ProposalDecisionTests {
  let app: TestApp
  let ana: TestAccount
  let moderator: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    moderator = try app.account("vera", role: .moderator)
  }

  private func proposed(_ count: Int = 3, by account: TestAccount? = nil) throws -> String {
    let answer = app.propose(TestProposal.list(count), as: (account ?? ana).identity)
    return try #require(try answer.json["id"]?.stringValue)
  }

  @discardableResult
  private func decide(
    _ id: String, _ body: JSONValue = [:], as account: TestAccount? = nil
  ) -> TestAnswer {
    app.send(
      .post, "/api/moderation/proposals/\(id)/decision", json: body,
      as: (account ?? moderator).identity)
  }

  @discardableResult
  private func undo(_ id: String, as account: TestAccount? = nil) -> TestAnswer {
    app.send(
      .post, "/api/moderation/proposals/\(id)/undo", json: ["reason": "Wrong list"],
      as: (account ?? moderator).identity)
  }

  private func shown() throws -> Int64? {
    try app.integer("SELECT count(*) FROM device WHERE hidden = 0")
  }

  @Test func `an accepted list becomes devices with its source and licence`() throws {
    let id = try proposed()
    let answer = decide(id)
    #expect(answer.status == .ok)
    #expect(try answer.json["state"]?.stringValue == "accepted")
    #expect(try answer.json["decision"]?["accepted"]?.intValue == 3)
    #expect(try shown() == 3)
    let source = try app.text(
      "SELECT name || '/' || licence || '/' || attribution FROM source WHERE code = 'list-\(id)'")
    #expect(source == "Cameras of the city/CC-BY-4.0/© City")
  }

  @Test func `of a list accepted in part, only the selected rows become devices`() throws {
    let id = try proposed()
    #expect(decide(id, ["rows": [1, 3], "reason": "Two is gone"]).status == .ok)
    #expect(try shown() == 2)
    let rows = try app.get("/api/proposals/\(id)", as: ana.identity).json["proposed"]
    #expect(rows?.arrayValue?.map { $0["accepted"]?.boolValue } == [true, false, true])
    #expect(try app.integer("SELECT count(*) FROM device WHERE name = 'Camera 1'") == 0)
  }

  @Test func `a decision that leaves rows out needs a reason`() throws {
    let id = try proposed()
    let answer = decide(id, ["rows": [1]])
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("reason"))
    #expect(try app.text("SELECT state FROM proposal") == "open")
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
  }

  @Test func `a refused list adds no device and no import`() throws {
    let id = try proposed()
    #expect(try decide(id, ["rows": [], "reason": "Old"]).json["state"]?.stringValue == "refused")
    #expect(try shown() == 0)
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
  }

  @Test(arguments: [["rows": [4]], ["rows": [0]], ["rows": ["a"]], ["rows": 1]] as [JSONValue])
  func `a row that the list does not have is refused`(body: JSONValue) throws {
    let id = try proposed()
    #expect([400, 422].contains(decide(id, body).status.code))
    #expect(try app.text("SELECT state FROM proposal") == "open")
    #expect(try shown() == 0)
  }

  @Test func `of two moderators at once, one decides and the other is told`() throws {
    let id = try proposed()
    let second = try app.account("walt", role: .moderator)
    let statuses = Locked<[Int]>([])
    Race.run(2) { place in
      let status =
        place == 0
        ? decide(id) : decide(id, ["rows": [], "reason": "Old"], as: second)
      statuses.withLock { $0.append(status.status.code) }
    }
    #expect(statuses.withLock { $0.sorted() } == [200, 409])
    let state = try app.text("SELECT state FROM proposal")
    #expect(try shown() == (state == "accepted" ? 3 : 0))
  }

  @Test func `a withdrawn list cannot be accepted, and a decided one cannot be withdrawn`() throws {
    let first = try proposed()
    #expect(app.send(.delete, "/api/proposals/\(first)", as: ana.identity).status == .noContent)
    #expect(decide(first).status == .notFound)
    let second = try proposed()
    decide(second)
    #expect(app.send(.delete, "/api/proposals/\(second)", as: ana.identity).status == .conflict)
  }

  @Test func `a moderator cannot decide about an own list`() throws {
    let id = try proposed(by: moderator)
    #expect(decide(id).status == .forbidden)
    #expect(try app.text("SELECT state FROM proposal") == "open")
    let other = try app.account("walt", role: .moderator)
    #expect(decide(id, as: other).status == .ok)
    #expect(undo(id).status == .forbidden)
  }

  @Test func `undoing takes the devices off the map except those that people edited`() throws {
    let id = try proposed()
    decide(id)
    let device = TestDevice(
      rowid: try app.integer("SELECT rowid FROM device WHERE name = 'Camera 1'") ?? 0,
      id: try app.text("SELECT id FROM device WHERE name = 'Camera 1'") ?? "")
    try app.edit(device, by: ana, "name", "My camera")
    let answer = undo(id)
    #expect(answer.status == .ok)
    #expect(try answer.json["state"]?.stringValue == "undone")
    #expect(try shown() == 1)
    #expect(undo(id).status == .conflict)
  }

  @Test func `an admin sees the import of an accepted list and can undo it there`() throws {
    let id = try proposed()
    decide(id)
    let admin = try app.account("root", role: .admin)
    let number = try app.get("/api/proposals/\(id)", as: admin.identity)
      .json["decision"]?["import"]?.intValue
    let run = try app.get("/api/admin/imports/\(number ?? 0)", as: admin.identity).json
    #expect(run["added"]?.intValue == 3 && run["state"]?.stringValue == "done")
    #expect(run["source"]?["licence"]?.stringValue == "CC-BY-4.0")
    #expect(run["by"]?.stringValue == "vera" && run["has_mapping"]?.boolValue == true)
    let answer = app.send(
      .post, "/api/admin/imports/\(number ?? 0)/undo", json: [:], as: admin.identity)
    #expect(answer.status == .accepted)
    app.app.imports.worker.rest()
    let state = try app.get("/api/proposals/\(id)", as: ana.identity).json["state"]
    #expect(state?.stringValue == "undone")
  }

  @Test func `decisions and their undoing are in the log and in a mail to the contributor`() throws
  {
    let id = try proposed()
    decide(id, ["rows": [1], "reason": "The others are gone"])
    undo(id)
    let log = try app.get("/api/moderation/log", as: moderator.identity).json["entries"]
    #expect(log?[0]?["action"]?.stringValue == "undo_import")
    #expect(log?[1]?["action"]?.stringValue == "accept_list")
    #expect(log?[1]?["target"]?["name"]?.stringValue == "cameras.csv")
    #expect(log?[1]?["reason"]?.stringValue == "The others are gone")
    #expect(
      try app.integer("SELECT count(*) FROM mail WHERE template = 'list_decided'") == 2)
  }

  @Test func `a decision that a stop of the program interrupted is taken back`() throws {
    let id = try proposed()
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO import_run (file, mapping, state, started_at) VALUES ('a', 'b', 'failed', ?)
        """, [.text(app.clock.now.text)])
      let run = connection.lastInsertedRowID
      try connection.execute(
        """
        UPDATE proposal SET state = 'accepted', decided_at = ?, accepted = 3, import_rowid = ?
        """, [.text(app.clock.now.text), .integer(run)])
      try ProposalStore().reopen(at: app.clock.now, connection)
    }
    #expect(try app.text("SELECT state FROM proposal") == "open")
    #expect(decide(id).status == .ok)
    #expect(try shown() == 3)
  }

  @Test func `a list does not change the devices of another list with the same keys`() throws {
    let first = try proposed(1)
    decide(first)
    let second = try #require(
      try app.propose(
        TestProposal.list(1, named: "Other"), TestProposal.mapping(licence: "CC0-1.0"),
        as: ana.identity
      ).json["id"]?.stringValue)
    decide(second)
    #expect(try shown() == 2)
    #expect(try app.integer("SELECT count(*) FROM device WHERE name = 'Camera 0'") == 1)
  }

  @Test func `a deleted account takes its proposals along and leaves accepted devices`() throws {
    decide(try proposed())
    _ = try proposed()
    try app.database.write { connection in
      try DeviceProposals.erase(
        ErasedAccount(rowid: ana.rowid, emailKey: nil, now: app.clock.now), connection)
    }
    #expect(try app.integer("SELECT count(*) FROM proposal") == 0)
    #expect(try app.proposedRows() == 0)
    #expect(try shown() == 3)
  }

  @Test func `the queue shows waiting lists oldest first, and decided ones apart`() throws {
    let first = try proposed(1)
    let second = try proposed(2)
    decide(first)
    func ids(_ state: String) throws -> [String?] {
      try app.get("/api/moderation/proposals", ["state": state], as: moderator.identity)
        .json["proposals"]?.arrayValue?.map { $0["id"]?.stringValue } ?? []
    }
    #expect(try ids("open") == [second] && ids("decided") == [first])
    let own = try app.get("/api/proposals", as: ana.identity).json
    #expect(own["counts"]?["open"]?.intValue == 1)
    #expect(app.get("/api/moderation/proposals", as: ana.identity).status == .forbidden)
  }
}
