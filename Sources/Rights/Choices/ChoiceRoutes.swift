import Accounts
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/choices`: the private ledger of a person.
struct ChoiceRoutes: Sendable {
  let choices: Choices

  static let tag = "Choices"
  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of a choice of the caller.")

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getChoices", .get, "/api/choices", tag: Self.tag,
        summary: "The caller's choices, newest first, and those that are due soon.",
        access: .contributor(.choicesRead),
        parameters: [
          .query(
            "state", .oneOf(Self.states),
            "Choices in this state. `overdue` means that the deadline passed without an answer."),
          .query("device", .text(maxLength: 36), "Choices about this device."),
        ] + PageCursor.parameters("Choices"),
        answers: [.ok("Choices.", schema: "choices")], .personal(list)),
      Endpoint(
        "addChoice", .post, "/api/choices", tag: Self.tag,
        summary: "Create a choice: a right, or an offer of a device.",
        access: .contributor(.choices),
        body: .json("newChoice", limit: 256 << 10),
        answers: [
          .created("The choice.", schema: "choice"),
          .refusal(409, "Too many choices, or there is no letter for this one."),
          .refusal(410, "The device was deleted; the response says when, by whom and why."),
        ], .change(add)),
      Endpoint(
        "getChoice", .get, "/api/choices/{id}", tag: Self.tag, summary: "One choice.",
        access: .contributor(.choicesRead), parameters: [Self.id],
        answers: [.ok("The choice.", schema: "choice")], .personal(get)),
      Endpoint(
        "changeChoice", .patch, "/api/choices/{id}", tag: Self.tag,
        summary:
          "Change the letter's values, its language, the note, the reminders or the reply link.",
        access: .contributor(.choices), parameters: [Self.id],
        body: .json("choiceChange", limit: 256 << 10),
        answers: [.ok("The choice.", schema: "choice")], .change(change)),
      Endpoint(
        "eraseChoice", .delete, "/api/choices/{id}", tag: Self.tag,
        summary: "Erase a choice with all its events.", access: .contributor(.choices),
        parameters: [Self.id], answers: [.done("The choice is erased.")], .change(erase)),
      Endpoint(
        "addChoiceEvent", .post, "/api/choices/{id}/events", tag: Self.tag,
        summary: "Add an event to a choice.", access: .contributor(.choices),
        parameters: [Self.id],
        body: .json("choiceEvent"),
        answers: [
          .ok("The choice.", schema: "choice"),
          .refusal(409, "The event is not possible in this state; see `state` and `event`."),
        ], .change(addEvent)),
    ]
  }

  private static let states = LedgerState.allCases.map(\.rawValue) + ["overdue"]

  // Read

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    let state = request.query["state"]
    if let state, !Self.states.contains(state) { throw InvalidInput.unknownCode("state", state) }
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?[0]
    return try choices.database.readQuickly { connection in
      let found = try choices.store.choices(
        of: account, in: state, about: request.query["device"], before: last, limit: limit + 1,
        connection)
      let (page, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
      let shown = try page.map {
        let choice = try choices.store.withEvents($0, connection)
        return ChoiceJSON.shape.json(try choices.json(choice, connection))
      }
      return .json(
        ListPage(
          shown, next: next, counts: try choices.store.counts(of: account, connection),
          due: try choices.store.dueSoon(account, connection)), as: ChoiceSchemas.page)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try choices.database.readQuickly { connection in
      let choice = try choices.store.choice(request.parameter("id"), of: account, connection)
      return .json(try choices.json(choice, connection), as: ChoiceJSON.shape)
    }
  }

  // Write

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn()
    var body = try RequestBody(
      request,
      ["device", "kind", "country", "region", "language", "details", "note", "reminders"])
    let device = body.text("device", 1...60, isRequired: true)
    let kind = body.code("kind", choices.rights.ways.keys, isRequired: true)
    let country = body.country()
    let region = body.text("region", 1...6)
    let language = body.code("language", choices.letters.languages)
    let details = try body.details(choices.letters) ?? [:]
    let note = body.text("note", 1...2_000, lines: true)
    let reminders = body.flag("reminders") ?? true
    let sent = body
    return { connection in
      try sent.check()
      let (id, wanted) = (try device.given(), try kind.given())
      try choices.additions.spend(account.account)
      let made = try choices.add(
        wanted, about: id, to: account.account, country: country, region: region,
        language: language, details: details, note: note, reminders: reminders, connection)
      return try answer(made, account.account, connection, status: .created)
        .with("Location", choices.addresses.url("/api/choices/\(made)"))
    }
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    var body = try RequestBody(
      request, ["details", "language", "reminders", "note", "reply_link"])
    let details = try body.details(choices.letters)
    let language = body.code("language", choices.letters.languages)
    let reminders = body.flag("reminders")
    let replyLink = body.flag("reply_link")
    let note = body.text("note", 1...2_000, lines: true)
    let sent = body
    return { connection in
      let choice = try choices.store.choice(id, of: account, connection)
      try sent.check()
      try choices.check(language, under: choice.regime)
      try choices.store.change(
        choice, details: details, language: language, reminders: reminders,
        note: sent.has("note") ? note : choice.note, replyLink: replyLink, connection)
      return try answer(id, account, connection)
    }
  }

  @Sendable private func erase(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      let choice = try choices.store.choice(id, of: account, connection)
      try choices.store.erase(choice, connection)
      return Response(.noContent)
    }
  }

  @Sendable private func addEvent(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    var body = try RequestBody(request, ChoiceEvent.members)
    let event = ChoiceEvent(&body)
    let sent = body
    if event?.event == .sent { try choices.writer.contacts.load() }
    return { connection in
      var choice = try choices.store.choice(id, of: account, connection)
      try sent.check()
      let entry = try event.given().entry(for: choice.ledger, now: choices.now)
      let letter = entry.event == .sent ? try choices.request(of: choice, connection) : nil
      try choices.take(entry, into: &choice, connection)
      if entry.event == .contested { try choices.mailObjection(entry, to: choice, connection) }
      // Keep the letter as sent, even if the template changes later.
      if let letter {
        try choices.requests.keep(letter, of: choice.rowid, for: nil, connection)
      }
      return try answer(id, account, connection)
    }
  }

  private func answer(
    _ id: String, _ account: Int64, _ connection: borrowing Connection, status: Status = .ok
  ) throws -> Response {
    let choice = try choices.store.choice(id, of: account, connection)
    return .json(try choices.json(choice, connection), as: ChoiceJSON.shape, status: status)
  }
}
