import Accounts
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/replies`: answers of an operator through the link in a letter, without an account.
struct ReplyRoutes: Sendable {
  let choices: Choices

  var endpoints: [Endpoint] {
    let answer = Endpoint.Answer.ok("The request.", schema: "request")
    return [
      Endpoint(
        "openReply", .post, "/api/replies/open", tag: Organisations.tag,
        summary: "The request that a reply link leads to.", access: .everyone,
        body: .json("replyToken", limit: Endpoint.Body.smallLimit), answers: [answer],
        .personal(open)
      ).withToken(),
      Endpoint(
        "sendReply", .post, "/api/replies", tag: Organisations.tag,
        summary: "Answers the request that a reply link leads to.", access: .everyone,
        body: .json("reply"),
        answers: [
          answer, .refusal(409, "This answer is not possible now; `state` and `event` say why."),
        ], .change(reply)
      ).withToken(),
    ]
  }

  @Sendable private func open(_ request: Request, _ caller: Caller) throws -> Response {
    var body = try RequestBody(request, ["token"])
    let token = body.secret("token")
    try body.check()
    try choices.openings.spend(request.clientAddress.limitKey)
    let text = try token.given()
    return try choices.database.readQuickly { connection in
      let choice = try choices.replies.choice(
        text, at: choices.now, in: choices.store, connection)
      return .json(try json(choice, connection), as: RequestJSON.whole)
    }
  }

  @Sendable private func reply(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    var body = try RequestBody(request, OperatorAnswer.members.union(["token"]))
    let token = body.secret("token")
    let answer = OperatorAnswer(&body)
    try body.check()
    try choices.openings.spend(request.clientAddress.limitKey)
    let (text, given) = (try token.given(), try answer.given())
    return { connection in
      let choice = try choices.replies.choice(
        text, at: choices.now, in: choices.store, connection)
      let after = try choices.take(given, to: choice, through: .link, connection)
      return .json(try json(after, connection), as: RequestJSON.whole)
    }
  }

  private func json(
    _ choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> RequestJSON {
    guard let request = try choices.requests.request(ofChoice: choice.rowid, connection) else {
      throw ReplyLinks.spent
    }
    let organisation = try choices.requests.destination(of: choice, connection)
    return RequestJSON(
      request: request, choice: choice, today: choices.today, rights: choices.rights,
      operatorName: organisation?.details.name ?? choice.device.operatorName)
  }
}
