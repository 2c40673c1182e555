import Devices
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `…/items/{id}/operator`: an organisation claims a device as its own, or withdraws the claim.
struct DeviceOwnershipRoutes: Sendable {
  let organisations: Organisations

  var endpoints: [Endpoint] {
    let path = "/api/collections/devices/items/{id}/operator"
    return [
      Endpoint(
        "claimDevice", .post, path, tag: Organisations.tag,
        summary: "Claims a device for the caller's organisation.",
        access: .contributor(.operate),
        parameters: [.deviceID], body: .json("operatorClaim"),
        answers: [
          .created("The claim: in effect, or waiting for a moderator.", schema: "claimed"),
          .refusal(409, "Too many claims of the organisation already wait for a moderator."),
        ],
        .change(claim)),
      Endpoint(
        "leaveDevice", .delete, path, tag: Organisations.tag,
        summary: "Withdraws the claim, and the statement of the organisation.",
        access: .contributor(.operate),
        parameters: [.deviceID], answers: [.done("The claim is withdrawn.")], .change(leave)),
    ]
  }

  static let claimed = JSONShape<DeviceOwnershipStore.State>("claimed", .oneOf("state", \.self))

  @Sendable private func claim(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["note"])
    let note = body.text("note", 1...500, lines: true)
    try body.check()
    return { connection in
      let organisation = try organisations.store.approved(principal, connection)
      try organisations.devices.spend(organisation.rowid)
      let device = try FoundDevice(request.parameter("id"), for: .nobody, connection)
      let state = try organisations.claims.add(organisation, on: device, note: note, connection)
      var response = Response.json(state, as: Self.claimed, status: .created)
      response.headers["Location"] = "/api/collections/devices/items/\(device.id.text)"
      return response
    }
  }

  @Sendable private func leave(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    return { connection in
      let organisation = try organisations.store.approved(principal, connection)
      try organisations.devices.spend(organisation.rowid)
      let device = try FoundDevice(request.parameter("id"), for: .nobody, connection)
      let claim = try organisations.claims.claim(
        on: device.rowid, by: organisation.rowid, connection)
      guard let claim else { throw DeviceOwnershipStore.notThere }
      try organisations.claims.erase(claim, connection)
      return Response(.noContent)
    }
  }
}
