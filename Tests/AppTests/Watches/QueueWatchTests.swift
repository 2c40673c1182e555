@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The digest of the moderation queue.
@Suite struct QueueWatchTests {
  let app: TestApp
  let ana: TestAccount
  let moderator: TestAccount

  init() throws {
    app = try TestApp()
    app.clock.set("2026-11-25T10:00:00Z")
    ana = try app.account("ana")
    moderator = try app.account("mia", role: .moderator)
  }

  private static let queue: JSONObject = [
    "label": "Queue", "area": ["type": "queue"], "mail": "daily", "hour": 8, "time_zone": "UTC",
  ]

  private func add(_ members: JSONObject = [:], as account: TestAccount) -> TestAnswer {
    var body = Self.queue
    for (name, value) in members.members { body[name] = value }
    return app.post(TestApp.watches, .object(body), as: account.identity)
  }

  private func flagOne() throws {
    let device = try app.device()
    #expect(app.flag("device", device.id, as: ana.identity).status == .created)
  }

  /// The templates of the mails after the work of a moment.
  private func mails(at time: String) throws -> [String] {
    app.clock.set(time)
    try app.app.watches.finish()
    return try app.mails.map(\.template)
  }

  @Test func `only moderators watch the queue`() throws {
    #expect(add(as: ana).status == .forbidden)
    #expect(add(as: moderator).status == .created)
  }

  @Test(
    arguments: [
      ["mail": "at_once"], ["feed": true], ["webhook": "https://a.example/"],
      ["filter": ["category": "alpr"]],
    ] as [JSONObject])
  func `a watch of the queue sends digests of everything only`(_ members: JSONObject) throws {
    let answer = add(members, as: moderator)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.json["errors"]?[0]?["field"]?.stringValue == "area")
  }

  @Test func `the digest tells each day what waits, and nothing else`() throws {
    #expect(add(as: moderator).status == .created)
    try flagOne()
    try flagOne()
    #expect(try mails(at: "2026-11-26T07:59:59Z") == [])
    #expect(try mails(at: "2026-11-26T08:00:00Z") == ["watch_queue"])
    let list = try app.lastMail.arguments["list"]?.stringValue
    #expect(list == "• Flags: 2, the oldest since 2026-11-25")
    #expect(try app.lastMail.link == "/moderation")
    #expect(try mails(at: "2026-11-27T07:59:59Z").count == 1)
    #expect(try mails(at: "2026-11-27T08:00:00Z").count == 2)
  }

  @Test func `the digest counts the lists that contributors propose`() throws {
    #expect(add(as: moderator).status == .created)
    let answer = app.propose(TestProposal.list(2), as: ana.identity)
    #expect(try mails(at: "2026-11-26T08:00:00Z") == ["watch_queue"])
    let list = try app.lastMail.arguments["list"]?.stringValue
    #expect(list == "• Proposed lists: 1, the oldest since 2026-11-25")
    let id = try #require(try answer.json["id"]?.stringValue)
    #expect(app.send(.delete, "/api/proposals/\(id)", as: ana.identity).status == .noContent)
    #expect(try mails(at: "2026-11-27T08:00:00Z").count == 1)
  }

  @Test func `an empty queue sends no mail, and the next day is tried again`() throws {
    #expect(add(as: moderator).status == .created)
    #expect(try mails(at: "2026-11-26T08:00:00Z") == [])
    try flagOne()
    #expect(try mails(at: "2026-11-27T08:00:00Z") == ["watch_queue"])
  }

  @Test func `a moderator without the role hears nothing more`() throws {
    #expect(add(as: moderator).status == .created)
    try flagOne()
    try app.database.write {
      try $0.execute(
        "UPDATE account SET role = 'contributor' WHERE rowid = ?", [.integer(moderator.rowid)])
    }
    #expect(try mails(at: "2026-11-26T08:00:00Z") == [])
  }

  @Test func `a paused digest stops, and a resumed one goes on`() throws {
    let made = add(as: moderator)
    let path = "\(TestApp.watches)/\(try made.json["id"]?.stringValue ?? "")"
    try flagOne()
    for (isPaused, count) in [(true, 0), (false, 1)] {
      let json: JSONValue = ["paused": .bool(isPaused)]
      #expect(app.send(.patch, path, json: json, as: moderator.identity).status == .ok)
      let day = isPaused ? 26 : 27
      #expect(try mails(at: "2026-11-\(day)T08:00:00Z").count == count)
    }
  }

  @Test func `a watch of the queue matches no device`() throws {
    #expect(add(as: moderator).status == .created)
    try app.device()
    #expect(try app.reported() == [])
  }
}
