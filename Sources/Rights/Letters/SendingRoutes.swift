import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `POST /api/choices/{id}/send`: sends a letter through Farol to the operator of the device.
struct SendingRoutes: Sendable {
  let choices: Choices

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "sendChoice", .post, "/api/choices/{id}/send", tag: ChoiceRoutes.tag,
        summary: "Sends the letter through Farol to the registered operator of the device.",
        access: .contributor(.choices), parameters: [ChoiceRoutes.id],
        body: .json("nothing", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The choice.", schema: "choice"),
          .refusal(409, "No operator is registered for the device, or it was sent already."),
        ], .change(send))
    ]
  }

  private static let noOperator = Refusal(
    .conflict, "error.choice.no_operator", type: "no-operator")

  @Sendable private func send(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    try RequestBody(request, []).check()
    try choices.writer.contacts.load()
    return { connection in
      var choice = try choices.store.choice(request.parameter("id"), of: account, connection)
      guard choice.ledger.state == .wanted else {
        throw LedgerRefusal.transition.refusal(choice.ledger.state, .sent)
      }
      let found = try DeviceOwnershipStore.standing(of: choice.device.id, connection)
      guard let organisation = found else { throw Self.noOperator }
      guard let letter = try choices.request(of: choice, connection) else {
        throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
      }
      if !letter.missing.isEmpty {
        throw InvalidInput(
          letter.missing.map { ("details.\($0)", Message("error.missing_member")) },
          status: .unprocessableContent)
      }
      try choices.sendings.spend(account)
      try choices.take(
        LedgerEntry(.sent, at: choices.now, by: .farol, channel: .farol), into: &choice, connection)
      try choices.requests.keep(letter, of: choice.rowid, for: organisation.rowid, connection)
      try choices.mail(.operatorRequest, to: organisation, about: choice, connection) { language in
        [
          "letter": letter.body,
          "day": choice.ledger.lastDay.map { choices.catalogue.written($0, in: language) } ?? "–",
        ]
      }
      return .json(
        try choices.json(choices.store.choice(choice.id, of: account, connection), connection),
        as: ChoiceJSON.shape)
    }
  }
}
