import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/visits`: request a visit, and carry it out. Browsers only: a program must not send people anywhere.
struct VisitRoutes: Sendable {
  let visits: Visits

  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of a request.")
  private static let one = Endpoint.Answer.ok("The visit.", schema: "visit")
  private static let over = Endpoint.Answer.refusal(
    409, "The visit has ended or is not the caller's.")
  /// Requests in a list.
  private static let maximum = 50

  private var workflow: VisitWorkflow { visits.workflow }

  var endpoints: [Endpoint] { reading + asking + visiting }

  private var reading: [Endpoint] {
    [
      Endpoint(
        "getOwnVisits", .get, Visits.path + "/mine", tag: Visits.tag,
        summary: "The requests and visits of the account.", access: .owner,
        answers: [.ok("At most 50 of each, latest first.", schema: "ownVisits")], .personal(mine)),
      Endpoint(
        "getVisit", .get, Visits.path + "/{id}", tag: Visits.tag,
        summary: "A visit, for its people, and for everybody signed in if it is open to all.",
        access: .owner, parameters: [Self.id], answers: [Self.one], .personal(get)),
    ]
  }

  private var asking: [Endpoint] {
    [
      Endpoint(
        "askForVisit", .post, Visits.path, tag: Visits.tag,
        summary: "Asks for a visit to a device.",
        access: .contributorSession, body: .json("newVisit", limit: Endpoint.Body.smallLimit),
        answers: [
          .created("The request.", schema: "visit"),
          .refusal(
            409, "An open request exists, the device was visited recently, or the limit is reached."
          ),
          .refusal(410, "Deleted; the response says when, by whom and why."),
        ], .change(ask)),
      Endpoint(
        "withdrawVisit", .post, Visits.path + "/{id}/withdraw", tag: Visits.tag,
        summary: "Withdraws a request of the account.", access: .contributorSession,
        parameters: [Self.id], answers: [Self.one, Self.over], .change(withdraw)),
      Endpoint(
        "flagVisit", .post, Visits.path + "/{id}/flag", tag: Visits.tag,
        summary: "Flags the other side of a visit, whose name neither side learns.",
        access: .contributorSession, parameters: [Self.id], body: .json("visitFlag"),
        answers: [.created("The flag.", schema: "flagged")], .change(flag)),
    ]
  }

  private var visiting: [Endpoint] {
    let time = Endpoint.Body.json("visitTime", limit: Endpoint.Body.smallLimit)
    let one = Visits.path + "/{id}"
    return [
      Endpoint(
        "takeDevice", .post, Visits.path + "/take", tag: Visits.tag,
        summary: "Takes a device that needs a visit although nobody asked.",
        access: .contributorSession,
        body: .json("takenDevice", limit: Endpoint.Body.smallLimit),
        answers: [
          .created("The visit.", schema: "visit"),
          .refusal(409, "An open request exists, or the account has as many visits as it may."),
          .refusal(410, "Deleted; the response says when, by whom and why."),
        ], .change(takeDevice)),
      Endpoint(
        "takeVisit", .post, one + "/take", tag: Visits.tag,
        summary: "Takes a request that is open to all.", access: .contributorSession,
        parameters: [Self.id], body: time, answers: [Self.one, Self.over], .change(take)),
      Endpoint(
        "planVisit", .post, one + "/plan", tag: Visits.tag,
        summary: "Reserves a time for an accepted visit, at least two hours ahead.",
        access: .contributorSession, parameters: [Self.id], body: time,
        answers: [Self.one, Self.over], .change(plan)),
      Endpoint(
        "cancelVisit", .post, one + "/cancel", tag: Visits.tag,
        summary: "Gives a visit back to the queue.", access: .contributorSession,
        parameters: [Self.id], answers: [.done("It waits for another volunteer."), Self.over],
        .change(cancel)),
      Endpoint(
        "reportVisit", .post, one + "/outcome", tag: Visits.tag,
        summary: "Closes a visit with what the volunteer found.", access: .contributorSession,
        parameters: [Self.id], body: .json("visitReport", limit: Endpoint.Body.smallLimit),
        answers: [Self.one, Self.over], .change(report)),
    ]
  }

  // Read

  @Sendable private func mine(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try visits.database.readQuickly { connection in
      func shown(_ side: VisitStore.Side) throws -> [VisitJSON] {
        try workflow.store.requests(side, account, limit: Self.maximum, connection)
          .map { try visits.shown($0, to: account, connection) }
      }
      return .json(
        OwnVisits(asked: try shown(.asker), visited: try shown(.visitor)), as: OwnVisits.shape)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try visits.database.readQuickly { connection in
      let visit = try workflow.store.one(request.parameter("id"), connection)
      let shown = try visits.shown(visit, to: account, connection)
      guard shown.part != .none || visit.state == .open || caller.principal?.moderates == true
      else { throw VisitStore.notThere }
      return .json(shown, as: VisitJSON.shape)
    }
  }

  private func answer(
    _ visit: StoredVisit, _ account: Int64, _ connection: borrowing Connection,
    isNew: Bool = false
  ) throws -> Response {
    let shown = try visits.shown(visit, to: account, connection)
    var response = Response.json(shown, as: VisitJSON.shape, status: isNew ? .created : .ok)
    if isNew { response.headers.add("Location", "\(Visits.path)/\(visit.id)") }
    return response
  }

  // Ask

  @Sendable private func ask(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["device", "reason"])
    let id = body.text("device", 1...100, isRequired: true)
    let reason = body.code("reason", VisitReason.asked.map(\.rawValue), isRequired: true)
      .flatMap(VisitReason.init)
    try body.check()
    return { connection in
      let device = try device(id, caller, connection)
      let reason = try reason.given()
      try visits.asking.check(device, reason, by: principal, connection)
      try visits.asking.spend(principal)
      let visit = try workflow.store.add(about: device, reason, by: principal.account, connection)
      try workflow.dispatchSoon(connection)
      return try answer(visit, principal.account, connection, isNew: true)
    }
  }

  /// Finds a public device. A hidden device is not found, not even for its author.
  private func device(
    _ id: String?, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> VisitedDevice {
    let found = try FoundDevice(id.given(), for: caller, connection)
    guard !found.isHidden, let device = try workflow.store.device(found.rowid, connection) else {
      throw NotFound.device
    }
    return device
  }

  /// A visit of which the caller is one side.
  ///
  /// - Throws: ``NotFound`` otherwise.
  private func visit(
    _ id: String, _ part: VisitJSON.Part, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredVisit {
    let visit = try workflow.store.one(id, connection)
    guard (part == .asker ? visit.asker : visit.visitor) == account else {
      throw VisitStore.notThere
    }
    return visit
  }

  @Sendable private func withdraw(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      let visit = try visit(id, .asker, of: account, connection)
      try workflow.close(visit, .withdrawn, silent: account, connection)
      return try answer(try workflow.store.one(id, connection), account, connection)
    }
  }

  @Sendable private func flag(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["reason", "note"])
    let reason = body.code("reason", PersonFlags.reasons, isRequired: true)
    let note = body.text("note", 1...1_000, lines: true)
    try body.check()
    return { connection in
      let visit = try workflow.store.one(id, connection)
      let other =
        visit.visitor == principal.account
        ? visit.asker : visit.asker == principal.account ? visit.visitor : nil
      // Before its end, the asker does not know whether there is a volunteer.
      let isEarly = visit.asker == principal.account && !visit.state.isOver
      guard let other, !isEarly else { throw VisitStore.notThere }
      let flag = try visits.flags.flag(
        other, reason: try reason.given(), note: note, by: principal, connection)
      return .json(["id": .string(flag)], status: .created)
    }
  }

  // Visit

  @Sendable private func takeDevice(_ request: Request, _ caller: Caller) throws -> Endpoint.Change
  {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["device", "planned_for"])
    let id = body.text("device", 1...100, isRequired: true)
    let time = body.time("planned_for")
    try body.check()
    return { connection in
      let device = try device(id, caller, connection)
      let needs = NeedsQuery(today: visits.environment.now().day)
      guard let found = try needs.device(device.rowid, connection), found.request == nil else {
        throw Refusal(.conflict, "error.visit.exists", type: "visit-exists")
      }
      let reason = found.reasons.first { !device.isOfHousehold || $0.isSeenFromStreet }
      guard let reason, !device.isInHome else {
        let key = device.isInHome ? "error.visit.private" : "error.visit.no_reason"
        throw InvalidInput.refused("device", key)
      }
      let visit = try workflow.store.add(about: device, reason, by: nil, connection)
      try workflow.open(visit, next: visits.environment.now(), connection)
      let taken = try workflow.take(
        try workflow.store.one(visit.id, connection), by: principal.account, at: time, connection)
      try visits.asking.spendTaking(principal)
      return try answer(taken, principal.account, connection, isNew: true)
    }
  }

  @Sendable private func take(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let account = principal.account
    let id = request.parameter("id")
    let time = try visits.forms.time(request)
    return { connection in
      let visit = try workflow.store.one(id, connection)
      let part = try visits.shown(visit, to: account, connection).part
      // Whether another request exists is not revealed.
      guard visit.openedAt != nil || part != .none else { throw VisitStore.notThere }
      let taken = try workflow.take(visit, by: account, at: time, connection)
      try visits.asking.spendTaking(principal)
      return try answer(taken, account, connection)
    }
  }

  @Sendable private func plan(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    let time = try visits.forms.time(request, isRequired: true)
    return { connection in
      let visit = try visit(id, .visitor, of: account, connection)
      return try answer(
        try workflow.plan(visit, at: try time.given(), connection), account, connection)
    }
  }

  @Sendable private func cancel(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      try workflow.cancel(try visit(id, .visitor, of: account, connection), connection)
      return .noContent
    }
  }

  @Sendable private func report(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    var body = try RequestBody(request, ["outcome"])
    let outcome: VisitOutcome? = body.oneOf("outcome", isRequired: true)
    try body.check()
    return { connection in
      let visit = try visit(id, .visitor, of: account, connection)
      let reported = try workflow.report(visit, try outcome.given(), connection)
      return try answer(reported, account, connection)
    }
  }
}
