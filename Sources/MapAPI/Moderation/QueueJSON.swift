import JSON
import PrivacyMap
import SpatialDatabase

/// The JSON of one queue item: everything a moderator needs for a decision.
struct QueueJSON {
  let moderation: Moderation

  private var now: Timestamp { moderation.map.surroundings.now() }

  func value(
    of item: QueueStore.Item, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let review =
      item.target.kind == .review
      ? try moderation.cases.reviews(.one(id: item.target.id), connection).first : nil
    let rows = try review.map { Rows($0) } ?? Rows(item.target, connection)
    let photo = try rows.photo.flatMap { try self.photo($0, connection) }
    let device = try rows.device.flatMap { try self.device($0, connection) }
    func versioned(_ shown: JSONValue?, _ kind: Target.Kind) throws -> JSONValue {
      guard var object = shown?.objectValue, let id = object["id"]?.stringValue else {
        return .null
      }
      object["version"] = .string(try version(of: Target(kind: kind, id: id), connection))
      return .object(object)
    }
    let account = try rows.account.flatMap { try PersonJSON(now: now).value($0, connection) }
    let verdict = try review?.verdict.flatMap { try self.verdict($0, connection) }
    let changes = try review.flatMap { review in
      try review.number.flatMap { number in
        try moderation.past.comparison(
          of: number, of: review.device, now: precision(review.device, connection), connection)
      }
    }?.changes
    return [
      "id": .string(item.target.id), "kind": .string(item.kind.rawValue),
      "severity": item.isUrgent ? "high" : "normal", "opened_at": .string(item.openedAt),
      "count": .integer(item.count),
      "target": ["type": .string(item.target.kind.rawValue), "id": .string(item.target.id)],
      "version": .string(try version(of: item.target, connection)),
      "device": try versioned(device, .device), "photo": try versioned(photo, .photo),
      "account": try versioned(account, .account),
      "reasons": .array(try reasons(item.target, connection)),
      "revision": review?.number.map { .integer($0) } ?? .null, "changes": changes ?? .null,
      "verdict": verdict ?? .null,
    ]
  }

  /// The version of a target, which a decision must name.
  func version(of target: Target, _ connection: borrowing Connection) throws -> String {
    SeenVersion.of(try seen(target, connection))
  }

  /// The parts of a target that a moderator decides on and that its author, or those who flagged it, can
  /// still change. Other parts that are shown, such as figures about a person, change on their own and
  /// are not included.
  func seen(_ target: Target, _ connection: borrowing Connection) throws -> JSONValue {
    let rows = try Rows(target, connection)
    let id = JSONValue.string(target.id)
    switch target.kind {
    case .review:
      guard let review = try moderation.cases.reviews(.one(id: target.id), connection).first else {
        return [:]
      }
      // A revision never changes; a picture or a note can be replaced.
      return [
        "id": id, "revision": review.number.map { .integer($0) } ?? .null,
        "photo": try review.photo.flatMap { try photo($0, connection) } ?? .null,
        "verdict": try review.verdict.flatMap { try verdict($0, connection) } ?? .null,
      ]
    case .flag:
      return try connection.first(
        "SELECT reason, note FROM flag WHERE id = ?", [.text(target.id)]
      ) { Self.flag(target.id, $0.text(0), .text($0, 1)) } ?? [:]
    case .device:
      let shown = try rows.device.flatMap { try device($0, connection) }?.objectValue
      // Verdicts and statements change this time stamp, without any change by the author.
      let members = shown?.members.filter { $0.key != "updated_at" } ?? []
      return [
        "device": .object(JSONObject(members)),
        "reasons": .array(try reasons(target, connection)),
      ]
    case .photo:
      return [
        "photo": try rows.photo.flatMap { try photo($0, connection) } ?? .null,
        "reasons": .array(try reasons(target, connection)),
      ]
    case .account:
      let reviews = try rows.account.map {
        try moderation.cases.reviews(.by(account: $0), connection)
      }
      return [
        "id": id, "reasons": .array(try reasons(target, connection)),
        "reviews": .array(
          try reviews?.map { try seen(Target(kind: .review, id: $0.id), connection) } ?? []),
      ]
    }
  }

  private func precision(
    _ device: Int64, _ connection: borrowing Connection
  ) throws -> Precision {
    let precision = try connection.text(
      "SELECT precision FROM device WHERE rowid = ?", [.integer(device)])
    return precision.flatMap(Precision.init(rawValue:)) ?? .area
  }

  /// The rows of an item.
  private struct Rows {
    var device: Int64?
    var photo: Int64?
    /// The author.
    var account: Int64?

    init(_ review: OpenCases.Review) {
      device = review.device
      photo = review.photo
      account = review.account
    }

