import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `POST /api/choices/import`: copies a ledger from a browser into the account.
struct ChoiceImport: Sendable {
  let choices: Choices

  /// Maximum number of choices per request.
  private static let maximum = 200

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "importChoices", .post, "/api/choices/import", tag: ChoiceRoutes.tag,
        summary: "Import a ledger from a browser. Existing choices are not changed.",
        access: .contributor(.choices), body: .json("choiceImport", limit: 1 << 20),
        answers: [
          .ok("The imported, existing and refused choices.", schema: "importedChoices"),
          .refusal(409, "Too many choices."),
        ],
        .slow(take))
    ]
  }

  /// Members of a choice as stored in a browser or returned by an instance. Derived members are
  /// ignored.
  private static let members: Set<String> = [
    "id", "device", "kind", "right", "letter", "regime", "country", "language", "channel", "state",
    "overdue", "received_on", "due_on", "extended_until", "deadline", "operator", "details", "note",
    "created_at", "updated_at", "next", "events", "reminders", "reply_link", "farol",
  ]
  /// Members of a list response, so that a client can send such a page unchanged.
  private static let pageMembers: Set<String> = ["choices", "next", "due", "counts"]

  /// One choice of the request.
  private struct Sent: Sendable {
    let id: String
    let device: String
    let kind: String
    let country: String?
    /// The regime that the browser stored; it names the state that the person stated.
    let regime: String?
    let language: String
    let details: [String: String]
    let note: String?
    let reminders: Bool
    let replyLink: Bool
    let events: [ChoiceEvent]
    /// The time reported by the browser; nil if it is absent or in the future.
    let wantedAt: Timestamp?
  }

  /// Choices are independent, so they are written a few at a time and other writes run in between.
  /// After an outage the request can be repeated: choices that exist already are skipped.
  @Sendable private func take(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    let language = choices.catalogue.language(of: request)
    var body = try RequestBody(request, Self.pageMembers)
    guard let items = body.value("choices")?.arrayValue, items.count <= Self.maximum else {
      body.fault("choices", Message("error.type.list", ["limit": "\(Self.maximum)"]))
      try body.check()
      throw Refusal(.badRequest, "error.bad_request")
    }
    let sent = try items.enumerated().compactMap { try read($1, "choices[\($0)].", &body) }
    try body.check()
    var outcomes: [Outcome] = []
    try choices.database.writeInTurns(sent) { item, connection in
      outcomes.append(try take(item, of: account, in: language, connection))
    }
    return .json(outcomes, as: Self.outcomes)
  }

  /// The outcome for a choice: the list of the response that it belongs to, and its entry there.
  private typealias Outcome = (list: String, value: JSONValue)

  static var schema: JSONSchema.Named { outcomes.component }

  private static let outcomes = JSONShape<[Outcome]>(
    "importedChoices", list("imported", of: .uuid), list("present", of: .uuid),
    list("refused", of: ["id": .uuid, "detail": .text]))

  private static func list(
    _ name: String, of item: JSONSchema
  ) -> JSONShape<[Outcome]>.Member {
    .init(name, .list(of: item)) { $0.filter { $0.list == name }.map(\.value) }
  }

  /// Imports one choice and returns the list of the response that it belongs to.
  private func take(
    _ item: Sent, of account: Int64, in language: String, _ connection: Connection
  ) throws -> Outcome {
    let owner = try choices.store.owner(of: item.id, connection)
    if owner == account { return ("present", .string(item.id)) }
    do {
      let id = try connection.savepoint {
        try keep(item, under: owner == nil ? item.id : nil, of: account, connection)
      }
      return ("imported", .string(id))
    } catch let error as any TranslatedError where error.status.code < 500 {
      return (
        "refused",
        [
          "id": .string(item.id),
          "detail": .string(choices.catalogue.text(error.message, in: language)),
        ]
      )
    }
  }

  private func read(
    _ value: JSONValue, _ prefix: String, _ whole: inout RequestBody
  ) throws -> Sent? {
    guard let object = value.objectValue else {
      whole.fault(String(prefix.dropLast()), Message("error.type.object"))
      return nil
    }
    var body = try RequestBody(object, Self.members, prefix: prefix)
    let id = body.text("id", 36...36, isRequired: true).flatMap {
      DeviceID(text: $0)?.text ?? uuid($0)
    }
    if id == nil, body.value("id") != nil { body.refuse("id", Message("error.uuid")) }
    let kind = body.code("kind", choices.rights.ways.keys, isRequired: true)
    let country = body.country()
    let language = body.code("language", choices.letters.languages) ?? "en"
    let details = try body.details(choices.letters) ?? [:]
    let note = body.text("note", 1...2_000, lines: true)
    let reminders = body.flag("reminders") ?? true
    let replyLink = body.flag("reply_link") ?? true
    let wantedAt = body.text("created_at", 1...40).flatMap { Timestamp(text: $0) }
    let device = body.value("device")?["id"]?.stringValue
    if device == nil { body.fault("device.id", Message("error.missing_member")) }
    var events: [ChoiceEvent] = []
    for (place, event) in (body.value("events")?.arrayValue ?? []).prefix(100).enumerated() {
      guard let object = event.objectValue else {
        body.fault("events[\(place)]", Message("error.type.object"))
        continue
      }
      var inner = try RequestBody(
        object, ChoiceEvent.members.union(["by"]), prefix: "\(prefix)events[\(place)].")
      if let event = ChoiceEvent(&inner, channels: RequestChannel.allCases) { events.append(event) }
      body.take(inner)
    }
    whole.take(body)
    guard let id, let kind, let device else { return nil }
    return Sent(
      id: id, device: device, kind: kind, country: country,
      regime: body.value("regime")?.stringValue, language: language, details: details,
      note: note, reminders: reminders, replyLink: replyLink, events: events,
      wantedAt: wantedAt.flatMap { $0 <= choices.now ? $0 : nil })
  }

  /// The canonical form of a UUID of any version; nil if the text is not a UUID.
  private func uuid(_ text: String) -> String? {
    let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    let isHex = parts.joined().utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], isHex else { return nil }
    return parts.joined(separator: "-")
  }

  /// Records all events as events by the person, no matter which actor the browser reports.
  private func keep(
    _ item: Sent, under id: String?, of account: Int64, _ connection: Connection
  ) throws -> String {
    let found = try FoundDevice(item.device, for: .nobody, connection)
    guard let device = try ChosenDevice(found.id.text, connection) else { throw NotFound.device }
    let place = try choices.legalPlaces.place(
      of: device, country: item.country, region: item.regime?.uppercased())
    let terms = try choices.terms(item.kind, of: device, in: place, connection)
    let new = ChoiceStore.New(
      id: id, device: device, kind: item.kind, country: place.country, terms: terms,
      language: item.language, details: item.details, note: item.note, reminders: item.reminders,
      replyLink: item.replyLink, wantedAt: item.wantedAt)
    let made = try choices.store.add(new, to: account, connection)
    var choice = try choices.store.choice(made, of: account, connection)
    for event in item.events {
      try choices.take(event.entry(for: choice.ledger, now: choices.now), into: &choice, connection)
    }
    return made
  }
}
