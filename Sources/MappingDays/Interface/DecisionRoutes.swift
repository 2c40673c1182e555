import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/moderation/mapping-days`: moderators decide about planned days.
struct DecisionRoutes: Sendable {
  let feature: MappingDays

  private static let path = "/api/moderation/mapping-days"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getMappingDayQueue", .get, Self.path, tag: "Moderation",
        summary: "Mapping days that wait for a decision, the next one first.", access: .moderator,
        parameters: PageCursor.parameters("Mapping days"),
        answers: [.ok("A page of days.", schema: "mappingDayQueue")], .personal(queue)),
      Endpoint(
        "decideMappingDay", .post, Self.path + "/{id}/decision", tag: "Moderation",
        summary: "Approve a mapping day, or reject it with a reason.", access: .moderator,
        parameters: [DayRoutes.id],
        body: .json("mappingDayDecision", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The day as it is now.", schema: "mappingDay"),
          .refusal(409, "The day does not wait for a decision."), .stale,
        ], .change(decide)),
    ]
  }

  @Sendable private func queue(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let place = try request.query["cursor"].map { text in
      let keys = try PageCursor(text: text).keys(count: 2)
      guard Timestamp(text: keys[0]) != nil, let row = Int64(keys[1]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return (start: keys[0], row: row)
    }
    return try feature.database.read { connection in
      let found = try feature.days.all(
        in: .waiting, after: place, limit: limit + 1, connection)
      let page = try found.prefix(limit).map {
        ShownDay.shape.json(try feature.shown($0, to: caller, connection))
      }
      let last = found.count > limit ? found.prefix(limit).last : nil
      return .json(
        ListPage(
          page,
          next: last.map { PageCursor(keys: [$0.plan.start.text, "\($0.rowid)"]).text }),
        as: ShownDay.queue)
    }
  }

  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["decision", "reason", "version"])
    let decision = body.code("decision", ["approve", "reject"], isRequired: true)
    let reason = body.text("reason", 1...500, isRequired: decision == "reject", lines: true)
    let version = body.version()
    try body.check()
    return { connection in
      guard let decision, let version, let event = DayEvent(rawValue: decision) else {
        throw Refusal(.badRequest, "error.missing_member")
      }
      let day = try feature.days.one(id, for: caller, connection)
      guard day.organiser != principal.account || principal.role == .admin else {
        throw Refusal(.forbidden, "error.mapping_day.own_decision")
      }
      guard day.state == .waiting else {
        throw Refusal.overtaken("error.mapping_day.decided")
      }
      guard version == day.version else {
        throw Refusal(.preconditionFailed, "error.decision_stale", type: "stale")
      }
      guard event != .approve || day.plan.start > feature.environment.now() else {
        throw Refusal.overtaken("error.mapping_day.begun")
      }
      try feature.days.apply(event, to: day, by: .moderator, reason: reason, connection)
      try feature.mails.decided(day, event, reason: reason, connection)
      try feature.audit("\(decision)_mapping_day", day, by: principal, reason, connection)
      // A moderator can no longer see a rejected day, but sees the result of the decision.
      let decided = try feature.days.one(row: day.rowid, connection) ?? day
      return .json(try feature.shown(decided, to: caller, connection), as: ShownDay.shape)
    }
  }
}

extension MappingDays {
  /// Logs a moderator's action.
  func audit(
    _ action: String, _ day: MappingDay, by principal: Principal, _ reason: String?,
    _ connection: borrowing Connection
  ) throws {
    try AuditStore(environment: environment).note(
      action, target: "mapping_day \(day.id)", by: "\(principal.account)", reason: reason,
      connection)
  }
}
