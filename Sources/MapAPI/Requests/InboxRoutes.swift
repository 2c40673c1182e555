import JSON
import PrivacyMap
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
  private static let soon = 7
  private static let running = "choice.state IN ('sent', 'acknowledged', 'extended')"

  /// One statement for all filters; the index finds the requests of an organisation.
  static let page = """
    SELECT \(StoredRequest.columns) FROM request
    JOIN choice ON choice.rowid = request.choice_rowid
    WHERE request.organisation_rowid = ?1 AND (?2 IS NULL OR request.rowid < ?2)
      AND CASE WHEN ?3 IS NULL THEN 1 WHEN ?3 = 'overdue' THEN \(running) AND choice.last_day < ?4
        ELSE choice.state = ?3 END
    ORDER BY request.rowid DESC LIMIT ?5
    """

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let state = request.query["state"]
    if let state, !Self.states.contains(state) { throw InvalidInput.unknownCode("state", state) }
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try request.query["cursor"].map { text in
      guard let rowid = Int64(try PageCursor(text: text).keys(count: 1)[0]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return rowid
    }
    return try choices.database.read { connection in
      let own = try organisations.approved(principal, connection).rowid
      let today = choices.today
      let found = try connection.rows(
        Self.page,
        [
          .integer(own), SQLValue(last), SQLValue(state), .text(today.text), SQLValue(limit + 1),
        ]
      ) { StoredRequest($0) }
      let shown = found.prefix(limit)
      let next = found.count > limit ? shown.last.map { PageCursor(keys: ["\($0.rowid)"]) } : nil
      return .json([
        "requests": .array(
          try shown.map { request in
            let choice = try choices.store.choice(rowid: request.choice, connection)
            return RequestJSON(request: request, choice: choice, today: today).short
          }), "counts": try counts(own, connection),
        "due": .array(try due(own, connection).map { .string($0) }),
        "next": next.map { .string($0.text) } ?? .null,
      ])
    }
  }

  private func due(_ own: Int64, _ connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      """
      SELECT request.id FROM request JOIN choice ON choice.rowid = request.choice_rowid
      WHERE request.organisation_rowid = ? AND \(Self.running)
        AND choice.last_day BETWEEN ? AND ? ORDER BY choice.last_day, request.rowid
      """,
      [
        .integer(own), .text(choices.today.text),
        .text(choices.today.adding(days: Self.soon).text),
      ]
    ) { $0.text(0) }
  }

  private func counts(_ own: Int64, _ connection: borrowing Connection) throws -> JSONValue {
    var object = JSONObject(Self.states.map { (key: $0, value: JSONValue.integer(0)) })
    try connection.forEach(
      """
      SELECT choice.state, count(*),
        sum(\(Self.running) AND choice.last_day < ?)
      FROM request JOIN choice ON choice.rowid = request.choice_rowid
      WHERE request.organisation_rowid = ? GROUP BY choice.state
      """, [.text(choices.today.text), .integer(own)]
    ) { row in
      object[row.text(0)] = .integer(row.int(1))
      let overdue = object["overdue"]?.intValue ?? 0
      object["overdue"] = .integer(Int64(overdue) + (row.optionalInt(2) ?? 0))
    }
    return .object(object)
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try choices.database.read { connection in
      let (found, choice, own) = try sought(request, principal, connection)
      return .json(json(found, choice, own))
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
  ) -> JSONValue {
    var json =
      RequestJSON(request: request, choice: choice, today: choices.today).whole(choices.rights)
      .objectValue ?? JSONObject()
    json["operator_name"] = .string(own.details.name)
    return .object(json)
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
      return .json(json(found, after, own))
    }
  }
}
