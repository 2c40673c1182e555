import JSON
import PrivacyMap
import Service
import WebServer

/// An event of a choice, as reported in a request.
struct ChoiceEvent: Sendable {
  let event: LedgerEvent
  /// The time of the event, exact or as a day; nil for now.
  private let at: (moment: Timestamp?, day: Day?)?
  private let note: String?
  private let reason: String?
  private let channel: RequestChannel?
  private let receivedOn: Day?

  static let members: Set<String> = ["event", "at", "note", "reason", "channel", "received_on"]

  /// `channels` are the accepted values. Only the values of ``RequestChannel/ofRequests`` are stored; the instance
  /// itself sets the others.
  ///
  /// - Returns: nil if a member is invalid. The error is recorded in `body`.
  init?(_ body: inout RequestBody, channels: [RequestChannel] = RequestChannel.ofRequests) {
    let event: LedgerEvent? = body.oneOf("event", isRequired: true)
    let when = body.text("at", 1...40)
    note = body.text("note", 1...2_000, lines: true)
    reason = body.text("reason", 1...500)
    channel = body.code("channel", channels.map(\.rawValue))
      .flatMap(RequestChannel.init(rawValue:))
      .flatMap { RequestChannel.ofRequests.contains($0) ? $0 : nil }
    let received = body.text("received_on", 1...10)
    receivedOn = received.flatMap { Day(text: $0) }
    if received != nil, receivedOn == nil { body.refuse("received_on", Message("error.day")) }
    at = when.map { (Timestamp(text: $0), Day(text: $0)) }
    if let at, at.moment == nil, at.day == nil { body.refuse("at", Message("error.moment")) }
    guard let event else { return nil }
    self.event = event
  }

  /// The ledger entry for this event.
  func entry(
    for ledger: Ledger, now: Timestamp, by actor: LedgerActor = .person
  ) -> LedgerEntry {
    let moment = at.flatMap { $0.moment ?? $0.day.map { ledger.moment(of: $0) } }
    return LedgerEntry(
      event, at: moment ?? now, by: actor, note: note, reason: reason, channel: channel,
      receivedOn: receivedOn)
  }
}

extension LedgerRefusal {
  /// The catalogue key of the message.
  private var key: String {
    switch self {
    case .transition: "error.ledger.transition"
    case .notOverdue: "error.ledger.not_overdue"
    case .actor: "error.ledger.actor"
    case .reason: "error.ledger.reason"
    case .late: "error.ledger.late"
    case .notExtendable: "error.ledger.not_extendable"
    case .beforeLast: "error.ledger.before_last"
    case .future: "error.ledger.future"
    case .received: "error.ledger.received"
    }
  }

  /// The refusal of `event` in `state`.
  func refusal(_ state: LedgerState, _ event: LedgerEvent) -> Refusal {
    let members: [(key: String, value: JSONValue)] = [
      ("state", .string(state.rawValue)), ("event", .string(event.rawValue)),
      ("rule", .string(rawValue)),
    ]
    let arguments = ["state": state.rawValue, "event": event.rawValue]
    return switch self {
    case .transition, .notOverdue, .actor, .late, .notExtendable:
      Refusal(.conflict, key, arguments, type: "transition", members: members)
    case .reason: Refusal(.unprocessableContent, key, field: "reason")
    case .beforeLast, .future: Refusal(.unprocessableContent, key, field: "at")
    case .received: Refusal(.unprocessableContent, key, field: "received_on")
    }
  }
}

extension RequestBody {
  /// Reads `country`, an ISO 3166-1 alpha-2 code.
  mutating func country() -> String? {
    guard let text = text("country", 1...2) else { return nil }
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      refuse("country", Message("error.country"))
      return nil
    }
    return text
  }

  /// Reads `details`, the person's values for letters; nil if absent. Empty texts are ignored.
  mutating func details(_ letters: LetterBook) throws -> [String: String]? {
    let names = Set(letters.ofPerson).union(LetterWriter.correctable)
    guard var inner = try object("details", names) else { return nil }
    var found: [String: String] = [:]
    for name in names.sorted() {
      if let text = inner.text(name, 1...2_000, lines: true) { found[name] = text }
    }
    take(inner)
    return found
  }
}
