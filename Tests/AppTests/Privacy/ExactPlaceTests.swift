@testable import App
@testable import Devices
import JSON
@testable import Moderation
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Another user moves the true point of a coarse device inside its cell. No user sees the points, but all see that it
/// happened, and it can be reviewed and undone.
@Suite struct ExactPlaceTests {
  let app: TestApp
  let ana: TestAccount
  let eva: TestAccount
  let id: String
  private static let place: (longitude: Double, latitude: Double) = (7.4412, 46.9513)

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    eva = try app.account("eva", isNew: true)
    id = try app.added(
      ["category": "doorbell_camera", "precision": "100m"], longitude: Self.place.longitude,
      latitude: Self.place.latitude, as: ana)
  }

  /// A point of the same cell as the device.
  private func near(_ offset: Double) throws -> JSONValue {
    let shown = try app.get(Path.item(id)).json["geometry"]?["coordinates"]
    let (longitude, latitude) = (
      try #require(shown?[0]?.numberValue), try #require(shown?[1]?.numberValue)
    )
    return [
      "geometry": ["coordinates": [.double(longitude + offset), .double(latitude + offset)]]
    ]
  }

  @discardableResult
  private func move(_ offset: Double, as account: TestAccount) throws -> TestAnswer {
    let answer = try app.patch(id, try near(offset), as: account.identity)
    try #require(answer.status == .ok, "\(answer.text)")
    return answer
  }

  private func truePoint() throws -> [Double] {
    let location = app.get(Path.item(id) + "/location", as: ana.identity)
    try #require(location.status == .ok, "\(location.text)")
    let json = try location.json
    let found = json["coordinates"] ?? json["geometry"]?["coordinates"]
    return (found?.arrayValue ?? []).compactMap(\.numberValue)
  }

  private func history() throws -> [JSONValue] {
    try app.get(Path.item(id) + "/history").json["revisions"]?.arrayValue ?? []
  }

  @Test func `the history shows that the place was made more exact, without points`() throws {
    let before = try app.get(Path.item(id)).json["geometry"]
    try move(0.0002, as: eva)
    #expect(try app.get(Path.item(id)).json["geometry"] == before)
    let last = try #require(try history().first)
    #expect(last["changed"] == ["exact_place"])
    #expect(last["author"] == "eva")
    let one = try app.get(Path.item(id) + "/history/2").json
    #expect(one["changes"] == [["field": "exact_place", "before": false, "after": true]])
    // Together with another change as well.
    var patch = try near(0.0001).objectValue ?? [:]
    patch["properties"] = ["name": "Door"]
    try #require(try app.patch(id, .object(patch), as: eva.identity).status == .ok)
    #expect(try history().first?["changed"] == ["exact_place", "name"])
    let stored = try app.database.read { connection in
      try connection.rows("SELECT before FROM revision WHERE number > 1") { $0.text(0) }
    }
    for text in stored { #expect(!text.contains("7.44") && !text.contains("46.95"), "\(text)") }
  }

  @Test func `a move that changes the public point is a move and no more`() throws {
    try move(0.02, as: eva)
    #expect(try history().first?["changed"] == ["geometry"])
  }

  @Test func `revisions of earlier versions show it too`() throws {
    try move(0.0002, as: eva)
    try app.database.write {
      try $0.execute("UPDATE revision SET before = '{}' WHERE number = 2")
    }
    #expect(try history().first?["changed"] == ["exact_place"])
  }

  @Test func `such an edit of a new account waits for a review, which shows it`() throws {
    try move(0.0002, as: eva)
    let mia = try app.account("mia", role: .moderator)
    let item = try #require(
      try app.queue(as: mia.identity).first { $0["device"]?["id"]?.stringValue == id })
    #expect(item["account"]?["username"] == "eva")
    #expect(item["changes"] == [["field": "exact_place", "before": false, "after": true]])
  }

  @Test func `reverting it restores the earlier true point`() throws {
    let before = try truePoint()
    try move(0.0002, as: eva)
    #expect(try truePoint() != before)
    let mia = try app.account("mia", role: .moderator)
    let reverted = app.act(
      "revert", "device", id, more: [("revision", 2)], as: mia.identity)
    try #require(reverted.status == .ok, "\(reverted.text)")
    #expect(try truePoint() == before)
    #expect(try history().first?["changed"] == ["exact_place"])
    try #require(try app.undo(reverted, as: mia.identity).status == .ok)
    #expect(try truePoint() != before)
  }

  @Test func `reverting a person restores the true points that they overwrote`() throws {
    let before = try truePoint()
    try move(0.0002, as: eva)
    try move(0.0003, as: eva)
    let mia = try app.account("mia", role: .moderator)
    let reverted = app.act("revert", "account", eva.id, more: [("all", true)], as: mia.identity)
    try #require(reverted.status == .ok, "\(reverted.text)")
    #expect(try truePoint() == before)
  }

  @Test func `any contributor can restore the earlier true point, without learning it`() throws {
    let before = try truePoint()
    try move(0.0002, as: eva)
    let ben = try app.account("ben")
    func restore() throws -> TestAnswer {
      app.send(
        .post, Path.item(id) + "/history/1/restore", headers: ["If-Match": try app.tag(id)],
        json: [:], as: ben.identity)
    }
    let restored = try restore()
    try #require(restored.status == .ok, "\(restored.text)")
    #expect(try truePoint() == before)
    #expect(try history().first?["changed"] == ["exact_place"])
    #expect(try history().count == 3)
    // A second time there is nothing to restore.
    #expect(try restore().status == .ok)
    #expect(try history().count == 3)
  }

  @Test func `a pin on the true point looks like any other`() throws {
    let offsets = [0.0002, 0.00025]
    let worlds = try TwoWorlds { app, world in
      let ana = try app.account("ana")
      let ben = try app.account("ben")
      let id = try app.added(
        ["category": "doorbell_camera", "precision": "1km"],
        longitude: 7.4412 + offsets[world], latitude: 46.9513, as: ana)
      let answer = try app.patch(
        id, ["geometry": ["coordinates": [.double(7.4412 + offsets[0]), 46.9513]]],
        as: ben.identity)
      try #require(answer.status == .ok)
    }
    worlds.expectAlike("the history after a guess") { app in
      let id = (try? app.text("SELECT id FROM device")) ?? nil
      return app.get(Path.item(id ?? "") + "/history")
    }
  }
}
