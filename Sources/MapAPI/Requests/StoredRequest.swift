import JSON
import PrivacyMap
import SpatialDatabase

/// A row of `request`: a letter as it was sent.
struct StoredRequest: Sendable {
  let rowid: Int64
  let id: String
  let choice: Int64
  /// Whom Farol brought it to.
  let organisation: Int64?
  let subject: String
  let body: String

  static let columns = """
    request.rowid, request.id, request.choice_rowid, request.organisation_rowid, request.subject,
    request.body
    """

  init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    choice = row.int(2)
    organisation = row.optionalInt(3)
    subject = row.text(4)
    body = row.text(5)
  }
}

/// A request as whoever was asked gets it: the letter and what came after, and nothing else of the
/// person (docs/operators.md).
struct RequestJSON {
  let request: StoredRequest
  let choice: StoredChoice
  let today: Day

  /// As a list has it.
  var short: JSONValue { .object(JSONObject(members)) }

  private var members: [(key: String, value: JSONValue)] {
    let ledger = choice.ledger
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      ("id", .string(request.id)),
      (
        "device",
        [
          "id": .string(choice.device.id), "name": .string(choice.device.name),
          "category": .string(choice.device.category),
        ]
      ), ("kind", .string(choice.kind)), ("right", text(choice.right)),
      ("state", .string(ledger.state.rawValue)), ("overdue", .bool(ledger.isOverdue(on: today))),
      ("received_on", text(ledger.receivedOn?.text)), ("due_on", text(ledger.dueOn?.text)),
      ("extended_until", text(ledger.extendedUntil?.text)), ("subject", .string(request.subject)),
    ]
  }

  /// With the letter and what can be answered.
  func whole(_ rights: RightsBook) -> JSONValue {
    let next = choice.ledger.next(on: today, for: .operator)
    let reasons = next.map { event in
      (key: event.rawValue, value: rights.reasons(of: event, for: choice.right))
    }.filter { !$0.value.isEmpty }
    func codes(_ codes: [String]) -> JSONValue { .array(codes.map { .string($0) }) }
    return .object(
      JSONObject(
        members + [
          ("body", .string(request.body)), ("language", .string(choice.language)),
          ("events", .array(choice.ledger.entries.map(Self.event))),
          ("reasons", codes(reasons.flatMap(\.value))),
          ("reasons_of", .object(JSONObject(reasons.map { ($0.key, codes($0.value)) }))),
          ("next", codes(next.map(\.rawValue))),
        ]))
  }

  /// What came of it. Words are those of operators alone: what the person noted is theirs.
  private static func event(_ entry: LedgerEntry) -> JSONValue {
    let isTheirs = entry.by == .operator
    func text(_ value: String?) -> JSONValue {
      isTheirs ? value.map { .string($0) } ?? .null : .null
    }
    return [
      "event": .string(entry.event.rawValue), "at": .string(entry.at.text),
      "by": .string(entry.by.rawValue), "reason": text(entry.reason), "note": text(entry.note),
      "channel": text(entry.channel?.rawValue),
    ]
  }
}

extension RightsBook {
  /// The codes of reasons that an operator may give for an event about a right; nil for what a device
  /// offers.
  func reasons(of event: LedgerEvent, for right: String?) -> [String] {
    switch event {
    case .extended: reasonCodes(of: "extension", right)
    case .refused: reasonCodes(of: "refusal", right)
    default: []
    }
  }
}
