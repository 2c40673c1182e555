import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The routes of organisers: plan, change, submit, withdraw, cancel and delete a mapping day, write to participants.
struct OrganiserRoutes: Sendable {
  let feature: MappingDays

  private static let wrongState = Endpoint.Answer.refusal(
    409, "The state of the day does not allow it; `state` names it.")
  private static let shown = Endpoint.Answer.ok("The day as it is now.", schema: "mappingDay")

  var endpoints: [Endpoint] {
    let one = DayRoutes.one
    return [
      Endpoint(
        "planMappingDay", .post, DayRoutes.path, tag: MappingDays.tag,
        summary: "Plans a mapping day, as a draft.", access: .contributorSession,
        body: .json("mappingDayPlan"),
        answers: [
          .created("The draft.", schema: "mappingDay"),
          .refusal(409, "The account has as many open days as it may."),
        ], .change(plan)),
      Endpoint(
        "changeMappingDay", .put, one, tag: MappingDays.tag,
        summary: "Changes the plan of a draft or of a rejected day.", access: .contributorSession,
        parameters: [DayRoutes.id], body: .json("mappingDayPlan"),
        answers: [Self.shown, Self.wrongState], .change(change)),
      Endpoint(
        "deleteMappingDay", .delete, one, tag: MappingDays.tag,
        summary: "Deletes a draft or a rejected day.", access: .owner, parameters: [DayRoutes.id],
        answers: [.done("It is deleted."), Self.wrongState], .change(delete)),
      event(
        "submitMappingDay", "submission", .submit, .contributorSession,
        "Submits a draft to the moderators."),
      event(
        "withdrawMappingDay", "withdrawal", .withdraw, .owner,
        "Takes a day back that waits for a decision."),
      Endpoint(
        "cancelMappingDay", .post, one + "/cancellation", tag: MappingDays.tag,
        summary:
          "Cancels a day, for its organiser and for moderators. Its participants get a mail.",
        access: .signedIn(.moderate), parameters: [DayRoutes.id],
        body: .json("why", limit: Endpoint.Body.smallLimit),
        answers: [Self.shown, Self.wrongState], .change(cancel)),
      Endpoint(
        "mailMappingDay", .post, one + "/mails", tag: MappingDays.tag,
        summary:
          "Sends a mail to all participants, three times at most. Their addresses stay hidden.",
        access: .contributorSession, parameters: [DayRoutes.id],
        body: .json("mappingDayMail", limit: Endpoint.Body.smallLimit),
        answers: [
          .accepted("The mails will be sent within minutes."),
          .refusal(409, "Three mails were sent, or the state of the day does not allow it."),
        ], .change(mail)),
    ]
  }

  private func event(
    _ id: String, _ name: String, _ event: DayEvent, _ access: Access, _ summary: String
  ) -> Endpoint {
    Endpoint(
      id, .post, "\(DayRoutes.one)/\(name)", tag: MappingDays.tag, summary: summary,
      access: access, parameters: [DayRoutes.id], answers: [Self.shown, Self.wrongState],
      .change { request, caller in
        let id = request.parameter("id")
        return { connection in
          let day = try feature.days.own(id, of: caller, connection)
          if event == .submit { try checkTimes(of: day.plan) }
          try feature.days.apply(event, to: day, by: .organiser, connection)
          return try feature.answer(id, to: caller, connection)
        }
      })
  }

  /// The start of a draft may have come closer since it was written.
  private func checkTimes(of plan: DayPlan) throws {
    do throws(DayTimes.Fault) {
      try DayTimes.check(
        start: plan.start, end: plan.end, zone: plan.zone, now: feature.environment.now())
    } catch {
      throw InvalidInput.refused(error.member, error.key)
    }
  }

  @Sendable private func plan(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let plan = try feature.form.read(request, now: feature.environment.now())
    return { connection in
      try feature.plans.spend(account)
      guard let made = try feature.days.add(plan, of: account, connection) else {
        throw MappingDay.notThere
      }
      return try feature.answer(made.id, to: caller, status: .created, connection)
        .with("Location", "\(DayRoutes.path)/\(made.id)")
    }
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let id = request.parameter("id")
    let plan = Result { try feature.form.read(request, now: feature.environment.now()) }
    return { connection in
      let day = try feature.days.own(id, of: caller, connection)
      guard day.state.isOpenToChange else { throw Self.refusal(day.state) }
      try feature.days.put(try plan.get(), of: day, connection)
      return try feature.answer(id, to: caller, connection)
    }
  }

  private static func refusal(_ state: DayState) -> Refusal {
    Refusal(
      .conflict, "error.mapping_day.state", type: "transition",
      members: [("state", .string(state.rawValue))])
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let id = request.parameter("id")
    return { connection in
      let day = try feature.days.own(id, of: caller, connection)
      guard day.state.isOpenToChange else { throw Self.refusal(day.state) }
      try feature.days.delete(day, connection)
      return .noContent
    }
  }

  @Sendable private func cancel(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["reason"])
    let reason = body.text("reason", 1...500, isRequired: true, lines: true)
    try body.check()
    return { connection in
      let day = try feature.days.one(id, for: caller, connection)
      guard day.isOwn(caller) || principal.moderates else {
        throw Refusal(.forbidden, "error.mapping_day.not_organiser")
      }
      let actor = day.isOwn(caller) ? DayEvent.Actor.organiser : .moderator
      // A suspended or unconfirmed account may end its day. Its reason is not stored, so no mail contains it.
      let isHeard = principal.isConfirmed && !principal.isSuspended
      try feature.days.apply(
        .cancel, to: day, by: actor, reason: isHeard ? reason : nil, connection)
      try DayMails.plan(
        .cancelled, to: day.rowid, at: feature.environment.now(), connection)
      if actor == .moderator {
        try feature.audit("cancel_mapping_day", day, by: principal, reason, connection)
        try feature.mails.decided(day, .cancel, reason: reason, connection)
      }
      return try feature.answer(id, to: caller, connection)
    }
  }

  @Sendable private func mail(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let id = request.parameter("id")
    var body = try RequestBody(request, ["text"])
    let sent = body.text("text", 1...2_000, isRequired: true, lines: true)
    try body.check()
    return { connection in
      let day = try feature.days.own(id, of: caller, connection)
      guard day.state.takesParticipants || day.state == .over else {
        throw Self.refusal(day.state)
      }
      guard day.mails < MappingDay.maxMails else {
        throw Refusal(
          .conflict, "error.mapping_day.mails", ["maximum": "\(MappingDay.maxMails)"],
          type: "too-many-mails")
      }
      try feature.days.countMail(of: day.rowid, connection)
      try DayMails.plan(
        .message, to: day.rowid, text: sent, at: feature.environment.now(), connection)
      return Response(.accepted)
    }
  }
}
