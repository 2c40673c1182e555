import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/account/research-access`: requests for researcher access.
struct ResearchRoutes: Sendable {
  let research: Research

  private static let path = "/api/account/research-access"
  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of a request.")

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getResearchAccess", .get, Self.path, tag: Research.tag,
        summary: "The caller's requests for researcher access, and the decisions.",
        access: .owner, answers: [.ok("Requests, latest first.", schema: "researchAccesses")],
        .personal(list)),
      Endpoint(
        "askForResearchAccess", .post, Self.path, tag: Research.tag,
        summary: "Requests researcher access; an admin decides.", access: .owner,
        body: .json("newResearchAccess"),
        answers: [
          .created("The request.", schema: "researchAccess"),
          .refusal(409, "Another request of the account is already waiting."),
        ], .change(ask)),
      Endpoint(
        "endResearchAccess", .delete, Self.path + "/{id}", tag: Research.tag,
        summary: "Withdraws a request or gives up access; the request is erased.", access: .owner,
        parameters: [Self.id], answers: [.done("It is erased.")], .change(end)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try research.database.read { connection in
      let all = try research.store.all(of: account, connection)
      return .json(all, as: ResearchAccess.shapeOfList)
    }
  }

  @Sendable private func ask(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    if principal.isSuspended { throw Refusal.suspended }
    if !principal.isConfirmed { throw Refusal.unconfirmed }
    var body = try RequestBody(request, ["project", "purpose", "until"])
    let project = body.text("project", 1...120, isRequired: true)
    let purpose = body.text("purpose", 40...2_000, isRequired: true, lines: true)
    let until = body.day("until", after: research.store.today, atMost: ResearchAccess.days)
    try body.check()
    let (named, meant, last) = (try project.given(), try purpose.given(), try until.given())
    return { connection in
      try research.questions.spend(principal.account)
      let made = try research.store.add(
        project: named, purpose: meant, until: last, of: principal.account, connection)
      try research.mails.ask(made, by: principal.username, connection)
      var response = Response.json(made, as: ResearchAccess.shape, status: .created)
      response.headers.add("Location", "\(Self.path)/\(made.id)")
      return response
    }
  }

  @Sendable private func end(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      try research.store.delete(id, of: account, connection)
      return .noContent
    }
  }
}

extension RequestBody {
  /// A required day after `today`, and at most `days` days after it.
  mutating func day(_ name: String, after today: Day, atMost days: Int32) -> Day? {
    guard let text = text(name, 1...40, isRequired: true) else { return nil }
    guard let day = Day(text: text) else {
      refuse(name, Message("error.day"))
      return nil
    }
    guard day > today, day.daysSinceEpoch - today.daysSinceEpoch <= days else {
      let last = Day(daysSinceEpoch: today.daysSinceEpoch + days)
      refuse(name, Message("error.research.until", ["maximum": last.text]))
      return nil
    }
    return day
  }
}
