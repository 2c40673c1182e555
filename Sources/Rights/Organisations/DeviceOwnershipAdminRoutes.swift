import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/moderation/operator-claims`: claims on devices for which users have named another operator.
struct DeviceOwnershipAdminRoutes: Sendable {
  let organisations: Organisations

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getOperatorClaims", .get, "/api/moderation/operator-claims", tag: "Moderation",
        summary: "Claims of organisations that wait for a moderator, oldest first.",
        access: .moderator, parameters: PageCursor.parameters("Claims"),
        answers: [.ok("A page of claims.", schema: "operatorClaims")], .personal(list)),
      Endpoint(
        "decideOperatorClaim", .post, "/api/moderation/operator-claims/{id}",
        tag: "Moderation", summary: "Decides a claim of an organisation on a device.",
        access: .moderator,
        parameters: [.path("id", .text(maxLength: 36), "The UUID of the claim.")],
        body: .json("operatorClaimDecision"),
        answers: [
          .ok("The new state of the claim.", schema: "claimed"),
          .refusal(409, "Another moderator has decided already."), .stale,
        ], .change(decide)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let after = try PageCursor.rows(request.query["cursor"], count: 1)?[0]
    return try organisations.map.database.read { connection in
      let found = try organisations.claims.waiting(
        after: after ?? 0, limit: limit + 1, connection
      ) { (rowid: $0.int(0), json: JSONValue.object(SeenVersion.named(Self.claim.object($0)))) }
      let (shown, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
      return .json(ListPage(shown.map(\.json), next: next), as: Self.page)
    }
  }

  static let page = JSONShape<ListPage>("operatorClaims", of: claim.schema, in: "claims")

  private static let claim = JSONShape<Row>(
    nil, .uuid("id") { $0.text(1) }, .text("note") { $0.optionalText(2) },
    .time("created_at") { $0.text(3) },
    .group(
      "device", .uuid("id") { $0.text(4) }, .text("name") { $0.text(5) },
      .text("category") { $0.text(6) }),
    .group(
      "observed", if: { !$0.isNull(8) }, .text("name") { $0.optionalText(7) },
      .text("kind") { $0.text(8) }),
    .group(
      "standing", if: { !$0.isNull(14) }, .uuid("id") { $0.text(14) },
      .text("name") { $0.text(15) }),
    .group(
      "operator", .uuid("id") { $0.text(9) }, .text("name") { $0.text(10) },
      .text("kind") { $0.text(11) }, .text("domain") { $0.text(12) },
      .text("website") { $0.optionalText(13) }), .added("version", .text))

  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["decision", "reason", "version"])
    let decision = body.code("decision", ["approve", "refuse"], isRequired: true)
    let reason = body.reason(isRequired: decision == "refuse")
    let version = body.version()
    try body.check()
    let stands = try decision.given() == "approve"
    let seen = try version.given()
    return { connection in
      let (claim, device, speaker) = try organisations.claims.claim(
        request.parameter("id"), connection)
      try Authority(actor: principal).checkNotOwn(speaker)
      guard claim.state == .waiting else { throw Refusal.overtaken("error.operator.state") }
      let shown = try organisations.claims.shown(claim, connection) { Self.claim.object($0) }
      try SeenVersion.check(seen, is: .object(shown ?? JSONObject()))
      try organisations.claims.decide(claim, stands: stands, reason: reason, connection)
      try AuditStore(environment: organisations.map.environment).note(
        stands ? "approve_operator_claim" : "refuse_operator_claim", target: "device \(device)",
        by: "\(principal.account)", reason: reason, connection)
      return .json(stands ? .standing : .refused, as: DeviceOwnershipRoutes.claimed)
    }
  }
}
