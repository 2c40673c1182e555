import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/research-access`: decisions of admins on researcher access.
struct ResearchAdminRoutes: Sendable {
  let research: Research

  private static let path = "/api/admin/research-access"
  private var store: ResearchStore { research.store }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getResearchRequests", .get, Self.path, tag: "Administration",
        summary: "Requests for researcher access, waiting ones first.", access: .admin,
        parameters: [
          .query(
            "state", .oneOf(ResearchAccess.State.allCases.map(\.rawValue)),
            "Requests in this state.")
        ] + PageCursor.parameters("Requests"),
        answers: [.ok("A page of requests.", schema: "researchRequests")], .personal(list)),
      Endpoint(
        "decideResearchAccess", .post, Self.path + "/{id}", tag: "Administration",
        summary: "Grants, refuses or revokes researcher access.", access: .admin,
        parameters: [ResearchRoutes.id], body: .json("researchDecision"),
        answers: [
          .ok("The request as it is now.", schema: "researchAccess"),
          .refusal(409, "Another admin has decided already."),
        ], .change(decide)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try ResearchAccess.page(
      request, as: ResearchAccess.shapeOfPage, by: ResearchStore.page,
      counts: ResearchStore.counts,
      [.text(store.today.text)], in: research.database)
  }

  private enum Decision: String, CaseIterable { case grant, refuse, revoke }

  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["decision", "reason", "until"])
    let wanted: Decision? = body.oneOf("decision", isRequired: true)
    let said = body.text("reason", 1...500, isRequired: wanted != .grant, lines: true)
    let until =
      wanted == .grant
      ? body.day("until", after: store.today, atMost: ResearchAccess.days) : nil
    if wanted != .grant, body.has("until") { body.fault("until", Message("error.unknown_member")) }
    try body.check()
    let (decision, reason) = (try wanted.given(), said)
    return { connection in
      guard let access = try store.one(request.parameter("id"), connection) else {
        throw ResearchStore.notThere
      }
      let needed: ResearchAccess.State = decision == .revoke ? .granted : .waiting
      guard access.state == needed else { throw Refusal.overtaken("error.research.decided") }
      try carryOut(decision, of: access, until: until, reason: reason, connection)
      try AuditStore(environment: store.environment).note(
        "\(decision.rawValue)_research", target: "research \(access.id)",
        by: "\(principal.account)", reason: reason, connection)
      guard let after = try store.one(access.id, connection) else {
        throw ResearchStore.notThere
      }
      return .json(try after.jsonForAdmins(connection))
    }
  }

  private func carryOut(
    _ decision: Decision, of access: ResearchAccess, until: Day?, reason: String?,
    _ connection: borrowing Connection
  ) throws {
    let (state, template): (ResearchAccess.State, MailTemplate) =
      switch decision {
      case .grant: (.granted, .researchGranted)
      case .refuse: (.refused, .researchRefused)
      case .revoke: (.revoked, .researchRevoked)
      }
    try store.decide(state, of: access.rowid, until: until, reason: reason, connection)
    try research.mails.tell(access, template, reason: reason, until: until, connection)
  }
}
