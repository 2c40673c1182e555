import JSON
import PrivacyMap
package import Service
package import SpatialDatabase

/// State shared by everything about data requests (docs/how-to/data-requests.md).
package struct RecordRequests: Feature {
  let database: Database
  let environment: Environment
  let addresses: Addresses
  let mails: RecordRequestMails
  let store: RecordRequestStore

  /// Requests per account and day, including requests without a recipient.
  private let asking: Throttle<Int64>
  /// Pages of records read per account and hour.
  private let reading: Throttle<Int64>

  /// Maximum number of pending requests per account.
  static let maxWaiting: Int64 = 20
  /// Seconds without an answer after which a request expires.
  static let expiryPeriod: Int64 = Seconds.days(30)
  /// Seconds after a refusal, expiry or revocation before the same person may ask again.
  static let rest: Int64 = Seconds.days(90)

  package init(_ instance: Instance) {
    (database, environment) = (instance.database, instance.environment)
    addresses = instance.addresses
    mails = RecordRequestMails(queue: instance.mails)
    store = RecordRequestStore(environment: environment)
    asking = instance.rates.limit("records.asking", 10, per: .days(1))
    reading = instance.rates.limit("records.reading", 120, per: .seconds(3_600))
  }

  var now: Timestamp { environment.now() }

  package var endpoints: [Endpoint] {
    RecordRequestRoutes(requests: self).endpoints + PersonRecordRoutes(requests: self).endpoints
  }

  package var schemas: [Schema] {
    let fields = RecordRequestJSON.fields
    let longText = JSONSchema.text(maximum: 2_000)
    return JSONSchema.named([
      "newDataRequest": [
        "username": .text.optional, "operator": .text.optional, "reason": longText,
        "fields": fields, "days": .integer(1...365),
        "subscribe": .flag.optional.with("default", false),
      ],
      "dataRequestAnswer": [
        "accept": .flag, "fields": fields.optional, "from": .day.optional, "to": .day.optional,
        "until": .day.optional, "subscribe": .flag.optional, "note": longText.optional,
      ],
      "dataRequestNote": ["note": longText.optional],
    ]) + [
      RecordRequestJSON.shape.component, RecordRequestJSON.page.component,
      PersonRecords.Page.shape.component,
    ]
  }
  package var jobs: [Job] {
    [
      Job(
        RecordRequestSweep.job, every: RecordRequestSweep.every,
        run: RecordRequestSweep(requests: self).run)
    ]
  }

  /// Notifies the other sides that requests and grants end.
  package static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws {
    let mails = RecordRequestMails(queue: MailQueue(now: { account.now }))
    let store = RecordRequestStore(environment: Environment(now: { account.now }))
    for request in try store.openRequests(of: account.rowid, connection) {
      let reader = request.asker?.rowid == account.rowid ? request.asked : request.asker
      // Omit the name of the deleted account, because the mail may stay in the queue.
      try mails.tell(.ended, reader, about: nil, connection)
    }
  }

  static let notThere = NotFound(Message("error.not_found.data_request"))

  /// - Throws: a 429.
  func countAsking(_ account: Int64) throws { try asking.spend(account) }
  /// - Throws: a 429.
  func countReading(_ account: Int64) throws { try reading.spend(account) }

}

