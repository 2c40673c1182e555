import Accounts
import Contributions
import Devices
import Service
import SpatialDatabase
import WebServer

/// `DELETE …/items/{id}`: an admin deletes a device.
package struct DeletionRoutes: Sendable {
  let moderation: Moderation
  let features: DeviceFeatures
  let erasure: DeviceErasure

  /// The codes that an admin can give; `merged` is reserved for merging.
  package static let codes = [
    "admin", "personal_data", "never_there", "duplicate", "offensive", "spam", "copyright", "other",
  ]

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "deleteDevice", .delete, "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "Delete a device permanently; a tombstone stays.", access: .admin,
        parameters: [.deviceID], body: .json("deletion"),
        answers: [.done("The device is deleted.")] + Endpoint.Answer.versioned, .slow(delete))
    ]
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let precondition = Precondition(request)
    var body = try RequestBody(request, ["reason", "message", "code", "purge"])
    let reason = body.text("reason", 1...500, isRequired: true, lines: true)
    let message = body.text("message", 1...500, lines: true)
    let code = body.code("code", Self.codes) ?? "admin"
    let purge = body.flag("purge") ?? false
    let files = try moderation.map.write { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      try precondition.check(device, features, connection)
      try body.check()
      let why = Moderation.Deletion(
        code: code, reason: try reason.given(), message: message, purge: purge)
      return try moderation.delete(device, why, by: principal, connection).files
    }
    if purge {
      try WriteCondition.regardlessOfCaller {
        try erasure.erasePhotos(files)
        // If a read transaction still uses the log, the scheduled job repeats this a moment later.
        try? erasure.eraseTraces()
      }
    }
    return .noContent
  }
}
