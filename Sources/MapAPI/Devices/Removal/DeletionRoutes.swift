import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `DELETE …/items/{id}`: an admin takes a device off the map.
struct DeletionRoutes: Sendable {
  let map: LiveMap
  let features: DeviceFeatures
  let erasure: DeviceErasure

  /// The codes an admin may give; `merged` is what merging gives.
  static let codes = [
    "admin", "personal_data", "never_there", "duplicate", "offensive", "spam", "copyright", "other",
  ]

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "deleteDevice", .delete, "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "Take a device off the map for good; a tombstone stays.", access: .admin,
        parameters: [.deviceID], body: .json("deletion"),
        answers: [.done("It is gone.")] + Endpoint.Answer.versioned, .slow(delete))
    ]
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let precondition = Precondition(request)
    var body = try RequestBody(request, ["reason", "code", "purge"])
    let reason = body.text("reason", 1...500, isRequired: true, lines: true)
    let code = body.code("code", Self.codes) ?? "admin"
    let purge = body.flag("purge") ?? false
    let files = try map.write { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      try precondition.check(device, features, connection)
      try body.check()
      return try remove(
        device,
        DeviceRemoval.Reason(
          role: principal.role.rawValue, account: principal.account, code: code, note: reason),
        purge: purge, connection)
    }
    if purge {
      try erasure.erasePhotos(files)
      // Where readers hold the log, the job that was scheduled does it a moment later.
      try? erasure.eraseTraces()
    }
    return .noContent
  }

  /// Deletes a device, notes the act where acts are looked up and undone, and in the audit log.
  private func remove(
    _ device: FoundDevice, _ reason: DeviceRemoval.Reason, purge: Bool,
    _ connection: borrowing Connection
  ) throws -> [String] {
    let files = try DeviceRemoval(writer: map.writer).remove(
      device.rowid, device.id, reason, purge: purge, connection)
    let now = map.surroundings.now()
    try connection.execute(
      """
      INSERT INTO moderation_action (id, action, target_type, target_id, account_rowid, role, reason,
        undo, made_at)
      VALUES (?, 'delete', 'device', ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(map.surroundings.newDeviceID().text), .text(device.id.text),
        SQLValue(reason.account), .text(reason.role), .text(reason.note ?? ""),
        .text(purge ? #"{"purged":true}"# : "{}"), .text(now.text),
      ])
    try AuditStore(surroundings: map.surroundings).note(
      purge ? "purge device" : "delete device", target: device.id.text,
      by: reason.account.map { "\($0)" } ?? "job", reason: reason.code, connection)
    return files
  }
}
