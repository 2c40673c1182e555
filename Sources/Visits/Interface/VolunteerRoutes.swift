import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/visits/volunteer`, `/now` and `/offers`: data that only the volunteer can read.
struct VolunteerRoutes: Sendable {
  let visits: Visits

  private static let path = Visits.path + "/volunteer"
  private static let offer = Parameter.path("id", .text(maxLength: 36), "The UUID of an offer.")

  private var workflow: VisitWorkflow { visits.workflow }

  var endpoints: [Endpoint] { settings + offers }

  private var settings: [Endpoint] {
    let found = Endpoint.Answer.ok("The settings.", schema: "volunteer")
    return [
      Endpoint(
        "getVolunteer", .get, Self.path, tag: Visits.tag,
        summary: "When and where the account volunteers.", access: .owner, answers: [found],
        .personal(get)),
      Endpoint(
        "putVolunteer", .put, Self.path, tag: Visits.tag,
        summary:
          "Sets when and where the account volunteers: a cell and a radius, never a position.",
        access: .contributorSession, body: .json("volunteerSettings"), answers: [found],
        .change(put)),
      Endpoint(
        "stopVolunteering", .delete, Self.path, tag: Visits.tag,
        summary: "Erases the settings; an offer goes to the next volunteer.", access: .owner,
        answers: [.done("They are erased.")], .change(stop)),
    ]
  }

  private var offers: [Endpoint] {
    let one = Visits.path + "/offers/{id}"
    return [
      Endpoint(
        "getVisitsNow", .get, Visits.path + "/now", tag: Visits.tag,
        summary:
          "The offer that waits for an answer, and the visits to make; cheap to poll with an ETag.",
        access: .owner, answers: [.ok("The offer and the visits.", schema: "visitsNow")],
        .personal(now)),
      Endpoint(
        "getVisitStream", .get, Visits.path + "/stream", tag: Visits.tag,
        summary: "Notifies a page that `/api/visits/now` has changed; the events have no content.",
        access: .owner,
        answers: [
          .ok("A stream of Server-Sent Events without an end.", "text/event-stream"),
          .refusal(503, "As many pages listen as the instance allows."),
        ], .personal(listen)),
      Endpoint(
        "acceptOffer", .post, one + "/accept", tag: Visits.tag,
        summary: "Accepts an offer, for now or for a time at least two hours ahead.",
        access: .contributorSession, parameters: [Self.offer],
        body: .json("visitTime", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The visit.", schema: "visit"),
          .refusal(409, "The offer has ended, or the account has as many visits as it may."),
        ], .change(accept)),
      Endpoint(
        "declineOffer", .post, one + "/decline", tag: Visits.tag,
        summary: "Declines an offer: the next volunteer is asked.", access: .contributorSession,
        parameters: [Self.offer],
        answers: [
          .done("It is offered to another volunteer."), .refusal(409, "The offer has ended."),
        ], .change(decline)),
    ]
  }

  private static let notThere = NotFound(Message("error.not_found.volunteer"))

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try visits.database.readQuickly { try answer(account, $0) }
  }

  private func answer(_ account: Int64, _ connection: borrowing Connection) throws -> Response {
    guard let volunteer = try workflow.volunteers.one(account, connection) else {
      throw Self.notThere
    }
    return .json(
      VolunteerJSON(
        volunteer: volunteer, state: try state(of: volunteer, connection),
        offersToday: try workflow.offers.count(of: account, connection)), as: VolunteerJSON.shape)
  }

  private func state(
    of volunteer: StoredVolunteer, _ connection: borrowing Connection
  ) throws -> VolunteerState {
    let held = try workflow.store.requests(
      .visitor, volunteer.account, onlyOpen: true, limit: 10, connection)
    return VolunteerState(
      isPaused: volunteer.settings.isPaused,
      isAvailable: volunteer.isAvailable(at: visits.environment.now()),
      hasOffer: try workflow.offers.pending(of: volunteer.account, connection) != nil,
      goes: held.contains { $0.state == .accepted }, visits: held.count)
  }

  @Sendable private func put(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let settings = try visits.forms.volunteer(request)
    return { connection in
      try visits.asking.settings.spend(account)
      try workflow.volunteers.put(settings, of: account, connection)
      try workflow.wake(for: account, connection)
      return try answer(account, connection)
    }
  }

  @Sendable private func stop(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    return { connection in
      guard let volunteer = try workflow.volunteers.one(account, connection) else {
        throw Self.notThere
      }
      try workflow.leave(account, connection)
      try workflow.volunteers.delete(account, connection)
      try ErasureList.note(
        .volunteer, [volunteer.id], at: visits.environment.now(), connection)
      return .noContent
    }
  }

  @Sendable private func now(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    var response = try visits.database.readQuickly { connection -> Response in
      let volunteer = try workflow.volunteers.one(account, connection)
      let held = try workflow.store.requests(
        .visitor, account, onlyOpen: true, limit: 10, connection)
      return .json(
        VisitNow(
          offer: try offer(to: account, volunteer, connection),
          visits: try held.map { try visits.shown($0, to: account, connection) },
          state: try volunteer.map { try state(of: $0, connection).rawValue } ?? "none"),
        as: VisitNow.shape)
    }
    if case .bytes(let bytes) = response.body { response.etag = EntityTag(hashing: bytes) }
    // A page compares the tag, so the browser may store the response, but must revalidate it before each use.
    response.headers.add("Cache-Control", "private, no-cache")
    return response
  }

  @Sendable private func listen(_ request: Request, _ caller: Caller) throws -> Response {
    let body = PushedBody()
    if request.method != .head, !visits.hub.join(try caller.signedIn(), body) {
      throw RequestQueue.Refused.full.refusal
    }
    return .events(body)
  }

  private func offer(
    to account: Int64, _ volunteer: StoredVolunteer?, _ connection: borrowing Connection
  ) throws -> VisitNow.Offer? {
    guard let offer = try workflow.offers.pending(of: account, connection),
      offer.endsAt > visits.environment.now(),
      let visit = try workflow.store.one(row: offer.visit, connection)
    else { return nil }
    let shown = try visits.shown(visit, to: account, connection)
    let metres = volunteer.flatMap { volunteer in
      shown.device.map { volunteer.settings.cell.middle.distance(to: $0.place) }
    }
    return VisitNow.Offer(
      offer: offer, visit: shown, kilometres: Int64(((metres ?? 0) / 1_000).rounded(.up)))
  }

  @Sendable private func accept(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    let time = try visits.forms.time(request)
    return { connection in
      let offer = try workflow.offers.one(id, of: account, connection)
      let visit = try workflow.accept(offer, at: time, connection)
      return .json(try visits.shown(visit, to: account, connection), as: VisitJSON.shape)
    }
  }

  @Sendable private func decline(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      try workflow.decline(try workflow.offers.one(id, of: account, connection), connection)
      return .noContent
    }
  }
}
