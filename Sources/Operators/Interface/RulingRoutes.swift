import Accounts
import Devices
import JSON
import Service
import SpatialDatabase
import WebServer

/// `/api/moderation/operator-rulings`: moderators merge and split operators, and take names of persons off the list.
struct RulingRoutes: Sendable {
  let operators: NamedOperators

  private static let path = "/api/moderation/operator-rulings"
  private static let tag = "Moderation"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getOperatorRulings", .get, Self.path, tag: Self.tag,
        summary: "Decisions in effect about the names of operators, newest first.",
        access: .moderator,
        parameters: [
          .query(
            "operator", .text(maxLength: 400),
            "Only decisions about the operator with this key or name.")
        ] + PageCursor.parameters("Decisions"),
        answers: [.ok("A page of decisions.", schema: "operatorRulings")], .personal(list)),
      Endpoint(
        "addOperatorRuling", .post, Self.path, tag: Self.tag,
        summary:
          "Merges an operator into another, splits off a spelling, or withholds a person's name.",
        access: .moderator, body: .json("newOperatorRuling", limit: Endpoint.Body.smallLimit),
        answers: [
          .created("The decision, with the id to undo it.", schema: "operatorRuling"),
          .refusal(409, "It was decided in the meantime."),
        ], .slow(add)),
      Endpoint(
        "undoOperatorRuling", .post, Self.path + "/{id}/undo", tag: Self.tag,
        summary: "Undoes a decision about the name of an operator.", access: .moderator,
        parameters: [.path("id", .text(maxLength: 36), "The UUID of the decision.")],
        body: .json("why", limit: Endpoint.Body.smallLimit),
        answers: [
          .done("It is undone."), .refusal(409, "It was undone in the meantime."),
        ], .slow(undo)),
    ]
  }

  static let bodies = JSONSchema.named([
    "newOperatorRuling": [
      "kind": .oneOf(OperatorRuling.Kind.self), "operator": .text(1...400),
      "into": .text(1...400).optional, "reason": .text(1...500).optional,
    ]
  ])

  static let shape = JSONShape<OperatorRuling>(
    "operatorRuling", .uuid("id", \.id), .oneOf("kind", \.kind), .text("key", \.key),
    .text("into", \.into), .time("made_at", \.madeAt))

  static let list = JSONShape<ListPage>("operatorRulings", of: shape.schema, in: "rulings")

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try request.query["cursor"].map { try PageCursor(text: $0).keys(count: 1)[0] }
    let directory = try operators.directory()
    var found = directory.rulings.all
    if let text = request.query["operator"] {
      let entry = directory.entry(named: text)
      let key = entry?.key ?? OperatorName(text).map(directory.rulings.key) ?? text
      let spellings = Set(entry?.spellings.compactMap { OperatorName($0.name)?.spelling } ?? [])
      found = directory.rulings.concerning(key, spellings: spellings)
    }
    let rest = found.reversed().drop { ruling in last.map { ruling.id >= $0 } ?? false }
    let (shown, next) = PageCursor.cut(rest, to: limit) { [$0.id] }
    return .json(ListPage(shown.map(Self.shape.json), next: next), as: Self.list)
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["kind", "operator", "into", "reason"])
    let kind: OperatorRuling.Kind? = body.oneOf("kind", isRequired: true)
    let name = body.text("operator", 1...400, isRequired: true)
    let into = body.text("into", 1...400, isRequired: kind == .merge)
    // The log gets a code instead of words about a person.
    let reason = body.text("reason", 1...500, isRequired: kind != .withhold, lines: true) ?? ""
    try body.check()
    guard let kind, let name else { throw Refusal(.badRequest, "error.missing_member") }
    let directory = try operators.directory()
    guard let entry = directory.entry(named: name) else { throw NamedOperatorRoutes.notThere }
    let key: String
    var target: String?
    switch kind {
    case .withhold: key = entry.key
    case .merge:
      guard let other = into.flatMap({ directory.entry(named: $0) }), other.key != entry.key else {
        throw InvalidInput.refused("into", "error.operator_ruling.into")
      }
      (key, target) = (entry.key, other.key)
    case .split:
      guard let spelling = OperatorName(name), spelling.spelling != spelling.key,
        directory.rulings.key(of: spelling) != spelling.spelling
      else {
        throw InvalidInput.refused("operator", "error.operator_ruling.split")
      }
      key = spelling.spelling
    }
    let ruling = try operators.map.write { connection in
      let now = try operators.rulings.rulings(connection)
      guard now == directory.rulings else { throw Refusal.overtaken("error.act.overtaken") }
      return try operators.rulings.add(
        kind, key, into: target, reason: reason, by: principal, connection)
    }
    operators.publicChanges.changed()
    return .json(ruling, as: Self.shape, status: .created)
  }

  @Sendable private func undo(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["reason"])
    let reason = body.text("reason", 1...500, isRequired: true, lines: true)
    try body.check()
    let why = try reason.given()
    try operators.map.write { connection in
      guard let ruling = try operators.rulings.ruling(id, connection) else {
        throw Refusal.overtaken("error.act.overtaken")
      }
      try operators.rulings.undo(ruling, reason: why, by: principal, connection)
    }
    operators.publicChanges.changed()
    return Response(.noContent)
  }
}