    /// The rows of a flagged target; none if it was deleted since.
    init(_ target: Target, _ connection: borrowing Connection) throws {
      switch target.kind {
      case .device:
        let found = try connection.first(
          "SELECT rowid, account_rowid FROM device WHERE id = ?", [.text(target.id)]
        ) { ($0.int(0), $0.optionalInt(1)) }
        device = found?.0
        account = found?.1
      case .photo:
        let found = try connection.first(
          "SELECT device_rowid, rowid, account_rowid FROM photo WHERE id = ?", [.text(target.id)]
        ) { ($0.int(0), $0.int(1), $0.optionalInt(2)) }
        device = found?.0
        photo = found?.1
        account = found?.2
      case .account:
        account = try connection.integer(
          "SELECT rowid FROM account WHERE id = ?", [.text(target.id)])
      case .review, .flag: break
      }
    }
  }

  /// A device with its public point, its true point and all photos.
  private func device(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> JSONValue? {
    let found = try connection.first(
      """
      SELECT device.id, device.name, device.category, device.status, device.hidden,
        device.revision, device.precision, device.description, operator.name, operator.kind,
        account.username, device.created_at, device.updated_at, device.longitude, device.latitude,
        device_location.longitude, device_location.latitude
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid
      LEFT JOIN account ON account.rowid = device.account_rowid
      LEFT JOIN device_location ON device_location.device_rowid = device.rowid
      WHERE device.rowid = ?
      """, [.integer(rowid)]
    ) { row in
      JSONObject([
        (key: "id", value: .string(row.text(0))), (key: "name", value: .string(row.text(1))),
        (key: "category", value: .string(row.text(2))),
        (key: "status", value: .string(row.text(3))), (key: "hidden", value: .bool(row.bool(4))),
        (key: "revision", value: .integer(row.int(5))),
        (key: "precision", value: .string(row.text(6))),
        (key: "description", value: .text(row, 7)),
        (
          key: "operator",
          value: row.isNull(9) ? .null : ["name": .text(row, 8), "kind": .text(row, 9)]
        ), (key: "author", value: .text(row, 10)),
        (key: "created_at", value: .string(row.text(11))),
        (key: "updated_at", value: .string(row.text(12))),
        (key: "geometry", value: .point(row, 13)),
        (key: "location", value: JSONValue.point(row, 15)["coordinates"] ?? .null),
      ])
    }
    guard var found else { return nil }
    let photos = try connection.rows(
      """
      SELECT \(Self.photoColumns)
      FROM photo LEFT JOIN account ON account.rowid = photo.account_rowid
      WHERE device_rowid = ? AND state <> 'deleted' ORDER BY position, photo.rowid
      """, [.integer(rowid)], decode: Self.photo)
    found["photos"] = .array(photos)
    return .object(found)
  }

  private static let photoColumns =
    "photo.id, photo.state, photo.alt, photo.width, photo.height, account.username, "
    + "photo.created_at, photo.version"

  private static func photo(_ row: Row) -> JSONValue {
    func address(_ size: MediaFolder.Size) -> JSONValue {
      .string(PhotoJSON.address(row.text(0), size, version: row.int(7)))
    }
    return [
      "id": .string(row.text(0)), "state": .string(row.text(1)), "alt": .string(row.text(2)),
      "width": .integer(row.int(3)), "height": .integer(row.int(4)), "author": .text(row, 5),
      "created_at": .string(row.text(6)), "url": address(.large),
      "thumb": address(.thumb),
    ]
  }

  private func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try connection.first(
      """
      SELECT \(Self.photoColumns)
      FROM photo LEFT JOIN account ON account.rowid = photo.account_rowid WHERE photo.rowid = ?
      """, [.integer(rowid)], decode: Self.photo)
  }

  private func verdict(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try connection.first(
      "SELECT claim, verdict, basis, note, made_at FROM verdict WHERE rowid = ?", [.integer(rowid)]
    ) { row in
      [
        "claim": .string(row.text(0)), "verdict": .string(row.text(1)),
        "basis": .string(row.text(2)), "note": .text(row, 3), "made_at": .string(row.text(4)),
      ]
    }
  }

  /// A flag. Its author can still change its text while it is open.
  private static func flag(_ id: String, _ reason: String, _ note: JSONValue) -> JSONValue {
    ["id": .string(id), "reason": .string(reason), "note": note]
  }

  /// The maximum of reasons shown per item: all kept reports (``FlagStore/mostKept``), and as many flags
  /// as fit.
  private static let mostReasons = 150

