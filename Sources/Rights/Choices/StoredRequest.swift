import JSON
import PrivacyMap
import SpatialDatabase

/// A row of `request`: a letter as sent.
struct StoredRequest: Sendable {
  let rowid: Int64
  let id: String
  let choice: Int64
  /// The organisation that Farol delivered it to.
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

/// The JSON of a request for its recipient: the letter and later events, but no other data about the
/// person (docs/reference/operators.md).
struct RequestJSON {
  let request: StoredRequest
  let choice: StoredChoice
  let today: Day

  /// As an item of a list.
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

  /// With the letter and the possible answers.
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

  /// An event. Only texts by the operator are included; the person's notes are private.
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
  /// The codes of reasons that an operator may give for an event. `right` is nil for a choice that the
  /// device offers.
  func reasons(of event: LedgerEvent, for right: String?) -> [String] {
    switch event {
    case .extended: reasonCodes(of: "extension", right)
    case .refused: reasonCodes(of: "refusal", right)
    default: []
    }
  }
}
