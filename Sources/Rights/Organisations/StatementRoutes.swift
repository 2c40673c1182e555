import Contributions
import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `…/items/{id}/statement`: statements of an organisation about a device that it operates.
struct StatementRoutes: Sendable {
  let organisations: Organisations

  private var map: LiveMap { organisations.map }

  var endpoints: [Endpoint] {
    let path = "/api/collections/devices/items/{id}/statement"
    return [
      Endpoint(
        "stateDevice", .put, path, tag: Organisations.tag,
        summary: "States what the caller's organisation does with a device that it operates.",
        access: .contributor(.operate), parameters: [.deviceID], body: .json("operatorStatement"),
        answers: [.ok("The statement.", schema: "statement")], .change(put)),
      Endpoint(
        "eraseStatement", .delete, path, tag: Organisations.tag,
        summary: "Withdraws a statement.", access: .contributor(.operate), parameters: [.deviceID],
        answers: [.done("The statement is withdrawn.")], .change(erase)),
    ]
  }

  @Sendable private func put(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, Statement.fields.union(["note"]))
    var said = DeviceFields(name: "", category: "")
    try DeviceForm(vocabulary: map.vocabulary, today: map.environment.now().day)
      .read(Statement.fields, from: &body, into: &said)
    let note = body.text("note", 1...2_000, lines: true)
    try body.check()
    let statement = Statement(said, note: note)
    if statement.isEmpty {
      throw InvalidInput.refused("note", "error.nothing_to_change")
    }
    return { connection in
      let claim = try standing(request, principal, connection)
      try organisations.claims.keep(statement, under: claim, connection)
      return .json(try ConfirmedOperator.statement(of: claim.device, connection) ?? .null)
    }
  }

  @Sendable private func erase(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    return { connection in
      let claim = try standing(request, principal, connection)
      guard try organisations.claims.eraseStatement(under: claim, connection) else {
        throw NotFound(Message("error.not_found.statement"))
      }
      try DeviceChanges.note([claim.device], at: map.environment.now(), connection)
      return Response(.noContent)
    }
  }

  /// The claim of the caller's organisation on the device. Counts the edit against the limit.
  ///
  /// - Throws: a 403 ``Refusal`` if it does not operate the device.
  private func standing(
    _ request: Request, _ principal: Principal, _ connection: borrowing Connection
  ) throws -> DeviceOwnershipStore.Claim {
    let organisation = try organisations.store.approved(principal, connection)
    try organisations.limits.spendEdit(principal)
    let device = try FoundDevice(request.parameter("id"), for: .nobody, connection)
    let claim = try organisations.claims.claim(
      on: device.rowid, by: organisation.rowid, connection)
    guard let claim, claim.state == .standing else {
      throw Refusal(.forbidden, "error.operator.not_its_device", type: "not-its-device")
    }
    return claim
  }
}
