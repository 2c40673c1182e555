import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// A row of `request`: a letter as sent.
struct StoredRequest: Sendable {
  let rowid: Int64
  let id: String
  let choice: Int64
  let subject: String
  let body: String

  static let columns = """
    request.rowid, request.id, request.choice_rowid, request.subject, request.body
    """

  init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    choice = row.int(2)
    subject = row.text(3)
    body = row.text(4)
  }
}

/// The JSON of a request for its recipient: the letter and later events, but no other data about the
/// person (docs/reference/operators.md).
struct RequestJSON {
  let request: StoredRequest
  let choice: StoredChoice
  let today: Day

  let rights: RightsBook
  /// The name of the operator, in the whole response.
  var operatorName: String?

  /// As an item of a list.
  static let short = JSONShape<RequestJSON>(
    nil, .uuid("id", \.request.id),
    .group(
      "device", .uuid("id", \.choice.device.id), .text("name", \.choice.device.name),
      .text("category", \.choice.device.category)),
    .text("kind", \.choice.kind), .text("right", \.choice.right),
    .oneOf("state", \.ledger.state), .flag("overdue") { $0.ledger.isOverdue(on: $0.today) },
    .day("received_on", \.ledger.receivedOn), .day("due_on", \.ledger.dueOn),
    .day("extended_until", \.ledger.extendedUntil), .text("subject", \.request.subject))

  static let page = JSONShape<ListPage>(
    "requests", of: short.schema, in: "requests", hasCounts: true, hasDue: true)

  /// With the letter and the possible answers.
  static let whole = short.extended(
    as: "request", .text("body", \.request.body), .text("language", \.choice.language),
    .list("events", of: event, \.ledger.entries), .texts("reasons") { $0.reasons.flatMap(\.codes) },
    .object("reasons_of") { JSONObject($0.reasons.map { ($0.event, $0.codes.json) }) },
    .texts("next") { $0.next.map(\.rawValue) }, .text("operator_name", \.operatorName))

  /// An event. The person's notes are private: of the person's texts only the reason why a request is not done is
  /// included, because it is written for the operator.
  private static let event = JSONShape<LedgerEntry>(
    nil, .oneOf("event", \.event), .time("at", \.at), .oneOf("by", \.by),
    .text("reason") { $0.by == .operator || $0.event == .contested ? $0.reason : nil },
    .text("note") { $0.by == .operator ? $0.note : nil },
    .text("channel") { $0.by == .operator ? $0.channel?.rawValue : nil })

  private var ledger: Ledger { choice.ledger }
  private var next: [LedgerEvent] { ledger.next(on: today, for: .operator) }
  private var reasons: [(event: String, codes: [String])] {
    next.map { ($0.rawValue, rights.reasons(of: $0, for: choice.right)) }
      .filter { !$0.codes.isEmpty }
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
