@testable import App
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A decision names the version that was reviewed: later changes of its subject are not approved
/// with it.
@Suite struct SeenVersionTests {
  let app: TestApp
  let ana: TestAccount
  let mia: TestAccount
  let root: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana", isNew: true)
    mia = try app.account("mia", role: .moderator)
    root = try app.account("root", role: .admin)
  }

  private func item(_ id: String) throws -> JSONValue {
    try #require(
      try app.queue(["limit": "100"], as: mia.identity).first { $0["target"]?["id"] == .string(id) }
    )
  }

  private func version(_ shown: JSONValue?) throws -> String {
    try #require(shown?["version"]?.stringValue)
  }

  // Organisations

  @Test func `an organisation renamed after the review is not approved`() throws {
    app.register("Harmless Club", "club.example", as: ana.identity)
    let shown = try app.get("/api/admin/operators", as: root.identity).json["operators"]?[0]
    let id = try #require(shown?["id"]?.stringValue)
    let seen = try version(shown)
    let rename: JSONValue = ["name": "Ministry of Health", "kind": "public"]
    #expect(app.send(.patch, "/api/operators/mine", json: rename, as: ana.identity).status == .ok)
    for decision in ["approve", "refuse"] {
      let answer = app.decide(id, decision, version: seen, as: root.identity)
      #expect(try answer.status == .preconditionFailed && answer.json["type"] == "/problems/stale")
      #expect(try answer.json["current"]?["name"] == "Ministry of Health")
    }
    #expect(try app.text("SELECT state FROM organisation") == "waiting")
    #expect(try app.audit().isEmpty)
    let now = try app.get("/api/admin/operators", as: root.identity).json["operators"]?[0]
    #expect(app.decide(id, "approve", version: try version(now), as: root.identity).status == .ok)
  }

  @Test func `a decision without a version is refused`() throws {
    app.register("Harmless Club", "club.example", as: ana.identity)
    let id = try #require(try app.text("SELECT id FROM organisation"))
    let bare = app.send(
      .post, "/api/admin/operators/\(id)",
      json: try app.proving(["decision": "approve", "note": "x"]), as: root.identity)
    #expect(try bare.status == .badRequest && bare.fields == ["version"])
    let device = try app.device(by: ana)
    let review = try app.review("contribution", of: device, by: ana, number: 1)
    for (action, type, target) in [("accept", "review", review), ("dismiss", "device", device.id)] {
      let answer = app.send(
        .post, "/api/moderation/actions",
        json: [
          "action": .string(action), "target": ["type": .string(type), "id": .string(target)],
          "reason": "x",
        ], as: mia.identity)
      #expect(try answer.status == .badRequest && answer.fields == ["version"])
    }
  }

  @Test func `a claim on a device names the version that was compared`() throws {
    let city = try app.approved()
    let device = try app.added(
      ["operator": ["name": "Somebody Else", "kind": "company"]], as: try app.account("rui"))
    try app.claim(device, as: city)
    let path = "/api/moderation/operator-claims"
    let shown = try app.get(path, as: mia.identity).json["claims"]?[0]
    let id = try #require(shown?["id"]?.stringValue)
    _ = app.send(
      .patch, "/api/operators/mine", json: ["website": "https://exemplo.example/new"],
      as: city.identity)
    func decide(_ seen: String) -> TestAnswer {
      app.send(
        .post, "\(path)/\(id)",
        json: ["decision": "approve", "reason": "x", "version": .string(seen)], as: mia.identity)
    }
    #expect(decide(try version(shown)).status == .preconditionFailed)
    #expect(try app.text("SELECT state FROM organisation_claim") == "waiting")
    let now = try app.get(path, as: mia.identity).json["claims"]?[0]
    #expect(decide(try version(now)).status == .ok)
  }

  // Moderation

  @Test func `a picture replaced after the review is not shown`() throws {
    let device = try app.device(by: ana)
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    let review = try app.review("photo", of: device, by: ana, photo: photo)
    let seen = try version(try item(review))
    // As `PUT /api/photos/{id}` does.
    try app.database.write { connection in
      try connection.execute(
        "UPDATE photo SET version = version + 1, file = 'another' WHERE id = ?", [.text(photo)])
    }
    let answer = app.act("accept", "review", review, version: seen, as: mia.identity)
    #expect(try answer.status == .preconditionFailed && answer.json["type"] == "/problems/stale")
    #expect(try app.text("SELECT state FROM photo") == "waiting")
    let now = try version(try item(review))
    #expect(app.act("accept", "review", review, version: now, as: mia.identity).status == .ok)
    #expect(try app.text("SELECT state FROM photo") == "public")
  }

  @Test func `flags on a device that changed after the review are not dismissed`() throws {
    let device = try app.device(by: ana)
    app.flag("device", device.id, as: try app.account("rui").identity)
    let seen = try version(try item(device.id))
    try app.edit(device, by: ana, "name", .text("The home of a person"))
    let answer = app.act("dismiss", "device", device.id, version: seen, as: mia.identity)
    #expect(answer.status == .preconditionFailed)
    #expect(try app.integer("SELECT count(*) FROM flag WHERE outcome IS NULL") == 1)
    // The same applies to flags that were added after the review.
    let again = try version(try item(device.id))
    app.flag("device", device.id, as: try app.account("eva").identity)
    #expect(
      app.act("dismiss", "device", device.id, version: again, as: mia.identity).status
        == .preconditionFailed)
    #expect(app.act("dismiss", "device", device.id, as: mia.identity).status == .ok)
  }

  @Test func `all contributions of a person are accepted up to the reviewed version`() throws {
    let device = try app.device(by: ana)
    try app.review("contribution", of: device, by: ana, number: 1)
    app.flag("device", device.id, as: try app.account("rui").identity)
    let seen = try version(try item(device.id)["account"])
    try app.edit(device, by: ana, "name", .text("Another"))
    try app.review("contribution", of: device, by: ana, number: 2)
    let answer = app.act("accept", "account", ana.id, version: seen, as: mia.identity)
    #expect(answer.status == .preconditionFailed)
    #expect(try app.integer("SELECT count(*) FROM review WHERE outcome IS NULL") == 2)
  }

  @Test func `a hidden device changed by its author after the review is not restored`()
    throws
  {
    let device = try app.device(by: ana)
    app.flag("device", device.id, as: try app.account("rui").identity)
    try app.hide(device)
    let shown = try item(device.id)
    let seen = try version(shown["device"])
    try app.edit(device, by: ana, "name", .text("The home of a person"))
    let answer = app.act("restore", "device", device.id, version: seen, as: mia.identity)
    #expect(answer.status == .preconditionFailed)
    #expect(try app.integer("SELECT hidden FROM device") == 1)
  }

  @Test func `actions of others do not make a decision stale`() throws {
    let device = try app.device(by: ana)
    let review = try app.review("contribution", of: device, by: ana, number: 1)
    let seen = try version(try item(review))
    try app.edit(device, by: try app.account("rui"), "name", .text("Another"))
    #expect(app.act("accept", "review", review, version: seen, as: mia.identity).status == .ok)
  }

  @Test func `a request for research and one for records cannot be changed once made`() throws {
    // Decisions about them need no version: they can only be withdrawn, not changed, and a new
    // request has another id.
    let changing = app.app.endpoints.filter { endpoint in
      [.put, .patch].contains(endpoint.method)
        && ["/api/account/research-access", "/api/data-requests"].contains {
          endpoint.path.hasPrefix($0)
        }
    }
    #expect(changing.map(\.path) == [])
  }
}
