@testable import App
@testable import Devices
import JSON
@testable import Moderation
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct QueueTests {
  let app: TestApp
  let moderator: TestAccount
  let ana: TestAccount
  let rui: TestAccount

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana", isNew: true)
    rui = try app.account("rui")
  }

  private func ids(_ items: [JSONValue]) -> [String] {
    items.compactMap { $0["id"]?.stringValue }
  }

  @Test func `flags and reports of one target are one item with every reason`() throws {
    let device = try app.device(by: ana, name: "Gate", longitude: 7.4, latitude: 46.9)
    app.flag("device", device.id, reason: "gone", note: "No pole", as: rui.identity)
    app.clock.advance(by: .seconds(60))
    _ = app.send(
      .post, "/api/reports",
      json: [
        "target": ["type": "device", "id": .string(device.id)], "reason": "spam", "note": "Hm",
      ])

    let item = try #require(try app.queue(as: moderator.identity).first)

    #expect(item["kind"]?.stringValue == "report")
    #expect(item["count"]?.intValue == 2)
    #expect(item["opened_at"]?.stringValue == "2026-11-21T12:00:00Z")
    #expect(item["target"]?["type"]?.stringValue == "device")
    #expect(item["target"]?["id"]?.stringValue == device.id)
    let reasons = item["reasons"]?.arrayValue ?? []
    #expect(reasons.map { $0["reason"]?.stringValue } == ["spam", "gone"])
    #expect(reasons.map { $0["by"]?.stringValue } == [nil, "rui"])
    #expect(reasons[1]["note"]?.stringValue == "No pole")
  }

  @Test func `an item has the device with both its points, its photos and its author`() throws {
    let device = try app.device(
      by: ana, name: "Gate", longitude: 7.43921, latitude: 46.94807, precision: .kilometre)
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    app.flag("device", device.id, as: rui.identity)

    let item = try #require(try app.queue(as: moderator.identity).first)

    let shown = try #require(item["device"])
    #expect(shown["name"]?.stringValue == "Gate")
    #expect(shown["author"]?.stringValue == "ana")
    #expect(shown["hidden"]?.boolValue == false)
    #expect(shown["location"] == [7.43921, 46.94807])
    #expect(shown["geometry"]?["coordinates"] != shown["location"])
    #expect(shown["photos"]?[0]?["id"]?.stringValue == photo)
    #expect(shown["photos"]?[0]?["state"]?.stringValue == "waiting")
    #expect(shown["photos"]?[0]?["thumb"]?.stringValue == "/api/photos/\(photo)?size=thumb&v=1")
    let author = try #require(item["account"])
    #expect(author["username"]?.stringValue == "ana")
    #expect(author["new"]?.boolValue == true)
    #expect(
      author["flags"] == ["received": 1, "open": 1, "upheld": 0, "dismissed": 0, "anonymous": 0])
    #expect(author["contributions"]?["devices"]?.intValue == 1)
  }

  @Test func `no address is shown`() throws {
    let device = try app.device(by: ana)
    _ = app.send(
      .post, "/api/reports",
      json: [
        "target": ["type": "device", "id": .string(device.id)], "reason": "spam", "note": "Hm",
        "email": "jo@example.org",
      ])
    app.flag("account", ana.id, as: rui.identity)
    let text = app.get("/api/moderation/queue", as: moderator.identity).text
    #expect(text.contains("\"wants_answer\":true"))
    #expect(!text.contains("example.org"))
  }

  @Test func `personal data comes first, then the oldest`() throws {
    let devices = try (0..<3).map { _ in try app.device(by: ana) }
    for (device, reason) in zip(devices, ["gone", "spam", "personal_data"]) {
      app.flag("device", device.id, reason: reason, as: rui.identity)
      app.clock.advance(by: .seconds(1))
    }
    let review = try app.review("contribution", of: devices[0], by: ana, number: 1)

    let items = try app.queue(as: moderator.identity)

    #expect(ids(items) == [devices[2].id, devices[0].id, devices[1].id, review])
    #expect(items.map { $0["severity"]?.stringValue } == ["high", "normal", "normal", "normal"])
  }

  @Test func `reviews name the parts to check`() throws {
    let device = try app.device(by: ana)
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    let verdict = try app.verdict(on: device, by: rui, "dispute", counts: false)
    try app.review("contribution", of: device, by: ana, number: 1)
    try app.review("photo", of: device, by: ana, photo: photo)
    try app.review("verdict", of: device, by: rui, verdict: verdict)

    let items = try app.queue(as: moderator.identity)

    let kinds = items.compactMap { $0["kind"]?.stringValue }
    #expect(kinds.sorted() == ["contribution", "photo", "verdict"])
    func item(_ kind: String) -> JSONValue? { items.first { $0["kind"]?.stringValue == kind } }
    #expect(item("contribution")?["revision"]?.intValue == 1)
    #expect(item("photo")?["photo"]?["id"]?.stringValue == photo)
    #expect(item("verdict")?["verdict"]?["verdict"]?.stringValue == "dispute")
    #expect(item("verdict")?["account"]?["username"]?.stringValue == "rui")
    #expect(items.allSatisfy { $0["target"]?["type"]?.stringValue == "review" })
  }

  @Test func `pending items are counted by kind, and listed for a single kind`() throws {
    let device = try app.device(by: ana)
    let other = try app.device(by: ana)
    app.flag("device", device.id, as: rui.identity)
    app.flag("device", other.id, as: rui.identity)
    try app.review("contribution", of: device, by: ana, number: 1)
    let answer = app.get(
      "/api/moderation/queue", ["kind": "contribution"], as: moderator.identity)
    #expect(try answer.json["items"]?.arrayValue?.count == 1)
    #expect(
      try answer.json["counts"]
        == ["flag": 2, "report": 0, "contribution": 1, "photo": 0, "verdict": 0])
    let unknown = app.get("/api/moderation/queue", ["kind": "moon"], as: moderator.identity)
    #expect(unknown.status == .badRequest)
  }

  @Test func `pages continue after the last row while other items change`() throws {
    let devices = try (0..<7).map { _ in try app.device(by: ana) }
    for device in devices {
      app.flag("device", device.id, as: rui.identity)
      app.clock.advance(by: .seconds(1))
    }
    var seen: [String] = []
    var cursor: String?
    repeat {
      let answer =
        cursor.map {
          app.get("/api/moderation/queue", ["limit": "3", "cursor": $0], as: moderator.identity)
        } ?? app.get("/api/moderation/queue", ["limit": "3"], as: moderator.identity)
      seen += ids(try answer.json["items"]?.arrayValue ?? [])
      cursor = try answer.json["next"]?.stringValue
      // A decided item leaves the queue without shifting later ones.
      if seen.count == 3 {
        app.act("dismiss", "device", devices[0].id, as: moderator.identity)
      }
    } while cursor != nil
    #expect(seen == devices.map(\.id))
  }

  @Test(arguments: ["x", "W10", "WyJhIl0", "[]", "%00"])
  func `an invalid cursor is refused`(cursor: String) {
    let answer = app.get("/api/moderation/queue", ["cursor": cursor], as: moderator.identity)
    #expect(answer.status == .badRequest)
  }

  @Test(arguments: ["0", "-1", "x", ""])
  func `an invalid limit is refused`(limit: String) {
    let answer = app.get("/api/moderation/queue", ["limit": limit], as: moderator.identity)
    #expect(answer.status == .badRequest)
  }

  @Test func `a flag of a deleted target stays in the queue, without the target`() throws {
    let device = try app.device(by: ana)
    app.flag("device", device.id, as: rui.identity)
    try app.app.write { try app.writer.remove(device.rowid, $0) }
    let item = try #require(try app.queue(as: moderator.identity).first)
    #expect(item["device"]?.isNull == true)
    #expect(item["target"]?["id"]?.stringValue == device.id)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the queue is read with the indexes of open items`() throws {
    let plan = try app.database.read { connection in
      try connection.explain(
        QueueStore.page(
          after: QueueStore.Place(isUrgent: false, openedAt: "", type: "", id: "")),
        [nil, nil, 0, "", "", "", 20]
      ).joined(separator: "\n")
    }
    #expect(plan.contains("flag USING INDEX flag_open"), "\(plan)")
    #expect(plan.contains("review USING INDEX review_"), "\(plan)")
  }
}
