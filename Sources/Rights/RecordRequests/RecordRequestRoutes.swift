import Accounts
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/data-requests`: request a person's records, and answer such requests.
struct RecordRequestRoutes: Sendable {
  let requests: RecordRequests

  private var store: RecordRequestStore { requests.store }

  static let tag = "Data requests"
  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of a request of the caller.")

  var endpoints: [Endpoint] {
    let one = Endpoint.Answer.ok("The request.", schema: "dataRequest")
    let over = Endpoint.Answer.refusal(409, "The request has ended or was already answered.")
    return [
      Endpoint(
        "getDataRequests", .get, "/api/data-requests", tag: Self.tag,
        summary: "The requests that the caller received or sent, newest first.",
        access: .contributor(.records),
        parameters: [
          .query(
            "as", .oneOf(["asked", "asking"], byDefault: "asked"),
            "Received or sent requests."),
          .query(
            "state", .oneOf(RecordRequest.State.allCases.map(\.rawValue)), "Requests in this state."
          ),
        ] + PageCursor.parameters("Requests"),
        answers: [.ok("Requests.", schema: "dataRequests")], .personal(list)),
      Endpoint(
        "addDataRequest", .post, "/api/data-requests", tag: Self.tag,
        summary: "Request the records of a person (by username) or an approved operator (by name).",
        access: .contributorSession,
        body: .json("newDataRequest"),
        answers: [
          .created("The request.", schema: "dataRequest"),
          .refusal(409, "An open request exists, or a recent one was not accepted."),
        ], .change(add)),
      Endpoint(
        "getDataRequest", .get, "/api/data-requests/{id}", tag: Self.tag,
        summary: "A request that the caller sent or received.", access: .contributor(.records),
        parameters: [Self.id], answers: [one], .personal(get)),
      Endpoint(
        "answerDataRequest", .post, "/api/data-requests/{id}/answer", tag: Self.tag,
        summary: "Accept a request, within limits, or refuse it.", access: .contributorSession,
        parameters: [Self.id],
        body: .json("dataRequestAnswer"), answers: [one, over], .change(answer)),
      Endpoint(
        "revokeDataRequest", .post, "/api/data-requests/{id}/revoke", tag: Self.tag,
        summary: "Revoke a permission at once.", access: .contributorSession, parameters: [Self.id],
        body: .json("dataRequestNote"), answers: [one, over], .change(revoke)),
      Endpoint(
        "withdrawDataRequest", .post, "/api/data-requests/{id}/withdraw", tag: Self.tag,
        summary: "Withdraw a request that the caller sent.", access: .contributorSession,
        parameters: [Self.id], body: .json("dataRequestNote"), answers: [one, over],
        .change(withdraw)),
    ]
  }

  // Read

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    let side = request.query["as"] ?? "asked"
    guard ["asked", "asking"].contains(side) else { throw InvalidInput.unknownCode("as", side) }
    let state = request.query["state"]
    if let state, RecordRequest.State(rawValue: state) == nil {
      throw InvalidInput.unknownCode("state", state)
    }
    let limit = try PageCursor.limit(request.query["limit"])
    let before = try PageCursor.rows(request.query["cursor"], count: 1)?[0]
    return try requests.database.read { connection in
      let found = try store.requests(
        of: account, asking: side == "asking", in: state, before: before ?? .max,
        limit: limit + 1, connection)
      let (page, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
      let shown = try page.map { RecordRequestJSON.shape.json(try json($0, connection)) }
      return .json(
        ListPage(
          shown, next: next,
          counts: try store.counts(of: account, asking: side == "asking", connection)),
        as: RecordRequestJSON.page)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try requests.database.read { connection in
      try answer(request.parameter("id"), account, connection)
    }
  }

  private func answer(
    _ id: String, _ account: Int64, _ connection: borrowing Connection, status: Status = .ok
  ) throws -> Response {
    let found = try store.request(id, of: account, connection)
    return .json(try json(found, connection), as: RecordRequestJSON.shape, status: status)
  }

  private func json(
    _ request: RecordRequest, _ connection: borrowing Connection
  ) throws -> RecordRequestJSON {
    RecordRequestJSON(
      request: request, looks: try store.looks(at: request, connection), now: requests.now)
  }

  // Write

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(
      request, ["username", "operator", "reason", "fields", "days", "subscribe"])
    let operatorName = body.text("operator", 1...250)
    let username = body.text("username", 1...60, isRequired: !body.has("operator"))
    if username != nil, operatorName != nil {
      body.fault("operator", Message("error.data_request.one_name"))
    }
    let reason = body.text("reason", 1...2_000, isRequired: true, lines: true)
    let fields = body.codes("fields", RecordRequest.Field.allCases.map(\.rawValue))
    if body.value("fields") == nil || fields?.isEmpty == true {
      body.fault("fields", Message("error.missing_member"))
    }
    let days = body.integer("days", 1...365, isRequired: true)
    let subscribe = body.flag("subscribe") ?? false
    try body.check()
    // Count the request whether or not it has a recipient, so that names cannot be tried out.
    try requests.countAsking(principal.account)
    return { connection in
      let speaker = try operatorName.map { try requests.speaker(of: $0, connection) }
      let asked = try requests.reachable(
        try speaker?.username ?? username.given(), from: principal, connection)
      try requests.checkMayAsk(
        asked.rowid, as: speaker?.organisation, principal.account, connection)
      let id = try store.add(
        by: principal.account, to: asked.rowid, as: speaker?.organisation,
        reason: reason.given(), fields: fields ?? [], days: days.given(), subscribe: subscribe,
        connection)
      let made = try store.request(id, of: principal.account, connection)
      try requests.mails.tell(.asked, made.asked, about: made.asker, connection)
      var response = try answer(id, principal.account, connection, status: .created)
      response.headers["Location"] = requests.addresses.url("/api/data-requests/\(id)")
      return response
    }
  }

  /// The fields of an answer to a request.
  private struct Answer: Sendable {
    let isYes: Bool?
    let fields: [String]?
    let from: Day?
    let to: Day?
    let until: Day?
    let subscribe: Bool?
    let note: String?

    init(_ body: inout RequestBody) {
      isYes = body.flag("accept", isRequired: true)
      fields = body.codes("fields", RecordRequest.Field.allCases.map(\.rawValue))
      if let fields, fields.isEmpty { body.refuse("fields", Message("error.missing_member")) }
      from = body.day("from")
      to = body.day("to")
      until = body.day("until")
      subscribe = body.flag("subscribe")
      note = body.text("note", 1...2_000, lines: true)
      if let from, let to, to < from { body.refuse("to", Message("error.data_request.days")) }
    }
  }

  @Sendable private func answer(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    var body = try RequestBody(
      request, ["accept", "fields", "from", "to", "until", "subscribe", "note"])
    let said = Answer(&body)
    let sent = body
    return { connection in
      let found = try self.request(id, asking: account, connection)
      try sent.check()
      guard found.state(at: requests.now) == .waiting else { throw Self.over }
      if try said.isYes.given() {
        try grant(said, found, connection)
      } else {
        try store.refuse(found, note: said.note, connection)
        try requests.mails.tell(.refused, found.asker, about: found.asked, connection)
      }
      return try answer(id, account, connection)
    }
  }

  /// Accepts a request, for at most the records requested.
  private func grant(
    _ said: Answer, _ request: RecordRequest, _ connection: borrowing Connection
  ) throws {
    let today = requests.now.day
    let last = today.adding(days: Int(request.days))
    // Time zones ahead of UTC may already be one day later, so accept one more day.
    let until = min(said.until ?? last, last)
    guard until >= today, said.until.map({ $0 <= last.adding(days: 1) }) ?? true else {
      throw InvalidInput.refused(
        "until", "error.outside", ["minimum": today.text, "maximum": last.text])
    }
    let fields = said.fields ?? request.fields.map(\.rawValue)
    guard Set(fields).isSubset(of: request.fields.map(\.rawValue)) else {
      throw InvalidInput.refused("fields", "error.data_request.more")
    }
    if said.subscribe == true, !request.wantsSubscription {
      throw InvalidInput.refused("subscribe", "error.data_request.more")
    }
    let grant = RecordRequest.Grant(
      fields: fields.compactMap(RecordRequest.Field.init(rawValue:)), from: said.from,
      to: said.to, until: until, isSubscribed: said.subscribe ?? request.wantsSubscription)
    try store.accept(request, grant, note: said.note, connection)
    try requests.mails.tell(.accepted, request.asker, about: request.asked, connection)
    try requests.mails.tell(.given, request.asked, about: request.asker, connection)
  }

  private static let over = Refusal(.conflict, "error.data_request.over", type: "data-request-over")

  /// A request that `account` has received.
  private func request(
    _ id: String, asking account: Int64, _ connection: borrowing Connection
  ) throws -> RecordRequest {
    let found = try store.request(id, of: account, connection)
    guard found.asked?.rowid == account else { throw RecordRequests.notThere }
    return found
  }

  private func note(_ request: Request) throws -> String? {
    guard !request.body.isEmpty else { return nil }
    var body = try RequestBody(request, ["note"])
    let note = body.text("note", 1...2_000, lines: true)
    try body.check()
    return note
  }

  @Sendable private func revoke(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    let note = try self.note(request)
    return { connection in
      let found = try self.request(id, asking: account, connection)
      guard found.state(at: requests.now) == .accepted else { throw Self.over }
      try store.set(.revoked, found, note: note, connection)
      try requests.mails.tell(.revoked, found.asker, about: found.asked, connection)
      return try answer(id, account, connection)
    }
  }

  @Sendable private func withdraw(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    // The body may contain a note, as when revoking. It is validated but not stored.
    _ = try self.note(request)
    return { connection in
      let found = try store.request(id, of: account, connection)
      guard found.asker?.rowid == account else { throw RecordRequests.notThere }
      guard [.waiting, .accepted].contains(found.state(at: requests.now)) else { throw Self.over }
      try store.set(.withdrawn, found, connection)
      try requests.mails.tell(.withdrawn, found.asked, about: found.asker, connection)
      return try answer(id, account, connection)
    }
  }
}

extension RequestBody {
  /// A day in the form `2026-11-21`.
  mutating func day(_ name: String) -> Day? {
    guard let text = text(name, 1...10) else { return nil }
    guard let day = Day(text: text) else {
      refuse(name, Message("error.day"))
      return nil
    }
    return day
  }
}
