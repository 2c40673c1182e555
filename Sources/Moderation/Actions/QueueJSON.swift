import Devices
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// The JSON of one queue item: everything a moderator needs for a decision.
struct QueueJSON {
  let moderation: Moderation
  private var store: QueueContentStore { QueueContentStore() }

  private var now: Timestamp { moderation.map.environment.now() }

  func value(
    of item: QueueStore.Item, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let review =
      item.target.kind == .review
      ? try moderation.cases.reviews(.one(id: item.target.id), connection).first : nil
    let rows =
      try review.map { (device: $0.device, photo: $0.photo, account: $0.account) }
      ?? store.rows(of: item.target, connection)
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
          of: number, of: review.device, now: store.precision(of: review.device, connection),
          connection)
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
    let rows = try store.rows(of: target, connection)
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
      return try store.flag(target.id, connection).map {
        Self.flag(target.id, $0.reason, .optional($0.note))
      } ?? [:]
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

  /// A device with its public point, its true point and all photos.
  private func device(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> JSONValue? {
    guard let device = try store.device(rowid, connection) else { return nil }
    return [
      "id": .string(device.id), "name": .string(device.name),
      "category": .string(device.category), "status": .string(device.status),
      "hidden": .bool(device.isHidden), "revision": .integer(device.revision),
      "precision": .string(device.precision), "description": .optional(device.description),
      "operator": device.operatorKind.map {
        ["name": .optional(device.operatorName), "kind": .string($0)]
      } ?? .null, "author": .optional(device.author), "created_at": .string(device.createdAt),
      "updated_at": .string(device.updatedAt), "geometry": .point(device.point),
      "location": JSONValue.point(device.location)["coordinates"] ?? .null,
      "photos": .array(try store.photos(of: rowid, connection).map(Self.json)),
    ]
  }

  private static func json(_ photo: QueueContentStore.Photo) -> JSONValue {
    func address(_ size: MediaFolder.Size) -> JSONValue {
      .string(PhotoJSON.address(photo.id, size, version: photo.version))
    }
    return [
      "id": .string(photo.id), "state": .string(photo.state), "alt": .string(photo.alt),
      "width": .integer(photo.width), "height": .integer(photo.height),
      "author": .optional(photo.author), "created_at": .string(photo.createdAt),
      "url": address(.large), "thumb": address(.thumb),
    ]
  }

  private func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try store.photo(rowid, connection).map(Self.json)
  }

  private func verdict(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try store.verdict(rowid, connection).map { verdict in
      [
        "claim": .string(verdict.claim), "verdict": .string(verdict.verdict),
        "basis": .string(verdict.basis), "note": .optional(verdict.note),
        "made_at": .string(verdict.madeAt),
      ]
    }
  }

  /// A flag. Its author can still change its text while it is open.
  private static func flag(_ id: String, _ reason: String, _ note: JSONValue) -> JSONValue {
    ["id": .string(id), "reason": .string(reason), "note": note]
  }

  /// The reasons for flags on a target: serious reasons first, then reports, then the oldest.
  private func reasons(
    _ target: Target, _ connection: borrowing Connection
  ) throws -> [JSONValue] {
    guard target.kind != .review else { return [] }
    return try store.reasons(for: target, connection).map { flag in
      let note = JSONValue.optional(flag.note)
      return [
        "id": .string(flag.id),
        "version": .string(SeenVersion.of(Self.flag(flag.id, flag.reason, note))),
        "kind": .string(flag.kind), "reason": .string(flag.reason), "note": note,
        "by": .optional(flag.author), "at": .string(flag.createdAt),
        "wants_answer": .bool(flag.wantsAnswer), "times": .integer(flag.times),
      ]
    }
  }
}
