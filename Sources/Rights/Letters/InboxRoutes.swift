import Accounts
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/operator/requests`: the requests sent through Farol to the caller's organisation.
struct InboxRoutes: Sendable {
  let choices: Choices
  let organisations: OrganisationStore

  private static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of the request.")

  var endpoints: [Endpoint] {
    let answer = Endpoint.Answer.ok("The request.", schema: "request")
    return [
      Endpoint(
        "getRequests", .get, "/api/operator/requests", tag: Organisations.tag,
        summary: "Requests to the caller's organisation, latest first, and the ones that are due.",
        access: .contributor(.inbox),
        parameters: [
          .query(
            "state", .oneOf(Self.states),
            "Requests in this state; `overdue`: not answered within the time limit.")
        ] + PageCursor.parameters("Requests"),
        answers: [.ok("A page of requests.", schema: "requests")], .personal(list)),
      Endpoint(
        "getRequest", .get, "/api/operator/requests/{id}", tag: Organisations.tag,
        summary: "One request: the letter and its events.", access: .contributor(.inbox),
        parameters: [Self.id], answers: [answer], .personal(one)),
      Endpoint(
        "answerRequest", .post, "/api/operator/requests/{id}/events", tag: Organisations.tag,
        summary: "Acknowledges, extends, honours or refuses a request.",
        access: .contributor(.inbox),
        parameters: [Self.id], body: .json("requestAnswer"),
        answers: [
          answer, .refusal(409, "This answer is not possible now; `state` and `event` say why."),
        ], .change(reply)),
    ]
  }

  /// A request is not delivered before it is sent.
  private static let states =
    LedgerState.allCases.filter { $0 != .wanted }.map(\.rawValue) + ["overdue"]

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let state = request.query["state"]
    if let state, !Self.states.contains(state) { throw InvalidInput.unknownCode("state", state) }
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?[0]
    return try choices.database.read { connection in
      let own = try organisations.approved(principal, connection).rowid
      let found = try choices.requests.requests(
        to: own, in: state, before: last, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
      let short = try shown.map { request in
        let choice = try choices.store.choice(rowid: request.choice, connection)
        return RequestJSON.short.json(
          RequestJSON(
            request: request, choice: choice, today: choices.today, rights: choices.rights))
      }
      return .json(
        ListPage(
          short, next: next,
          counts: try choices.requests.counts(Self.states, of: own, connection),
          due: try choices.requests.dueSoon(own, connection)), as: RequestJSON.page)
    }
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try choices.database.read { connection in
      let (found, choice, own) = try sought(request, principal, connection)
      return .json(json(found, choice, own), as: RequestJSON.whole)
    }
  }

  private func sought(
    _ request: Request, _ principal: Principal, _ connection: borrowing Connection
  ) throws -> (StoredRequest, StoredChoice, Organisation) {
    let own = try organisations.approved(principal, connection)
    let found = try choices.requests.request(
      request.parameter("id"), for: own.rowid, connection)
    return (found, try choices.store.choice(rowid: found.choice, connection), own)
  }

  private func json(
    _ request: StoredRequest, _ choice: StoredChoice, _ own: Organisation
  ) -> RequestJSON {
    RequestJSON(
      request: request, choice: choice, today: choices.today, rights: choices.rights,
      operatorName: own.details.name)
  }

  @Sendable private func reply(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, OperatorAnswer.members)
    let answer = OperatorAnswer(&body)
    let sent = body
    return { connection in
      let (found, choice, own) = try sought(request, principal, connection)
      try sent.check()
      let after = try choices.take(answer.given(), to: choice, through: .farol, connection)
      return .json(json(found, after, own), as: RequestJSON.whole)
    }
  }
}
