import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/moderation/visits` and `/api/statistics/visits`: the queues for moderators, and the public figures.
struct VisitOverviewRoutes: Sendable {
  let visits: Visits

  private static let path = "/api/moderation/visits"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getVisitQueues", .get, Self.path, tag: Visits.tag,
        summary: "The requests for visits with their true state, and the waiting times of zones.",
        access: .moderator,
        parameters: [
          .query("state", .oneOf(VisitState.allCases.map(\.rawValue)), "Only in this state.")
        ] + PageCursor.parameters("Requests"),
        answers: [.ok("A page of requests, and the zones.", schema: "visitQueues")],
        .personal(queues)),
      Endpoint(
        "withdrawVisitOfOthers", .post, Self.path + "/{id}/withdraw", tag: Visits.tag,
        summary: "Withdraws a request of a person; its people get the reason by mail.",
        access: .moderator, parameters: [VisitRoutes.id], body: .json("why"),
        answers: [
          .ok("The visit.", schema: "queuedVisit"), .refusal(409, "The visit has ended."),
        ], .change(withdraw)),
      Endpoint(
        "getVisitStatistics", "/api/statistics/visits", tag: "Statistics",
        summary: "The numbers of requests and visits, and the time to an answer.",
        answers: [.ok("The figures.", schema: "visitStatistics")], statistics),
    ]
  }

  @Sendable private func queues(_ request: Request, _ caller: Caller) throws -> Response {
    let state = try request.query["state"].map { text in
      guard let state = VisitState(rawValue: text) else {
        throw InvalidInput.unknownCode("state", text)
      }
      return state
    }
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?.first ?? .max
    let overview = QueueOverview(now: visits.environment.now())
    return try visits.database.read { connection in
      let found = try overview.visits(in: state, before: last, limit: limit + 1, connection)
      let shown = try found.prefix(limit).map { try queued($0, connection) }
      let next = found.count > limit ? shown.last.map { "\($0.visit.rowid)" } : nil
      let counts = try overview.counts(connection)
      return .json(
        Queues(
          page: ListPage(
            shown.map(VisitJSON.queued.json), next: next.map { PageCursor(keys: [$0]).text },
            counts: JSONObject(
              VisitState.allCases.map { ($0.rawValue, (counts[$0] ?? 0).json) })),
          zones: try overview.zones(connection)), as: Self.shape)
    }
  }

  private func queued(
    _ visit: StoredVisit, _ connection: borrowing Connection
  ) throws -> VisitJSON {
    VisitJSON(
      visit: visit, device: try visits.workflow.store.device(visit.device, connection), part: .none,
      now: visits.environment.now(), isForModerator: true)
  }

  @Sendable private func withdraw(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["reason"])
    let reason = body.text("reason", 1...500, isRequired: true, lines: true)
    try body.check()
    return { connection in
      let visit = try visits.workflow.store.one(id, connection)
      try visits.workflow.close(visit, .moderated, note: reason, connection)
      try AuditStore(environment: visits.environment).note(
        "withdraw_visit", target: "visit \(visit.id)", by: "\(principal.account)", reason: reason,
        connection)
      return .json(
        try queued(try visits.workflow.store.one(id, connection), connection), as: VisitJSON.queued)
    }
  }

  /// A page of requests with the zones.
  private struct Queues: Sendable {
    let page: ListPage
    let zones: [QueueOverview.Zone]
  }

  private static let zone = JSONShape<QueueOverview.Zone>(
    nil, .text("cell", \.cell.text), .init("box", .box, \.cell.edges),
    .count("requests", \.requests), .count("longest_wait_seconds", \.maxWait),
    .count("volunteers") { $0.volunteers < Suppression.minimum ? nil : $0.volunteers })

  private static let shape = JSONShape<Queues>(
    "visitQueues", .init("visits", .list(of: VisitJSON.queued.schema)) { $0.page.items },
    .init("counts", .countsByName, \.page.counts), .list("zones", of: zone, \.zones),
    .text("next", \.page.next))

  @Sendable private func statistics(_ request: Request) throws -> Response {
    let figures = try visits.database.read {
      try VisitFigures(environment: visits.environment).read($0)
    }
    var response = Response.json(figures, as: Self.figures)
    if case .bytes(let bytes) = response.body { response.etag = EntityTag(hashing: bytes) }
    response.headers.add("Cache-Control", AnswerVersions.cacheControl)
    return response
  }

  private static func byName<Code: RawRepresentable<String> & CaseIterable & Hashable>(
    _ counts: [Code: Int64]
  ) -> JSONObject {
    JSONObject(Code.allCases.map { ($0.rawValue, (counts[$0] ?? 0).json) })
  }

  private static func hours(_ seconds: Double?) -> Double? {
    seconds.map { ($0 / 360).rounded() / 10 }
  }

  private static let figures = JSONShape<VisitFigures.Figures>(
    "visitStatistics", .count("requests") { $0.byState.values.reduce(0, +) },
    .init("by_reason", .countsByName) { byName($0.byReason) },
    .init("by_state", .countsByName) { byName($0.byState) },
    .init("by_outcome", .countsByName) { byName($0.byOutcome) },
    .group(
      "hours_to_answer", .number("median") { hours($0.medianSeconds) },
      .number("slowest_tenth") { hours($0.slowestTenthSeconds) }),
    .count("volunteers") { $0.volunteers == 0 ? nil : $0.volunteers },
    .count("askers") { $0.askers == 0 ? nil : $0.askers })

  static let components = [VisitJSON.queued.component, shape.component, figures.component]
}
