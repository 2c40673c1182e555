@testable import App
@testable import Devices
import JSON
@testable import Moderation
import PrivacyMap
import SpatialDatabase
import WebServer

extension TestApp {
  /// Adds a device as an author at its position does.
  func device(
    by account: TestAccount, name: String = "A device", _ category: CategoryCode = .cameraFixed,
    longitude: Double = 0, latitude: Double = 0, precision: Precision = .exact
  ) throws -> TestDevice {
    let placement = DeviceWriter.Placement(
      place: try Coordinate(longitude: longitude, latitude: latitude), precision: precision)
    return try app.write { connection in
      let rowid = try writer.add(
        DeviceFields(name: name, category: category.rawValue), at: placement, source: nil,
        by: DeviceWriter.Author(kind: .add, account: account.rowid), connection)
      let id = try connection.text("SELECT id FROM device WHERE rowid = ?", [.integer(rowid)])
      return TestDevice(rowid: rowid, id: id ?? "")
    }
  }

  /// Changes one column of a device, as a user's edit does.
  func edit(
    _ device: TestDevice, by account: TestAccount, _ column: String, _ value: SQLValue
  ) throws {
    try edit(device, by: account.rowid) { edit in
      edit.columns.append((column, value))
    }
  }

  /// Adds a photo of a device, without its files.
  func photo(
    of device: TestDevice, by account: TestAccount? = nil, state: String = "public"
  ) throws -> String {
    let id = environment.newDeviceID().text
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
          height, created_at) VALUES (?, ?, ?, 1, 'A pole', ?, ?, 800, 600, ?)
        """,
        [
          .text(id), .integer(device.rowid), SQLValue(account?.rowid), .text(state), .text(id),
          .text(clock.now.text),
        ])
    }
    return id
  }

  /// Adds a verdict on a device.
  func verdict(
    on device: TestDevice, by account: TestAccount, _ verdict: String = "confirm",
    counts: Bool = true
  ) throws -> Int64 {
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, counts, made_at)
        VALUES (?, 'present', ?, ?, 'seen', ?, ?)
        """,
        [
          .integer(device.rowid), .integer(account.rowid), .text(verdict), SQLValue(counts),
          .text(clock.now.text),
        ])
      return connection.lastInsertedRowID
    }
  }

  /// Adds a review, as a contribution of a new account does.
  @discardableResult
  func review(
    _ kind: String, of device: TestDevice, by account: TestAccount, number: Int64? = nil,
    photo: String? = nil, verdict: Int64? = nil
  ) throws -> String {
    let id = environment.newDeviceID().text
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO review (id, kind, device_rowid, number, photo_rowid, verdict_rowid,
          account_rowid, created_at)
        VALUES (?, ?, ?, ?, (SELECT rowid FROM photo WHERE id = ?), ?, ?, ?)
        """,
        [
          .text(id), .text(kind), .integer(device.rowid), SQLValue(number), SQLValue(photo),
          SQLValue(verdict), .integer(account.rowid), .text(clock.now.text),
        ])
    }
    return id
  }

  /// `POST /api/flags`.
  @discardableResult
  func flag(
    _ kind: String, _ id: String, reason: String = "gone", note: JSONValue = nil,
    as identity: Identity
  ) -> TestAnswer {
    send(
      .post, "/api/flags",
      json: [
        "target": ["type": .string(kind), "id": .string(id)], "reason": .string(reason),
        "note": note,
      ], as: identity)
  }

  /// The current version of an item in the queue.
  func version(_ kind: String, _ id: String) throws -> String {
    let target = Target(kind: Target.Kind(rawValue: kind) ?? .device, id: id)
    return try database.readPrivate { connection in
      try QueueJSON(moderation: app.moderation.moderation).version(of: target, connection)
    }
  }

  /// Whether an action must name the reviewed version.
  static func needsVersion(_ action: String) -> Bool {
    ["accept", "dismiss", "redact"].contains(action)
  }

  /// `POST /api/moderation/actions`; `more` are further members of the target. Where the action
  /// needs a version, the default is the current version.
  @discardableResult
  func act(
    _ action: String, _ kind: String, _ id: String, more: [(String, JSONValue)] = [],
    dryRun: Bool = false, reason: String? = "a good reason", version: String? = nil,
    as identity: Identity
  ) -> TestAnswer {
    var body = JSONObject([
      (key: "action", value: .string(action)),
      (
        key: "target",
        value: .object(JSONObject([("type", .string(kind)), ("id", .string(id))] + more))
      ),
    ])
    if let reason { body["reason"] = .string(reason) }
    if dryRun { body["dry_run"] = true }
    if let version {
      body["version"] = .string(version)
    } else if Self.needsVersion(action), let now = try? self.version(kind, id) {
      body["version"] = .string(now)
    }
    return send(.post, "/api/moderation/actions", json: .object(body), as: identity)
  }

  /// `POST /api/moderation/actions/{id}/undo` for the action in a response.
  @discardableResult
  func undo(
    _ answer: TestAnswer, reason: String = "a second thought", as identity: Identity
  ) throws -> TestAnswer {
    let id = try answer.json["id"]?.stringValue ?? ""
    return send(
      .post, "/api/moderation/actions/\(id)/undo", json: ["reason": .string(reason)], as: identity)
  }

  /// The items that wait for a decision.
  func queue(_ query: Parameters = [:], as identity: Identity) throws -> [JSONValue] {
    try get("/api/moderation/queue", query, as: identity).json["items"]?.arrayValue ?? []
  }

  /// The lines of the audit, the oldest first: action, target, actor and reason.
  func audit() throws -> [[String]] {
    try database.read { connection in
      try connection.rows("SELECT action, target, actor, reason FROM audit ORDER BY rowid") { row in
        (0..<4).map { row.text($0) }
      }
    }
  }
}
