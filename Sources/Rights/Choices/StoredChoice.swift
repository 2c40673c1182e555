import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// One row of `choice` with its events.
struct StoredChoice: Sendable {
  let rowid: Int64
  let id: String
  let account: Int64
  /// The device as it was at the time of the request.
  let device: ChosenDevice
  let kind: String
  let right: String?
  let letter: String?
  let regime: String?
  let country: String?
  let language: String
  let basis: String
  /// The person's values for letters, by placeholder.
  let details: [String: String]
  let note: String?
  let reminders: Bool
  /// Whether letters contain a link with which the operator can answer.
  let replyLink: Bool
  /// The identifier in that link: 16 random bytes.
  let replyKey: [UInt8]
  let createdAt: String
  let updatedAt: String
  var ledger: Ledger

  static let columns = """
    choice.rowid, choice.id, choice.account_rowid, choice.device_id, choice.device, choice.kind,
    choice."right", choice.letter, choice.regime, choice.country, choice.language,
    choice.deadline_basis, choice.details, choice.note, choice.reminders, choice.created_at,
    choice.updated_at, choice.first_period, choice.more_period, choice.reply_link,
    choice.reply_key
    """

  /// The values of the row, without the events.
  init(_ row: borrowing Row, _ book: RightsBook) {
    rowid = row.int(0)
    id = row.text(1)
    account = row.int(2)
    device = .kept(id: row.text(3), row.text(4))
    kind = row.text(5)
    right = row.optionalText(6)
    letter = row.optionalText(7)
    regime = row.optionalText(8)
    country = row.optionalText(9)
    language = row.text(10)
    basis = row.text(11)
    details = Self.texts(row.text(12))
    note = row.optionalText(13)
    reminders = row.bool(14)
    createdAt = row.text(15)
    updatedAt = row.text(16)
    replyLink = row.bool(19)
    replyKey = row.optionalBlob(20) ?? []
    ledger = Ledger(
      terms: Ledger.Terms(
        first: Period(text: row.text(17)) ?? .months(1),
        longer: row.optionalText(18).flatMap { Period(text: $0) },
        rule: book.rule(in: row.optionalText(9))))
  }

  private static func texts(_ json: String) -> [String: String] {
    var found: [String: String] = [:]
    let object = (try? JSONValue(parsing: Array(json.utf8)))?.objectValue
    for member in object?.members ?? [] { found[member.key] = member.value.stringValue }
    return found
  }
}

extension ChosenDevice {
  /// A device of which only these values are known.
  init(id: String, name: String, category: String) {
    self.init(
      id: id, name: name, category: category, longitude: 0, latitude: 0, country: nil,
      legalBasis: nil, purposes: [], dataCollected: [], retention: nil, operatorName: nil,
      operatorContact: nil, protectionContact: nil, privacyPolicy: nil, photo: nil, status: nil)
  }
}

extension LedgerEntry {
  static let columns = "event, at, said_by, note, reason, channel, received_on"

  /// A row of `choice_event`; nil if the row is invalid.
  init?(_ row: borrowing Row) {
    guard let event = LedgerEvent(rawValue: row.text(0)), let at = Timestamp(text: row.text(1)),
      let by = LedgerActor(rawValue: row.text(2))
    else { return nil }
    self.init(
      event, at: at, by: by, note: row.optionalText(3), reason: row.optionalText(4),
      channel: row.optionalText(5).flatMap(RequestChannel.init(rawValue:)),
      receivedOn: row.optionalText(6).flatMap { Day(text: $0) })
  }

  static let shape = JSONShape<LedgerEntry>(
    nil, .oneOf("event", \.event), .time("at", \.at), .oneOf("by", \.by), .text("note", \.note),
    .text("reason", \.reason), .text("channel", \.channel?.rawValue),
    .day("received_on", \.receivedOn))
}
