import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `POST /api/admin/deletions`: deletes a device by id or by name, after a first request that shows
/// the candidates.
struct DeletionAdminRoutes: Sendable {
  let moderation: Moderation
  let erasure: DeviceErasure
  let names: DeviceNames

  /// Maximum number of devices shown for one name.
  private static let maximum = 100

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "deleteDevices", .post, "/api/admin/deletions", tag: "Administration",
        summary: "Delete a device by id or by name. Without `confirm`, only list matches.",
        access: .admin, body: .json("adminDeletion"),
        answers: [
          .ok("The deleted device, or the candidates.", schema: "adminDeleted"),
          .refusal(409, "Several devices have this name (see `candidates`); send an `id`."),
          .refusal(410, "The device has already been deleted."),
        ], .slow(delete))
    ]
  }

  /// The content of an admin's request.
  private struct Wanted {
    let id: String?
    let name: String?
    let isConfirmed: Bool
    let reason: String?
    let message: String?
    let code: String
    let purge: Bool

    init(_ request: Request) throws {
      let names: Set<String> = [
        "id", "name", "confirm", "reason", "message", "code", "purge",
      ]
      var body = try RequestBody(request, names)
      id = body.text("id", 1...100)
      name = body.text("name", 1...120)
      isConfirmed = body.flag("confirm") ?? false
      reason = body.reason(isRequired: isConfirmed)
      message = body.text("message", 1...500, lines: true)
      code = body.code("code", DeletionRoutes.codes) ?? "admin"
      purge = body.flag("purge") ?? false
      if !body.has("id"), !body.has("name") {
        body.fault("name", Message("error.missing_member"))
      }
      try body.check()
    }
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let wanted = try Wanted(request)
    let displayed = try displayed(wanted)
    let (answer, files) = try moderation.map.write { connection in
      let found = try devices(wanted, orElse: displayed, caller, connection)
      guard wanted.isConfirmed else {
        return (
          Response.json((try found.map { try shown($0, connection) }, nil, nil), as: Self.deleted),
          [String]()
        )
      }
      guard let device = found.first, found.count == 1 else {
        throw Refusal(
          .conflict, "error.deletion.several", type: "several",
          members: [
            ("candidates", .array(try found.map { Self.device.json(try shown($0, connection)) }))
          ])
      }
      let deleted = try shown(device, connection)
      let why = Moderation.Deletion(
        code: wanted.code, reason: try wanted.reason.given(), message: wanted.message,
        purge: wanted.purge)
      let (act, files) = try moderation.delete(device, why, by: principal, connection)
      return (
        Response.json((nil, deleted, act.id), as: Self.deleted), files
      )
    }
    if wanted.isConfirmed, wanted.purge {
      try WriteCondition.regardlessOfCaller {
        try erasure.erasePhotos(files)
        // If open readers prevent this, a scheduled job does it a moment later.
        try? erasure.eraseTraces()
      }
    }
    return answer
  }

  /// The devices displayed under the name of the request, if none is stored under it.
  private func displayed(_ wanted: Wanted) throws -> [String] {
    guard let name = wanted.name, wanted.id == nil else { return [] }
    return try moderation.map.database.readQuickly { connection in
      let isStored = try !DeletionStore().devices(named: name, limit: 1, connection).isEmpty
      return isStored
        ? []
        : try names.devices(
          displayedAs: name, in: moderation.map.index, limit: Self.maximum, connection)
    }
  }

  /// The devices that the request identifies: one by id, or all with exactly this name, stored or displayed.
  ///
  /// - Throws: a 404 if there never was such a device, a 410 if all of them are deleted.
  private func devices(
    _ wanted: Wanted, orElse displayed: [String], _ caller: Caller,
    _ connection: borrowing Connection
  ) throws -> [FoundDevice] {
    if let id = wanted.id {
      let device = try FoundDevice(id, for: caller, connection)
      let name = try moderation.named(device.rowid, connection)?.name
      let isMeant =
        try wanted.name == nil || wanted.name == name
        || names.isDisplayed(device.id.text, as: wanted.name ?? "", connection)
      guard isMeant else {
        throw InvalidInput.refused("name", "error.deletion.other_name")
      }
      return [device]
    }
    let name = wanted.name ?? ""
    let stored = try DeletionStore().devices(named: name, limit: Self.maximum, connection)
    let ids = stored.isEmpty ? displayed : stored
    if ids.isEmpty, let gone = try gone(name, connection) { throw Refusal.gone(gone) }
    guard !ids.isEmpty else { throw NotFound.device }
    return try ids.map { try FoundDevice($0, for: caller, connection) }
  }

  /// The last deleted device of a name, as long as its content is stored.
  private func gone(
    _ name: String, _ connection: borrowing Connection
  ) throws -> Tombstone? {
    try TombstoneStore.lastDeleted(named: name, connection).flatMap { DeviceID(text: $0) }
      .flatMap { try Tombstone($0, connection) }
  }

  /// Data that distinguishes a device from others of its name, and counts of contributions to it.
  private func shown(
    _ device: FoundDevice, _ connection: borrowing Connection
  ) throws -> Shown {
    guard let shown = try DeletionStore().device(device.rowid, connection) else {
      throw NotFound.device
    }
    return (device.id.text, shown)
  }

  private typealias Shown = (id: String, device: DeletionStore.Device)

  private static let device = JSONShape<Shown>(
    nil, .uuid("id", \.id), .text("name", \.device.name), .text("category", \.device.category),
    .text("status", \.device.status), .flag("hidden", \.device.isHidden),
    .text("author", \.device.author), .time("created_at", \.device.createdAt),
    .init("geometry", .object.orNull) { JSONValue.point($0.device.point) },
    .count("photos", \.device.photos), .count("verdicts", \.device.verdicts))

  static var schema: (key: String, value: JSONValue) { deleted.component }

  /// The devices to choose from, or the deleted one and the moderation action.
  private static let deleted = JSONShape<(candidates: [Shown]?, deleted: Shown?, action: String?)>(
    "adminDeleted",
    .init("candidates", .list(of: device.schema)) {
      $0.candidates?.map(device.json)
    }.optional, .object("deleted", device) { $0.deleted }.optional,
    .uuid("action") { $0.action }.optional)
}