/// One row of `data_request`, with both sides.
package struct RecordRequest: Sendable {
  enum State: String, CaseIterable, Sendable {
    case waiting, accepted, refused, lapsed, revoked, ended, withdrawn
  }

  /// The kinds of records that can be requested.
  enum Field: String, CaseIterable, Sendable {
    case devices, edits, claims, photos
  }

  /// One side of a request. Its account may have been deleted.
  struct Side: Sendable {
    let rowid: Int64
    let username: String
    let email: String
    let locale: String
    /// The requesting organisation, or the one addressed by name; nil for a person.
    let organisation: String?
    /// Whether the other side knows the account: false if the request was addressed to an organisation.
    let isKnown: Bool

    /// The name shown to the other side.
    var name: String {
      guard let organisation else { return username }
      return isKnown ? "\(organisation) (\(username))" : organisation
    }
  }

  /// The permission given by the recipient.
  struct Grant: Sendable {
    let fields: [Field]
    /// First and last day of the records, both inclusive.
    let from: Day?
    let to: Day?
    /// The last day on which the records can be read.
    let until: Day
    /// Whether later records are included.
    let isSubscribed: Bool
  }

  let rowid: Int64
  let id: String
  let reason: String
  let fields: [Field]
  let days: Int64
  let wantsSubscription: Bool
  let askedAt: Timestamp
  let lapsesAt: Timestamp
  private let stored: State
  let answeredAt: Timestamp?
  let note: String?
  let grant: Grant?
  let endedAt: String?
  let asker: Side?
  let asked: Side?

  static let columns = """
    data_request.rowid, data_request.id, data_request.reason, data_request.fields,
    data_request.days, data_request.subscribe, data_request.asked_at, data_request.lapses_at,
    data_request.state, data_request.answered_at, data_request.note, data_request.granted,
    data_request.granted_from, data_request.granted_to, data_request.granted_until,
    data_request.subscribed, data_request.ended_at, asker.rowid, asker.username, asker.email,
    asker.locale, (SELECT organisation.name FROM organisation
      WHERE organisation.account_rowid = asker.rowid AND organisation.state = 'approved'),
    asked.rowid, asked.username, asked.email, asked.locale, data_request.asked_as
    """

  package static let joins = """
    LEFT JOIN account AS asker ON asker.rowid = data_request.asker_rowid
    LEFT JOIN account AS asked ON asked.rowid = data_request.asked_rowid
    """

  init(_ row: borrowing Row) {
    func side(_ first: Int, isKnown: Bool = true) -> Side? {
      row.isNull(first)
        ? nil
        : Side(
          rowid: row.int(first), username: row.text(first + 1), email: row.text(first + 2),
          locale: row.text(first + 3), organisation: row.optionalText(first + 4),
          isKnown: isKnown)
    }
    let never = Timestamp(secondsSinceEpoch: 0)
    rowid = row.int(0)
    id = row.text(1)
    reason = row.text(2)
    fields = Self.fields(row.text(3))
    days = row.int(4)
    wantsSubscription = row.bool(5)
    askedAt = Timestamp(text: row.text(6)) ?? never
    lapsesAt = Timestamp(text: row.text(7)) ?? never
    stored = State(rawValue: row.text(8)) ?? .ended
    answeredAt = row.optionalText(9).flatMap { Timestamp(text: $0) }
    note = row.optionalText(10)
    if let until = row.optionalText(14).flatMap({ Day(text: $0) }) {
      grant = Grant(
        fields: Self.fields(row.optionalText(11) ?? "[]"),
        from: row.optionalText(12).flatMap { Day(text: $0) },
        to: row.optionalText(13).flatMap { Day(text: $0) }, until: until,
        isSubscribed: row.optionalInt(15) == 1)
    } else {
      grant = nil
    }
    endedAt = row.optionalText(16)
    asker = side(17)
    asked = side(22, isKnown: row.isNull(26))
  }

  private static func fields(_ json: String) -> [Field] {
    ChosenDevice.codes(json).compactMap(Field.init(rawValue:))
  }

  static func json(_ fields: [Field]) -> JSONValue {
    .array(fields.map { .string($0.rawValue) })
  }

  /// The state at a moment, even if the job has not stored an expiry yet.
  func state(at now: Timestamp) -> State {
    switch stored {
    case .waiting where lapsesAt <= now: .lapsed
    case .accepted where grant.map({ $0.until < now.day }) ?? true: .ended
    default: stored
    }
  }

  /// The same as an SQL expression, with the moment as `?2`.
  static let stateNow = """
    CASE WHEN state = 'waiting' AND lapses_at <= ?2 THEN 'lapsed'
      WHEN state = 'accepted' AND granted_until < substr(?2, 1, 10) THEN 'ended' ELSE state END
    """

}

/// The JSON of a request for both sides, with the log of read accesses.
struct RecordRequestJSON {
  let request: RecordRequest
  let looks: [RecordRequestStore.Look]
  let now: Timestamp

  static let shape = JSONShape<RecordRequestJSON>(
    "dataRequest", .uuid("id", \.request.id), .object("from", side, \.request.asker),
    .object("to", side, \.request.asked), .text("reason", \.request.reason),
    .init("fields", fields) { RecordRequest.json($0.request.fields) },
    .count("days", \.request.days), .flag("subscribe", \.request.wantsSubscription),
    .time("asked_at", \.request.askedAt), .day("lapses_on", \.request.lapsesAt.day),
    .oneOf("state") { $0.request.state(at: $0.now) }, .object("granted", grant, \.request.grant),
    .time("answered_at", \.request.answeredAt), .time("ended_at", \.request.endedAt),
    .text("note", \.request.note), .list("seen", of: look, \.looks))

  static let page = JSONShape<ListPage>(
    "dataRequests", of: shape.schema, in: "requests", hasCounts: true)

  static let fields = JSONSchema.list(of: .oneOf(RecordRequest.Field.self))

  private static let side = JSONShape<RecordRequest.Side>(
    nil, .text("username") { $0.isKnown ? $0.username : nil },
    .text("organisation", \.organisation))

  private static let grant = JSONShape<RecordRequest.Grant>(
    nil, .init("fields", fields) { RecordRequest.json($0.fields) }, .day("from", \.from),
    .day("to", \.to), .day("until", \.until), .flag("subscribed", \.isSubscribed))

  private static let look = JSONShape<RecordRequestStore.Look>(
    nil, .time("at") { $0.at }, .init("fields", fields) { $0.fields }, .count("count") { $0.count })
}
