import Devices
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `…/items/{id}/claims`: confirm or dispute the claims of a record (docs/explanation/claims.md).
package struct VerificationRoutes: Feature {
  private let database: Database
  private let claims: VerificationStore
  private let limits: ContributionLimits

  package init(_ instance: Instance) throws {
    database = instance.database
    claims = VerificationStore(
      vocabulary: try instance.map.vocabulary, environment: instance.environment)
    limits = try instance.part()
  }

  private static let path = "/api/collections/devices/items/{id}/claims"

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getClaims", .get, Self.path, tag: "Devices",
        summary: "The claims of a device, with the caller's own verdicts.",
        access: .signedIn(.read), parameters: [.deviceID, .format(["json"])],
        answers: [.ok("The four claims.", schema: "claims")], .personal(list)),
      Endpoint(
        "addVerdict", .post, Self.path, tag: "Devices",
        summary: "Confirm or dispute one claim. The latest verdict of a person counts.",
        access: .contributor(.contribute), parameters: [.deviceID], body: .json("verdict"),
        answers: [
          .ok("The four claims after the change.", schema: "claims"),
          .refusal(410, "Deleted; the response says when, by whom and why."),
        ], .change(say)),
    ]
  }

  package var schemas: [Schema] { VerificationSchemas.all }

  package static let exports = [VerificationStore.export]
  package static let portions = [VerificationStore.erasing]

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.json.check(request)
    let principal = try caller.signedIn()
    return try database.readQuickly { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      return try answer(device.rowid, to: principal, connection)
    }
  }

  @Sendable private func say(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["claim", "verdict", "basis", "note"])
    let claim: Claim? = body.oneOf("claim", isRequired: true)
    let word = body.code("verdict", ["confirm", "dispute"], isRequired: true)
    let basis: ClaimBasis? = body.oneOf("basis", isRequired: true)
    let note = body.text("note", 1...500, lines: true)
    let sent = body
    return { connection in
      let device = try FoundDevice(id, for: caller, connection)
      try sent.check()
      guard let claim, let word, let basis else { throw NotFound.device }
      try limits.spendVerdict(principal)
      let isAuthor = device.author == principal.account
      let verdict = Verdict(
        claim: claim, confirms: word == "confirm", basis: basis, madeAt: claims.environment.now())
      let noted = try claims.record(
        verdict, note: note, counts: !isAuthor && !principal.isYoung, of: device.rowid,
        by: principal.account, connection)
      if principal.isYoung, !isAuthor {
        try ReviewStore(environment: claims.environment).ask(
          for: .verdict(noted), of: device.rowid, by: principal.account, connection)
      }
      return try answer(device.rowid, to: principal, connection)
    }
  }

  private func answer(
    _ rowid: Int64, to principal: Principal, _ connection: borrowing Connection
  ) throws -> Response {
    guard let claims = try claims.json(of: rowid, for: principal.account, connection) else {
      throw NotFound.device
    }
    return .json(claims)
  }
}