  /// The reasons for flags on a target: serious reasons first, then reports, then the oldest.
  private func reasons(
    _ target: Target, _ connection: borrowing Connection
  ) throws -> [JSONValue] {
    guard target.kind != .review else { return [] }
    return try connection.rows(
      """
      SELECT flag.id, flag.kind, reason, note, account.username, flag.created_at,
        flag.email IS NOT NULL, flag.times
      FROM flag LEFT JOIN account ON account.rowid = flag.account_rowid
      WHERE target_type = ? AND target_id = ? AND outcome IS NULL
      ORDER BY \(FlagStore.Reason.isSeriousSQL) DESC, flag.kind DESC, flag.created_at, flag.rowid
      LIMIT ?
      """, [.text(target.kind.rawValue), .text(target.id), SQLValue(Self.mostReasons)]
    ) { row in
      [
        "id": .string(row.text(0)),
        "version": .string(SeenVersion.of(Self.flag(row.text(0), row.text(2), .text(row, 3)))),
        "kind": .string(row.text(1)), "reason": .string(row.text(2)),
        "note": .text(row, 3), "by": .text(row, 4), "at": .string(row.text(5)),
        "wants_answer": .bool(row.bool(6)), "times": .integer(row.int(7)),
      ]
    }
  }
}

/// A person as shown to moderators and admins: contributions and decisions, but no address.
struct PersonJSON {
  let now: Timestamp

  func value(_ account: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    let found = try connection.first(
      """
      SELECT id, username, role, created_at, confirmed_at, accepted_edits, suspended_at,
        suspended_until, suspended_reason
      FROM account WHERE rowid = ?
      """, [.integer(account)]
    ) { row -> JSONObject in
      let role = Role(rawValue: row.text(2)) ?? .contributor
      let joined = Timestamp(text: row.text(3)) ?? now
      let isYoung = now.secondsSinceEpoch - joined.secondsSinceEpoch < Principal.probation
      let until = row.optionalText(7).flatMap { Timestamp(text: $0) }
      let isSuspended = !row.isNull(6) && (until.map { $0 > now } ?? true)
      return JSONObject([
        (key: "id", value: .string(row.text(0))), (key: "username", value: .string(row.text(1))),
        (key: "role", value: .string(role.rawValue)),
        (key: "joined_on", value: .string(joined.day.text)),
        (key: "confirmed", value: .bool(!row.isNull(4))),
        (
          key: "new",
          value: .bool(
            role < .moderator && (isYoung || row.int(5) < Principal.acceptedEdits))
        ),
        (
          key: "suspended",
          value: isSuspended
            ? ["until": until.map { .string($0.text) } ?? .null, "reason": .text(row, 8)] : .null
        ),
      ])
    }
    guard var found else { return nil }
    let flags = try FlagStore.counts(about: account, connection)
    found["flags"] = [
      "received": .integer(flags.received), "open": .integer(flags.open),
      "upheld": .integer(flags.upheld), "dismissed": .integer(flags.dismissed),
      "anonymous": .integer(flags.anonymous),
    ]
    found["contributions"] = try contributions(account, connection)
    found["decisions"] = .array(try decisions(found["id"]?.stringValue ?? "", connection))
    return .object(found)
  }

  private func contributions(
    _ account: Int64, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let counts = try connection.first(
      """
      SELECT (SELECT count(*) FROM device WHERE account_rowid = ?1),
        (SELECT count(*) FROM revision WHERE account_rowid = ?1 AND number > 1),
        (SELECT count(*) FROM verdict WHERE account_rowid = ?1),
        (SELECT count(*) FROM photo WHERE account_rowid = ?1 AND state <> 'deleted'),
        (SELECT count(*) FROM review WHERE account_rowid = ?1 AND outcome IS NULL)
      """, [.integer(account)]
    ) { row in (0..<5).map { JSONValue.integer(row.int($0)) } }
    let names = ["devices", "edits", "claims", "photos", "waiting"]
    return .object(
      JSONObject(zip(names, counts ?? []).map { (key: $0.0, value: $0.1) }))
  }

  /// Decisions about the person, latest first.
  private func decisions(
    _ id: String, _ connection: borrowing Connection
  ) throws -> [JSONValue] {
    try connection.rows(
      """
      SELECT id, action, reason, made_at, undone_at FROM moderation_action
      WHERE target_type = 'account' AND target_id = ? AND action <> 'dismiss'
      ORDER BY rowid DESC LIMIT 5
      """, [.text(id)]
    ) { row in
      [
        "id": .string(row.text(0)), "action": .string(row.text(1)),
        "reason": .string(row.text(2)), "at": .string(row.text(3)), "undone_at": .text(row, 4),
      ]
    }
  }
}

extension JSONValue {
  /// A column's text, or null.
  static func text(_ row: Row, _ column: Int) -> JSONValue {
    row.optionalText(column).map { .string($0) } ?? .null
  }

  /// A GeoJSON point of two columns, or null.
  static func point(_ row: Row, _ column: Int) -> JSONValue {
    guard !row.isNull(column) else { return .null }
    return [
      "type": "Point",
      "coordinates": [.double(row.double(column)), .double(row.double(column + 1))],
    ]
  }
}
