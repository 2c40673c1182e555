import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// Documents of a choice: letters, record and receipt; and the calendar of all choices.
struct ChoiceFileRoutes: Sendable {
  let choices: Choices

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getChoiceLetter", .get, "/api/choices/{id}/letter", tag: ChoiceRoutes.tag,
        summary: "A finished letter: the request, a reminder or a complaint.",
        access: .contributor(.choicesRead),
        parameters: [
          ChoiceRoutes.id, .language(choices.letters.languages), Self.which,
        ],
        answers: [
          .ok("The letter.", schema: "letter"),
          .refusal(409, "The letter does not exist or is not available yet; see `type`."),
        ], .personal(letter)),
      Endpoint(
        "getChoiceRecord", .get, "/api/choices/{id}/record", tag: ChoiceRoutes.tag,
        summary: "The choice as a consent record or as a record of an exercised right.",
        access: .contributor(.choicesRead), parameters: [ChoiceRoutes.id],
        answers: [.ok("The record.", "application/ld+json", schema: "choiceRecord")],
        .personal(record)),
      Endpoint(
        "getChoiceReceipt", .get, "/api/choices/{id}/receipt", tag: ChoiceRoutes.tag,
        summary: "A receipt of the choice, with its record.", access: .contributor(.choicesRead),
        parameters: [ChoiceRoutes.id],
        answers: [.ok("The receipt.", "application/ld+json", schema: "choiceRecord")],
        .personal(receipt)),
      Endpoint(
        "getChoiceCalendar", .get, "/api/choices/calendar.ics", tag: ChoiceRoutes.tag,
        summary: "The deadlines of the caller's choices as a calendar.",
        access: .contributor(.choicesRead),
        answers: [.ok("The calendar.", "text/calendar")], .personal(calendar)),
    ]
  }

  static let which = Parameter.query(
    "which", .oneOf(LetterWriter.Which.allCases.map(\.rawValue), byDefault: "request"),
    "The letter: the request, a reminder if there is no answer, or a complaint to the authority.")

  /// Reads the parameter `which`.
  static func which(_ query: Query) throws -> LetterWriter.Which {
    guard let text = query["which"] else { return .request }
    guard let which = LetterWriter.Which(rawValue: text) else {
      throw InvalidInput.unknownCode("which", text)
    }
    return which
  }

  /// Reads the parameter `lang`; nil if absent.
  static func language(_ query: Query, _ letters: LetterBook) throws -> String? {
    guard let text = query["lang"] else { return nil }
    guard letters.languages.contains(text) else { throw InvalidInput.unknownCode("lang", text) }
    return text
  }

  @Sendable private func letter(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    let which = try Self.which(request.query)
    let asked = try Self.language(request.query, choices.letters)
    return try choices.database.readQuickly { connection in
      let choice = try choices.store.choice(request.parameter("id"), of: account, connection)
      let language = asked ?? choice.language
      guard var written = try choices.letter(which, of: choice, in: language, connection) else {
        throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
      }
      if which != .complain,
        let reply = try choices.replyParagraph(choice, in: language, connection)
      {
        written.filled.body += "\n\(reply)\n"
      }
      return .json(LetterJSON(letter: written, book: choices.letters), as: LetterJSON.shape)
    }
  }

  @Sendable private func record(_ request: Request, _ caller: Caller) throws -> Response {
    try file(request, caller, "record") { $0.record }
  }

  @Sendable private func receipt(_ request: Request, _ caller: Caller) throws -> Response {
    try file(request, caller, "receipt") { $0.receipt(at: choices.now) }
  }

  private func file(
    _ request: Request, _ caller: Caller, _ name: String, _ make: (ChoiceRecord) -> JSONValue
  ) throws -> Response {
    let account = try caller.signedIn().account
    return try choices.database.readQuickly { connection in
      let choice = try choices.store.choice(request.parameter("id"), of: account, connection)
      return Response.json(make(try ChoiceRecord(choice, choices, connection)))
        .with("Content-Type", "application/ld+json")
        .with("Content-Disposition", "attachment; filename=\"farol-\(name).jsonld\"")
    }
  }

  @Sendable private func calendar(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let language = choices.catalogue.language(of: request)
    let entries = try choices.database.read { connection in
      let found = try choices.store.runningChoices(of: principal.account, connection)
      return try found.compactMap { row -> ChoiceCalendar.Entry? in
        let choice = try choices.store.withEvents(row, connection)
        guard let day = choice.ledger.lastDay else { return nil }
        let name = try choices.names.shown(choice.device.named, in: language, connection)
        let values = ["device": name, "instance": choices.instance]
        return ChoiceCalendar.Entry(
          id: choice.id, day: day,
          title: choices.catalogue.text(Message("mail.calendar.title", values), in: language),
          text: choices.catalogue.text(Message("mail.calendar.about", values), in: language),
          url: choices.addresses.url("/choices/\(choice.id)"), changedAt: choice.updatedAt)
      }
    }
    let name = choices.catalogue.text(
      Message("mail.calendar.name", ["instance": choices.instance]), in: language)
    return Response.bytes(
      Array(ChoiceCalendar(name: name, entries: entries).text.utf8),
      contentType: "text/calendar; charset=utf-8"
    )
    .with("Content-Disposition", "attachment; filename=\"farol.ics\"")
  }
}
