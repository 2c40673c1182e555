@testable import App
@testable import Devices
import Foundation
import JSON
@testable import Moderation
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `DELETE …/items/{id}`: a device deleted by an admin is gone at once, and can be restored for a
/// limited time.
@Suite struct DeletionTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  let ada: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    ada = try app.account("ada", role: .admin)
  }

  /// A device with every kind of dependent row.
  private func device() throws -> String {
    let id = try app.added(
      [
        "name": "Zanzibarian lamp", "description": "Quixotically unusual words",
        "precision": "1km", "choices": [["kind": "access"]],
        "operator": ["name": "Municipality of Exampleton", "kind": "public"],
      ], longitude: 7.4391827, latitude: 46.9518273, as: ana)
    _ = try app.patch(
      id,
      [
        "geometry": ["coordinates": [7.5, 46.99]], "comment": "Moved",
        "properties": ["operator": ["name": "City"]],
      ], as: ben.identity)
    _ = app.send(
      .post, Path.item(id) + "/claims",
      json: ["claim": "present", "verdict": "confirm", "basis": "seen"], as: ben.identity)
    try app.app.write { connection in
      let rowid = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)]) ?? 0
      try connection.execute(
        "INSERT INTO device_key (namespace, key, device_rowid) VALUES ('osm', 'node/1', ?)",
        [.integer(rowid)])
      try connection.execute(
        "INSERT INTO device_tag (device_rowid, tags) VALUES (?, '{\"ele\":\"5\"}')",
        [.integer(rowid)])
      try connection.execute(
        """
        INSERT INTO photo (id, device_rowid, position, alt, state, file, width, height, created_at)
        VALUES ('01935f6e-0000-7000-8000-000000000007', ?, 0, 'A lamp', 'public', 'lamp.jpg', 9, 9,
          '2026-11-21T12:00:00Z')
        """, [.integer(rowid)])
      try connection.execute(
        """
        INSERT INTO flag (id, kind, target_type, target_id, device_rowid, locale, reason, created_at)
        VALUES ('01935f6e-0000-7000-8000-000000000008', 'flag', 'device', ?, ?, 'en', 'gone',
          '2026-11-21T12:00:00Z')
        """, [.text(id), .integer(rowid)])
    }
    return id
  }

  private func delete(
    _ id: String, _ body: JSONValue = ["reason": "A home"], tag: String? = nil,
    as account: TestAccount? = nil
  ) throws -> TestAnswer {
    app.send(
      .delete, Path.item(id), headers: ["If-Match": try tag ?? app.tag(id)], json: body,
      as: (account ?? ada).identity)
  }

  private static let tables = [
    "device", "device_box", "device_listing", "device_text", "device_location", "device_choice",
    "device_key", "device_tag", "revision", "revision_location", "verdict", "photo", "review",
  ]

  private func counts() throws -> [String: Int64] {
    try app.database.readPrivate { connection in
      var counts: [String: Int64] = [:]
      for table in Self.tables {
        counts[table] = try connection.integer("SELECT count(*) FROM \(table)")
      }
      return counts
    }
  }

  @Test func `a deleted device is in no table, list, tile or search at once`() throws {
    let id = try device()
    let answer = try delete(id, ["reason": "A home", "code": "personal_data"])
    #expect(answer.status == .noContent)
    #expect(answer.bytes.isEmpty)
    for (table, count) in try counts() { #expect(count == 0, "\(table)") }
    #expect(try app.get(Path.items).ids.isEmpty)
    #expect(try app.get(Path.items, ["q": "lamp"]).ids.isEmpty)
    #expect(app.app.index.snapshot.count == 0)
    #expect(try !TileText(app.get(Path.tile(0, 0, 0))).holds(id))
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `the response for a deleted device has 410, the time and a reason code`() throws {
    let id = try device()
    _ = try delete(id, ["reason": "The home of Eva", "code": "personal_data"])
    let path = Path.item(id)
    for (method, path, json) in [
      (Method.get, path, JSONValue?.none), (.get, path + "/history", nil),
      (.get, path + "/history/1", nil), (.get, path + "/location", nil),
      (.get, path + "/claims", nil), (.put, path, Sent.feature()), (.delete, path, ["reason": "x"]),
      (.post, path + "/history/1/restore", [:]),
      (.post, path + "/claims", ["claim": "present", "verdict": "confirm", "basis": "seen"]),
    ] {
      let answer = app.send(method, path, headers: ["If-Match": "*"], json: json, as: ada.identity)
      #expect(answer.status == .gone, "\(method.rawValue) \(path) \(answer.text)")
      #expect(try answer.json["deleted_at"] == "2026-11-21T12:00:00Z")
      #expect(try answer.json["deleted_by"] == "admin" && answer.json["reason"] == "personal_data")
      #expect(try answer.json["merged_into"] == .null)
      #expect(!answer.text.contains("Eva") && !answer.text.contains("ada"))
    }
    let page = app.get("/devices/\(id)")
    #expect(page.status == .gone && !page.text.contains("Zanzibarian"))
  }

  @Test func `only admins delete, and only the current version, with a reason`() throws {
    let mia = try app.account("mia", role: .moderator)
    let id = try device()
    for account in [ana, ben, mia] { #expect(try delete(id, as: account).status == .forbidden) }
    #expect(app.send(.delete, Path.item(id), json: ["reason": "x"]).status == .unauthorized)
    let blind = app.send(.delete, Path.item(id), json: ["reason": "x"], as: ada.identity)
    #expect(blind.status == .preconditionRequired)
    #expect(try delete(id, tag: "\"1-x\"").status == .preconditionFailed)
    for (body, status, field) in [
      ([:] as JSONValue, Status.badRequest, "reason"),
      (["reason": " "], .unprocessableContent, "reason"),
      (["reason": "x", "code": "merged"], .unprocessableContent, "code"),
      (["reason": "x", "purge": "yes"], .badRequest, "purge"),
      (["reason": "x", "why": 1], .badRequest, "why"),
    ] {
      let answer = try delete(id, body)
      #expect(answer.status == status, "\(body)")
      #expect(try answer.fields == [field])
    }
    let nowhere = "01935f6e-0000-7000-8000-000000000000"
    #expect(try delete(nowhere, tag: "*").status == .notFound)
    #expect(try app.get(Path.items).ids == [id])
  }

  @Test func `the action is logged with its reason, the audit names the account only`() throws {
    let id = try device()
    _ = try delete(id, ["reason": "A home"])
    #expect(
      try app.text("SELECT action || ' ' || target_id || ' ' || reason FROM moderation_action")
        == "delete \(id) A home")
    #expect(
      try app.text("SELECT actor || ' ' || action || ' ' || target FROM audit")
        == "\(ada.rowid) delete device \(id)")
  }

  @Test func `undoing restores everything under the same id`() throws {
    let id = try device()
    let before = try app.get(Path.item(id)).json
    let history = app.get(Path.item(id) + "/history/2").text
    let counted = try counts()
    let place = app.get(Path.item(id) + "/location", as: ana.identity).text
    _ = try delete(id)
    // Others take names that have become free.
    let other = try app.added(longitude: 20, latitude: 20, as: ben)
    let removal = DeviceRemoval(writer: app.writer)
    let rowid = try app.app.write { connection in
      try removal.undo(try #require(DeviceID(text: id)), connection)
    }
    #expect(rowid != nil)
    #expect(try app.get(Path.item(id)).json == before)
    #expect(app.get(Path.item(id) + "/history/2").text == history)
    #expect(app.get(Path.item(id) + "/location", as: ana.identity).text == place)
    #expect(try Set(app.get(Path.items).ids) == [id, other])
    #expect(try app.get(Path.items, ["q": "lamp"]).ids == [id])
    var expected = counted
    for table in [
      "device", "device_box", "device_listing", "device_text", "device_location", "revision",
    ] {
      expected[table, default: 0] += 1
    }
    #expect(try counts() == expected)
    #expect(
      try app.integer("SELECT device_rowid FROM flag WHERE target_id = ?", [.text(id)]) == rowid)
    #expect(try app.integer("SELECT count(*) FROM tombstone") == 0)
    #expect(try app.integer("SELECT count(*) FROM job WHERE kind = 'erase devices'") == 0)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
    let again = try app.app.write { try removal.undo(try #require(DeviceID(text: id)), $0) }
    #expect(again == nil)
  }

  @Test func `undoing after account deletions leaves their work without a name`() throws {
    let id = try device()
    _ = try delete(id)
    try app.database.write { connection in
      try connection.execute(
        "DELETE FROM account WHERE rowid IN (?, ?)", [.integer(ana.rowid), .integer(ben.rowid)])
    }
    let rowid = try app.app.write { connection in
      try DeviceRemoval(writer: app.writer).undo(try #require(DeviceID(text: id)), connection)
    }
    #expect(rowid != nil)
    #expect(
      try app.get(Path.item(id) + "/history").json["revisions"]?[0]?["author"] == .null)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  private func erasure(_ erased: @escaping @Sendable ([String]) -> Void = { _ in }) -> DeviceErasure
  {
    DeviceErasure(database: app.database, environment: app.environment, erasePhotos: erased)
  }

  @Test func `after thirty days its content is erased permanently`() throws {
    let id = try device()
    _ = try delete(id)
    #expect(
      try app.text("SELECT due_at FROM job WHERE kind = 'erase devices'") == "2026-12-21T12:00:00Z")
    app.clock.set("2026-12-20T23:59:59Z")
    try erasure().run()
    #expect(try kept() == 1)
    app.clock.set("2026-12-21T00:00:00Z")
    let files = Erased()
    try erasure { files.add($0) }.run()
    #expect(files.all == ["lamp.jpg"])
    #expect(try kept() == 0)
    #expect(app.get(Path.item(id)).status == .gone)
    let undone = try app.app.write { connection in
      try DeviceRemoval(writer: app.writer).undo(try #require(DeviceID(text: id)), connection)
    }
    #expect(undone == nil)
  }

  private func kept() throws -> Int64? {
    try app.database.readPrivate { try $0.integer("SELECT count(*) FROM tombstone_content") }
  }

  @Test(.onlySQLite("about the bytes of the file"))
  func `a purge leaves no byte of its content in the database or its log`() throws {
    let words = [
      "Zanzibarian", "Quixotically", "zanzibarian", "quixotically", "Municipality", "municipality",
    ]
    func holds(_ word: String) -> Bool {
      ["farol.db", "farol.db-wal"].contains { name in
        let file = app.folder.appendingPathComponent(name)
        guard let bytes = try? Data(contentsOf: file) else { return false }
        return bytes.range(of: Data(word.utf8)) != nil
      }
    }
    // Other devices stay, so that the index has rows to merge with.
    for number in 0..<20 { _ = try app.added(longitude: Double(number), as: ana) }
    let id = try device()
    #expect(words.contains { holds($0) })
    let answer = try delete(id, ["reason": "The home of somebody", "purge": true])
    #expect(answer.status == .noContent)
    #expect(try kept() == 0)
    for word in words { #expect(!holds(word), "\(word)") }
    #expect(app.get(Path.item(id)).status == .gone)
    #expect(try app.get(Path.items, ["q": "camera", "limit": "50"]).ids.count == 20)
  }
}

/// The erased items.
private final class Erased: @unchecked Sendable {
  // Written and read on the single thread of a test.
  private(set) var all: [String] = []

  func add(_ files: [String]) { all += files }
}
