import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `/api/admin/research-access`: what admins decide of who asks to read as a researcher.
struct ResearchDesk: Sendable {
  let research: Research

  private static let path = "/api/admin/research-access"
  private var store: ResearchStore { research.store }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getResearchRequests", .get, Self.path, tag: "Administration",
        summary: "Who asked to read as a researcher, those who wait first.", access: .admin,
        parameters: [
          .query(
            "state", .oneOf(ResearchAccess.State.allCases.map(\.rawValue)),
            "Requests in this state.")
        ] + PageCursor.parameters("Requests"),
        answers: [.ok("A page of requests.", schema: "researchRequests")], .personal(list)),
      Endpoint(
        "decideResearchAccess", .post, Self.path + "/{id}", tag: "Administration",
        summary: "Grants or refuses access for research, or revokes it.", access: .admin,
        parameters: [ResearchRoutes.id], body: .json("researchDecision"),
        answers: [
          .ok("The request as it is now.", schema: "researchAccess"),
          .refusal(409, "Somebody has decided already."),
        ], .change(decide)),
    ]
  }

  /// Those who wait, then the others, the newest first; one statement for all filters.
  static let page = """
    SELECT \(ResearchAccess.columns), account.id, account.username
    FROM research_access JOIN account ON account.rowid = research_access.account_rowid
    WHERE (?2 IS NULL OR \(ResearchAccess.stateNow) = ?2)
      AND (?3 IS NULL OR (research_access.state <> 'waiting', -research_access.rowid) > (?3, ?4))
    ORDER BY research_access.state <> 'waiting', research_access.rowid DESC LIMIT ?5
    """

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let state = request.query["state"]
    if let state, ResearchAccess.State(rawValue: state) == nil {
      throw InvalidInput.unknownCode("state", state)
    }
    let after = try PageCursor.rows(request.query["cursor"], count: 2)
    let today = store.today.text
    return try research.database.read { connection in
      let found = try connection.rows(
        Self.page,
        [
          .text(today), SQLValue(state), SQLValue(after?[0]), SQLValue(after?[1]),
          SQLValue(limit + 1),
        ]
      ) { row in
        let width = ResearchAccess.width
        return (
          ResearchAccess(row),
          ["id": .string(row.text(width)), "username": .string(row.text(width + 1))] as JSONValue
        )
      }
      let shown = found.prefix(limit)
      let next = found.count > limit ? shown.last.map { Self.cursor(of: $0.0) } : nil
      return .json([
        "requests": .array(shown.map { Self.json($0.0, of: $0.1) }),
        "counts": .object(try counts(today, connection)),
        "next": next.map { .string($0.text) } ?? .null,
      ])
    }
  }

  private func counts(
    _ today: String, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var counts = JSONObject(
      ResearchAccess.State.allCases.map { (key: $0.rawValue, value: JSONValue.integer(0)) })
    try connection.forEach(
      "SELECT \(ResearchAccess.stateNow), count(*) FROM research_access GROUP BY 1", [.text(today)]
    ) { counts[$0.text(0)] = .integer($0.int(1)) }
    return counts
  }

  private static func cursor(of access: ResearchAccess) -> PageCursor {
    PageCursor(keys: [access.state == .waiting ? "0" : "1", "\(-access.rowid)"])
  }

  private static func json(_ access: ResearchAccess, of account: JSONValue) -> JSONValue {
    var object = access.json
    object["account"] = account
    return .object(object)
  }

  private enum Decision: String, CaseIterable { case grant, refuse, revoke }

  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["decision", "reason", "until"])
    let wanted: Decision? = body.oneOf("decision", isRequired: true)
    let said = body.text("reason", 1...500, isRequired: true, lines: true)
    let until =
      wanted == .grant
      ? body.day("until", after: store.today, atMost: ResearchAccess.days) : nil
    if wanted != .grant, body.has("until") { body.fault("until", Message("error.unknown_member")) }
    try body.check()
    let (decision, reason) = (try wanted.given(), try said.given())
    return { connection in
      guard let access = try store.one(request.parameter("id"), connection) else {
        throw ResearchStore.notThere
      }
      let needed: ResearchAccess.State = decision == .revoke ? .granted : .waiting
      guard access.state == needed else { throw Refusal.overtaken("error.research.decided") }
      try carryOut(decision, of: access, until: until, reason: reason, connection)
      try AuditStore(surroundings: store.surroundings).note(
        "\(decision.rawValue)_research", target: "research \(access.id)",
        by: "\(principal.account)", reason: reason, connection)
      guard let after = try store.one(access.id, connection) else {
        throw ResearchStore.notThere
      }
      let account = try AccountStore().account(after.account, connection)
      return .json(
        Self.json(
          after,
          of: [
            "id": .string(account?.id ?? ""), "username": .string(account?.username ?? ""),
          ]))
    }
  }

  private func carryOut(
    _ decision: Decision, of access: ResearchAccess, until: Day?, reason: String,
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
