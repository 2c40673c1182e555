import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/mapping-days/{id}/participation`: join and leave.
struct ParticipationRoutes: Sendable {
  let feature: MappingDays

  private static let path = DayRoutes.one + "/participation"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "joinMappingDay", .put, Self.path, tag: MappingDays.tag,
        summary: "Joins a mapping day, or its waiting list if it is full, and chooses a team.",
        access: .contributorSession, parameters: [DayRoutes.id],
        body: .json("mappingDayJoin", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The day as it is now.", schema: "mappingDay"),
          .refusal(409, "The day is over, or was cancelled."),
        ], .change(join)),
      Endpoint(
        "leaveMappingDay", .delete, Self.path, tag: MappingDays.tag,
        summary: "Leaves a mapping day. The first person on the waiting list gets the place.",
        access: .owner, parameters: [DayRoutes.id],
        answers: [.ok("The day as it is now.", schema: "mappingDay")], .change(leave)),
    ]
  }

  @Sendable private func join(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    var body = try RequestBody(request, ["shows_name", "team"])
    let showsName = body.flag("shows_name") ?? false
    let team = body.text("team", DayPlan.teamNames)
    try body.check()
    return { connection in
      let day = try feature.days.one(id, for: caller, connection)
      guard day.state.takesParticipants, day.plan.end > feature.environment.now() else {
        throw Refusal(
          .conflict, "error.mapping_day.closed", type: "transition",
          members: [("state", .string(day.state.rawValue))])
      }
      if let team, !day.plan.teams.contains(team) {
        throw InvalidInput.unknownCode("team", team)
      }
      let known = try feature.participants.one(of: account, in: day.rowid, connection)
      if known?.showsName != showsName { try feature.joinings.spend(account) }
      try feature.participants.join(day, account, showsName: showsName, team: team, connection)
      return try feature.answer(id, to: caller, connection)
    }
  }

  @Sendable private func leave(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      let day = try feature.days.one(id, for: caller, connection)
      if let part = try feature.participants.one(of: account, in: day.rowid, connection) {
        let next = try feature.participants.leave(
          day.rowid, part, takesParticipants: day.state.takesParticipants,
          maximum: day.plan.maximum, connection)
        try ErasureList.note(
          .participation, [part.id], at: feature.environment.now(), connection)
        if let next {
          try DayMails.movedUp(next, day, at: feature.environment.now(), connection)
        }
      }
      return try feature.answer(id, to: caller, connection)
    }
  }
}
