@testable import App
import Foundation
import JSON
import Locking
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `PUT` and `PATCH …/items/{id}`: every user with an account may correct a device, and no edit
/// overwrites an unseen change.
@Suite struct EditingTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  /// A device with many values.
  private func device(_ more: JSONValue = [:]) throws -> String {
    var properties: JSONValue = [
      "description": "Over the door", "manufacturer": "Axis", "units": 2, "height": 4,
      "bearings": [90], "data_collected": ["video", "speech"], "assumed": ["data_collected"],
      "operator": ["name": "City of Bern", "kind": "public", "contact": "info@bern.example"],
      "choices": [["kind": "opt_out", "channel": "url", "target": "https://bern.example/out"]],
    ]
    for member in more.objectValue?.members ?? [] {
      properties = properties.setting(member.key, to: member.value)
    }
    return try app.added(properties, longitude: 7.4391827, latitude: 46.9518273, as: ana)
  }

  @Test func `a patch changes only the members that it names`() throws {
    let id = try device()
    let before = try app.get(Path.item(id)).json
    let answer = try app.patch(
      id,
      [
        "properties": [
          "name": "Door camera", "units": .null, "operator": ["contact": "x@bern.example"],
        ], "comment": "I read the sign",
      ], as: ben.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    let expected = before.setting("properties", "name", to: "Door camera")
      .setting("properties", "units", to: .null)
      .setting("properties", "operator", "contact", to: "x@bern.example")
      .setting("properties", "revision", to: 2)
    #expect(try answer.json == expected)
    #expect(app.get(Path.item(id)).bytes == answer.bytes)
    #expect(app.get(Path.item(id)).headers["ETag"] == answer.headers["ETag"])
    let kept = try app.database.read { connection in
      try connection.first(
        "SELECT kind, account_rowid, comment, before FROM revision WHERE number = 2"
      ) { [$0.text(0), $0.text(1), $0.text(2), $0.text(3)] }
    }
    #expect(kept?.prefix(3) == ["edit", "\(ben.rowid)", "I read the sign"])
    #expect(kept?[3].contains("\"name\":\"A camera\"") == true)
    #expect(kept?[3].contains("46.95") == false)
    #expect(try app.get(Path.items, ["q": "door camera"]).ids == [id])
  }

  @Test func `sending the whole device back unchanged changes nothing`() throws {
    let id = try device(["precision": "1km"])
    // As a list may have imported it, although no form would accept it.
    try app.app.write { connection in
      try connection.execute(
        "UPDATE device SET zone = 'old town', name = ?, status = 'confirmed'",
        [.text("Odd \u{202E}name")])
    }
    let got = app.get(Path.item(id))
    let answer = try app.put(id, try got.json, as: ben.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(answer.bytes == got.bytes)
    #expect(answer.headers["ETag"] == got.headers["ETag"])
    #expect(try app.integer("SELECT count(*) FROM revision") == 1)
    let place = try app.database.readPrivate {
      try $0.first("SELECT longitude, latitude FROM device_location") {
        [$0.double(0), $0.double(1)]
      }
    }
    #expect(place == [7.4391827, 46.9518273])
  }

  @Test func `a whole device replaces all values, and missing ones become unknown`()
    throws
  {
    let id = try device(["precision": "100m", "approximate": true])
    let answer = try app.put(
      id, ["type": "Feature", "properties": ["name": "New", "category": "webcam", "model": "M1"]],
      as: ben.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    for (name, value) in [
      ("name", JSONValue.string("New")), ("category", "webcam"), ("model", "M1"),
      ("description", .null), ("units", .null), ("operator", .null), ("choices", []),
      ("data_collected", []), ("assumed", []), ("bearings", []),
    ] {
      #expect(try answer.property(name) == value, "\(name)")
    }
    // Leaving out the protection of a place does not remove it.
    #expect(try answer.property("precision") == "100m")
    #expect(try answer.property("approximate") == true)
    #expect(try answer.position == app.get(Path.item(id)).position)
    let lacking = try app.put(
      id, ["type": "Feature", "properties": ["category": "webcam"]], as: ben.identity)
    #expect(lacking.status == .badRequest)
    #expect(try lacking.fields == ["name"])
  }

  @Test func `the public point sent back keeps the true point, another moves it`() throws {
    let id = try device(["precision": "1km"])
    let shown = try #require(try app.get(Path.item(id)).json["geometry"])
    _ = try app.patch(id, ["geometry": shown, "properties": ["units": 5]], as: ben.identity)
    func truePlace() throws -> [Double]? {
      try app.get(Path.item(id) + "/location", as: ana.identity).json["coordinates"]?.arrayValue?
        .compactMap(\.numberValue)
    }
    #expect(try truePlace() == [7.4391827, 46.9518273])
    let moved = try app.patch(
      id, ["geometry": ["coordinates": [8.5, 47.5]]], as: ben.identity)
    #expect(try truePlace() == [8.5, 47.5])
    let point = Precision.kilometre.publicPoint(for: try Coordinate(longitude: 8.5, latitude: 47.5))
    #expect(try moved.position == [point.longitude, point.latitude])
    #expect(try app.get(Path.items, ["bbox": "8.4,47.4,8.6,47.6"]).ids == [id])
    #expect(try app.get(Path.items, ["bbox": "7.4,46.9,7.5,47"]).ids.isEmpty)
    #expect(
      try app.text("SELECT before FROM revision WHERE number = 3")?.contains("46.95182") == false)
  }

  @Test func `a guess of the true point counts as a move like any other`() throws {
    let id = try device(["precision": "1km"])
    let right = try app.patch(
      id, ["geometry": ["coordinates": [7.4391827, 46.9518273]]], as: ben.identity)
    let wrong = try app.patch(
      id, ["geometry": ["coordinates": [7.4391828, 46.9518273]]], as: ben.identity)
    #expect(try right.property("revision") == 2 && wrong.property("revision") == 3)
    #expect(try right.position == wrong.position)
  }

  @Test func `any user may make a device coarser, only author and moderators finer`() throws {
    let mia = try app.account("mia", role: .moderator)
    let id = try device(["precision": "100m"])
    func set(_ precision: String, _ account: TestAccount) throws -> TestAnswer {
      try app.patch(
        id, ["properties": ["precision": .string(precision)]], as: account.identity)
    }
    #expect(try set("1km", ben).property("precision") == "1km")
    for precision in ["100m", "exact"] {
      let refused = try set(precision, ben)
      #expect(refused.status == .unprocessableContent)
      #expect(try refused.fields == ["precision"])
    }
    #expect(try set("area", ben).property("precision") == "area")
    #expect(try set("1km", mia).property("precision") == "1km")
    let exact = try set("exact", ana)
    #expect(try exact.position == [7.4391827, 46.9518273])
    // A device has no author when its author was deleted or when it was imported.
    #expect(try set("1km", ben).status == .ok)
    try app.app.write { try $0.execute("UPDATE device SET account_rowid = NULL") }
    #expect(try set("exact", ana).status == .unprocessableContent)
  }

  @Test func `a field that was assumed is so no longer once a user sets it`() throws {
    let id = try device()
    let same = try app.patch(
      id, ["properties": ["data_collected": ["speech", "video"]]], as: ben.identity)
    #expect(try same.property("assumed") == [])
    #expect(try same.property("revision") == 2)

    let other = try device(["name": "Other", "duplicate_reason": "another"])
    let got = try app.get(Path.item(other)).json
    let changed = try app.put(
      other, got.setting("properties", "data_collected", to: ["video"]), as: ben.identity)
    #expect(try changed.property("assumed") == [])
    let assumed = try app.patch(
      other, ["properties": ["field_of_view": 90, "assumed": ["field_of_view", "mount"]]],
      as: ben.identity)
    // An unknown value cannot be assumed.
    #expect(try assumed.property("assumed") == ["field_of_view"])
  }

  @Test func `server fields are refused in a patch, and ignored in a whole device`()
    throws
  {
    let id = try device()
    for (name, value) in [
      ("created_at", JSONValue.string("2020-01-01T00:00:00Z")), ("revision", 9), ("claims", ["x"]),
      ("refs", ["osm": ["node/1"]]), ("status", "confirmed"),
      ("last_confirmed", "2026-01-01T00:00:00Z"),
    ] {
      let answer = try app.patch(
        id, ["properties": .object(JSONObject([(name, value)]))], as: ben.identity)
      #expect(answer.status == .unprocessableContent, "\(name) \(answer.text)")
      #expect(try answer.fields == [name])
    }
    let same = try app.patch(
      id, ["properties": ["revision": 1, "status": "reported"]], as: ben.identity)
    #expect(same.status == .ok)
    let whole = try app.get(Path.item(id)).json
    let refused = try app.put(
      id, whole.setting("properties", "status", to: "removed"), as: ben.identity)
    #expect(try refused.fields == ["status"])
    let leftAlone = try app.put(
      id,
      whole.setting("properties", "created_at", to: "2020-01-01T00:00:00Z")
        .setting("properties", "claims", to: .null), as: ben.identity)
    #expect(leftAlone.status == .ok)
    #expect(try app.get(Path.item(id)).property("created_at") == whole["properties"]?["created_at"])
  }

  @Test func `a moderator may set the status`() throws {
    let mia = try app.account("mia", role: .moderator)
    let id = try device()
    let answer = try app.patch(id, ["properties": ["status": "not_a_device"]], as: mia.identity)
    #expect(try answer.property("status") == "not_a_device")
    #expect(try app.get(Path.items).ids.isEmpty)
  }

  @Test func `an edit is validated as strictly as a new device`() throws {
    let id = try device()
    for (patch, status, field) in [
      ([:] as JSONValue, Status.ok, ""),
      (["properties": ["units": 0]], .unprocessableContent, "units"),
      (["properties": ["thing": 1]], .badRequest, "thing"),
      (["thing": 1], .badRequest, "thing"),
      (["properties": ["name": .null]], .badRequest, "name"),
      (
        ["properties": ["operator": ["kind": "household"]]], .unprocessableContent,
        "operator.contact"
      ),
      (["geometry": ["coordinates": [7, 91]]], .unprocessableContent, "geometry"),
      (["comment": .string(String(repeating: "x", count: 501))], .unprocessableContent, "comment"),
    ] {
      let answer = try app.patch(id, patch, as: ben.identity)
      #expect(answer.status == status, "\(patch) \(answer.text)")
      if !field.isEmpty { #expect(try answer.fields.contains(field), "\(answer.text)") }
    }
    #expect(try app.integer("SELECT count(*) FROM revision") == 1)
    let tag = try app.tag(id)
    let plain = app.send(
      .patch, Path.item(id), headers: ["If-Match": tag], json: [:], as: ben.identity)
    #expect(plain.status == .unsupportedMediaType)
  }

  @Test func `refusals have a fixed order`() throws {
    let uma = try app.account("uma", isConfirmed: false)
    let id = try device()
    let nowhere = "01935f6e-0000-7000-8000-000000000000"
    let deleted = "01935f6e-0000-7000-8000-000000000001"
    try app.app.write { connection in
      try connection.execute(
        """
        INSERT INTO tombstone (id, deleted_at, role, reason)
        VALUES (?, '2026-11-20T00:00:00Z', 'admin', 'personal_data')
        """, [.text(deleted)])
    }
    let bad: JSONValue = ["properties": ["units": 0]]
    func send(_ id: String, _ tag: String?, _ identity: Identity) -> TestAnswer {
      var headers: Headers = ["Content-Type": "application/merge-patch+json"]
      if let tag { headers["If-Match"] = tag }
      return app.send(.patch, Path.item(id), headers: headers, json: bad, as: identity)
    }
    let current = try app.tag(id)
    for (answer, status) in [
      (send(deleted, nil, .visitor), 401), (send(deleted, nil, uma.identity), 403),
      (send(nowhere, nil, ben.identity), 404), (send("x", nil, ben.identity), 404),
      (send(deleted, nil, ben.identity), 410), (send(id, nil, ben.identity), 428),
      (send(id, "\"9-x\"", ben.identity), 412), (send(id, "W/\(current)", ben.identity), 412),
      (send(id, current, ben.identity), 422), (send(id, "*", ben.identity), 422),
    ] {
      #expect(answer.status.code == status)
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(try answer.json["status"]?.intValue == status)
    }
    let gone = try send(deleted, nil, ben.identity).json
    #expect(gone["deleted_at"] == "2026-11-20T00:00:00Z" && gone["deleted_by"] == "admin")
    #expect(gone["reason"] == "personal_data" && gone["merged_into"] == .null)
  }

  @Test func `a stale edit returns the current version, with the ETag to continue`() throws {
    let id = try device()
    let stale = try app.tag(id)
    _ = try app.patch(id, ["properties": ["name": "First"]], as: ana.identity)
    let refused = try app.patch(
      id, ["properties": ["name": "Second"]], tag: stale, as: ben.identity)
    #expect(refused.status == .preconditionFailed)
    let problem = try refused.json
    #expect(try problem["current"] == app.get(Path.item(id)).json)
    let tag = try #require(problem["etag"]?.stringValue)
    #expect(try app.tag(id) == tag)
    let merged = try app.patch(id, ["properties": ["name": "Both"]], tag: tag, as: ben.identity)
    #expect(merged.status == .ok)
  }

  @Test func `of many simultaneous edits of one version one succeeds`() throws {
    let id = try device()
    let tag = try app.tag(id)
    let statuses = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      let account = number % 2 == 0 ? ana : ben
      let answer = try? app.patch(
        id, ["properties": ["name": .string("Editor \(number)")]], tag: tag, as: account.identity)
      statuses.withLock { $0.append(answer?.status.code ?? 0) }
    }
    #expect(statuses.withLock { $0.sorted() } == [200] + Array(repeating: 412, count: 11))
    #expect(try app.integer("SELECT max(number) FROM revision") == 2)
  }

  @Test
  func `only author and moderators may edit a hidden device, others get 404`()
    throws
  {
    let mia = try app.account("mia", role: .moderator)
    let id = try device()
    let rowid = try #require(try app.integer("SELECT rowid FROM device"))
    try app.hide(TestDevice(rowid: rowid, id: id))
    for identity in [Identity.visitor, ben.identity] {
      #expect(app.get(Path.item(id), as: identity).status == .notFound)
    }
    for account in [ana, mia] {
      let seen = app.get(Path.item(id), as: account.identity)
      #expect(seen.status == .ok)
      #expect(seen.headers["Cache-Control"] == "private, no-store")
      #expect(
        try app.patch(
          id, ["properties": ["name": .string("By \(account.username)")]], as: account.identity
        ).status == .ok)
    }
    let stranger = try app.patch(id, ["properties": ["units": 2]], tag: "*", as: ben.identity)
    #expect(stranger.status == .notFound)
    #expect(try app.get(Path.items).ids.isEmpty)
  }

  @Test func `only author and moderators get the true point, which is not cached`() throws {
    let mia = try app.account("mia", role: .moderator)
    let id = try device(["precision": "area"])
    let path = Path.item(id) + "/location"
    for account in [ana, mia] {
      let answer = app.get(path, as: account.identity)
      #expect(try answer.json == ["type": "Point", "coordinates": [7.4391827, 46.9518273]])
      #expect(answer.headers["Cache-Control"] == "private, no-store")
      #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
    }
    #expect(app.get(path).status == .unauthorized)
    #expect(app.get(path, as: ben.identity).status == .forbidden)
    #expect(app.get(path, as: try app.token(ana.rowid, [.contribute])).status == .forbidden)
    #expect(app.get(Path.item("x") + "/location", as: ana.identity).status == .notFound)
  }

  @Test func `edits of a new account are marked for review, thirty of them an hour`() throws {
    let nia = try app.account("nia", isNew: true)
    let id = try device()
    for number in 0..<30 {
      let answer = try app.patch(
        id, ["properties": ["units": .integer(Int64(number + 10))]], as: nia.identity)
      #expect(answer.status == .ok)
    }
    #expect(
      try app.patch(id, ["properties": ["units": 9]], as: nia.identity).status == .tooManyRequests)
    #expect(try app.patch(id, ["properties": ["units": 9]], as: ben.identity).status == .ok)
    #expect(
      try app.text("SELECT min(number) || '-' || max(number) || ' ' || count(*) FROM review")
        == "2-31 30")
  }

  @Test func `the ETag follows visible changes, and a write compares the revision`() throws {
    let id = try device()
    let first = try app.tag(id)
    #expect(first.hasPrefix("\"1-") && !first.hasPrefix("W/"))
    #expect(app.get(Path.item(id), headers: ["If-None-Match": first]).status == .notModified)
    // Another device does not matter.
    _ = try app.added(longitude: 9, as: ana)
    #expect(try app.tag(id) == first)
    try app.app.write { connection in
      try connection.execute(
        """
        INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, counts, made_at)
        SELECT rowid, 'present', ?, 'confirm', 'seen', 1, '2026-11-21T12:00:00Z' FROM device
        WHERE id = ?
        """, [.integer(ben.rowid), .text(id)])
    }
    let second = try app.tag(id)
    #expect(second.hasPrefix("\"1-") && second != first)
    #expect(app.get(Path.item(id), headers: ["If-None-Match": first]).status == .ok)
    // The device itself is unchanged, so a client with the first version may write.
    #expect(
      try app.patch(id, ["properties": ["units": 7]], tag: first, as: ben.identity).status == .ok)
    let packed = app.get(Path.item(id), headers: ["Accept-Encoding": "gzip"])
    let tag = try #require(packed.headers["ETag"])
    #expect(tag.hasSuffix("-gz\""))
    #expect(
      try app.patch(id, ["properties": ["units": 8]], tag: tag, as: ben.identity).status == .ok)
  }
}
