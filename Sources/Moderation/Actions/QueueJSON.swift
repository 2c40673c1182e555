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
    func versioned(_ shown: JSONValue?, _ kind: Target.Kind) throws -> JSONObject? {
      guard var object = shown?.objectValue, let id = object["id"]?.stringValue else {
        return nil
      }
      object["version"] = .string(try version(of: Target(kind: kind, id: id), connection))
      return object
    }
    let account = try rows.account.flatMap {
      try PersonJSON($0, isForAdmins: false, now: now, connection).map(PersonJSON.shape.json)
    }
    let verdict = try review?.verdict.flatMap { try self.verdict($0, connection) }
    let changes = try review.flatMap { review in
      try review.number.flatMap { number in
        try moderation.past.comparison(
          of: number, of: review.device, now: store.precision(of: review.device, connection),
          connection)
      }
    }?.changes
    return Self.item.json(
      Item(
        item: item, version: try version(of: item.target, connection),
        device: try versioned(device, .device), photo: try versioned(photo, .photo),
        account: try versioned(account, .account), reasons: try reasons(item.target, connection),
        revision: review?.number, changes: changes, verdict: verdict))
  }

  private struct Item {
    let item: QueueStore.Item
    let version: String
    let device, photo, account: JSONObject?
    let reasons: [JSONValue]
    let revision: Int64?
    let changes: [PastFeature.Change]?
    let verdict: JSONValue?
  }

  static let page = JSONShape<ListPage>("queue", of: item.schema, in: "items", hasCounts: true)

  private static let item = JSONShape<Item>(
    nil, .text("id", \.item.target.id), .oneOf("kind", \.item.kind),
    .init("severity", .oneOf(["high", "normal"])) { $0.item.isUrgent ? "high" : "normal" },
    .time("opened_at", \.item.openedAt), .count("count", \.item.count),
    .group("target", .oneOf("type", \.item.target.kind), .text("id", \.item.target.id)),
    .text("version", \.version),
    .init("device", device.schema, \.device), .init("photo", photo.schema, \.photo),
    .init(
      "account", PersonJSON.shape.extended(as: nil, .added("version", .text)).schema, \.account),
    .init("reasons", .list(of: reason.schema), \.reasons), .count("revision", \.revision),
    .init("changes", .list(of: PastFeature.change.schema)) {
      $0.changes?.map(PastFeature.change.json)
    }, .init("verdict", verdict.schema, \.verdict))

  /// The version of a target, which a decision must name.
  func version(of target: Target, _ connection: borrowing Connection) throws -> String {
    SeenVersion.of(try seen(target, connection))
  }

  /// The parts of a target that a moderator decides on and that its author, or the people who flagged it, can still
  /// change. Other parts that are shown, such as figures about a person, change on their own and are not included.
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
        Self.flag(target.id, $0.reason, $0.note)
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
    return Self.device.json((device, try store.photos(of: rowid, connection)))
  }

  private static let device = JSONShape<
    (device: QueueContentStore.Device, photos: [QueueContentStore.Photo])
  >(
    nil, .uuid("id", \.device.id), .text("name", \.device.name),
    .text("category", \.device.category), .text("status", \.device.status),
    .flag("hidden", \.device.isHidden), .count("revision", \.device.revision),
    .text("precision", \.device.precision), .text("description", \.device.description),
    .group(
      "operator", if: { $0.device.operatorKind != nil }, .text("name", \.device.operatorName),
      .text("kind") { $0.device.operatorKind ?? "" }),
    .text("author", \.device.author), .time("created_at", \.device.createdAt),
    .time("updated_at", \.device.updatedAt),
    .init("geometry", .object) { JSONValue.point($0.device.point).objectValue },
    .init("location", .list(of: .number)) {
      JSONValue.point($0.device.location)["coordinates"]?.arrayValue
    }, .list("photos", of: photo, \.photos), .added("version", .text))

  private static let photo = JSONShape<QueueContentStore.Photo>(
    nil, .uuid("id", \.id), .text("state", \.state), .text("alt", \.alt),
    .count("width", \.width), .count("height", \.height), .text("author", \.author),
    .time("created_at", \.createdAt),
    .text("url") { PhotoJSON.address($0.id, .large, version: $0.version) },
    .text("thumb") { PhotoJSON.address($0.id, .thumb, version: $0.version) },
    .added("version", .text))

  private func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try store.photo(rowid, connection).map(Self.photo.json)
  }

  private func verdict(_ rowid: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try VerificationStore.verdict(rowid, connection).map(Self.verdict.json)
  }

  private static let verdict = JSONShape<StoredVerdict>(
    nil, .text("claim", \.claim), .text("verdict", \.verdict), .text("basis", \.basis),
    .text("note", \.note), .time("made_at", \.madeAt))

  /// A flag. Its author can still change its text while it is open.
  private static func flag(_ id: String, _ reason: String, _ note: String?) -> JSONValue {
    ["id": .string(id), "reason": .string(reason), "note": note.json]
  }

  private static let reason = JSONShape<QueueContentStore.Flag>(
    nil, .text("id", \.id),
    .text("version") { SeenVersion.of(flag($0.id, $0.reason, $0.note)) }, .text("kind", \.kind),
    .text("reason", \.reason), .text("note", \.note), .text("by", \.author),
    .time("at", \.createdAt), .flag("wants_answer", \.wantsAnswer), .count("times", \.times))

  /// The reasons for flags on a target: serious reasons first, then reports, then the oldest.
  private func reasons(
    _ target: Target, _ connection: borrowing Connection
  ) throws -> [JSONValue] {
    guard target.kind != .review else { return [] }
    return try store.reasons(for: target, connection).map(Self.reason.json)
  }
}
