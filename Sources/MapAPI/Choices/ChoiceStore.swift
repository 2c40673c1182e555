import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// The tables `choice` and `choice_event`. Reads are restricted to one account, so that no person can
/// read the ledger of another.
struct ChoiceStore: Sendable {
  let rights: RightsBook
  let surroundings: Surroundings

  /// Maximum number of choices per account.
  static let most: Int64 = 2_000

  static let notThere = NotFound(Message("error.not_found.choice"))

  /// The values of a new choice.
  struct New: Sendable {
    /// The id assigned by a browser; nil to generate one.
    var id: String?
    let device: ChosenDevice
    let kind: String
    let country: String?
    let terms: ChoiceTerms
    let language: String
    let details: [String: String]
    let note: String?
    let reminders: Bool
    /// Whether letters contain a link with which the operator can answer.
    var replyLink = true
    /// The time of the choice if a browser recorded it earlier; nil for now.
    var wantedAt: Timestamp?
  }

  /// - Throws: ``notThere`` if the account has no such choice.
  func choice(
    _ id: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    let found = try connection.first(
      "SELECT \(StoredChoice.columns) FROM choice WHERE id = ? AND account_rowid = ?",
      [.text(id), .integer(account)]
    ) { StoredChoice($0, rights) }
    guard let found else { throw Self.notThere }
    return try withEvents(found, connection)
  }

  /// A choice of any account, for the organisation that received it.
  ///
  /// - Throws: ``notThere`` if it does not exist any more.
  func choice(rowid: Int64, _ connection: borrowing Connection) throws -> StoredChoice {
    let found = try connection.first(
      "SELECT \(StoredChoice.columns) FROM choice WHERE rowid = ?", [.integer(rowid)]
    ) { StoredChoice($0, rights) }
    guard let found else { throw Self.notThere }
    return try withEvents(found, connection)
  }

  /// The choice that a reply link refers to; nil if there is none.
  func choice(
    repliedBy key: [UInt8], _ connection: borrowing Connection
  ) throws -> StoredChoice? {
    try connection.first(Self.repliedBy, [.blob(key)]) { StoredChoice($0, rights) }
      .map { try withEvents($0, connection) }
  }

  static let repliedBy = "SELECT \(StoredChoice.columns) FROM choice WHERE reply_key = ?"

  /// The choice with its events applied.
  func withEvents(
    _ choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    var choice = choice
    let entries = try connection.rows(
      "SELECT \(LedgerEntry.columns) FROM choice_event WHERE choice_rowid = ? ORDER BY rowid",
      [.integer(choice.rowid)]
    ) { LedgerEntry($0) }.compactMap { $0 }
    choice.ledger = Ledger(terms: choice.ledger.terms, taken: entries)
    return choice
  }

  /// - Throws: a 409 if the account has too many choices.
  func add(
    _ new: New, to account: Int64, _ connection: borrowing Connection
  ) throws -> String {
    let held = try connection.integer(
      "SELECT count(*) FROM choice WHERE account_rowid = ?", [.integer(account)])
    guard held ?? 0 < Self.most else {
      throw Refusal(.conflict, "error.choice.too_many", ["maximum": "\(Self.most)"])
    }
    let id = new.id ?? surroundings.newDeviceID().text
    let now = surroundings.now().text
    try connection.execute(
      """
      INSERT INTO choice (id, account_rowid, device_id, device, kind, "right", letter, regime,
        country, language, first_period, more_period, deadline_basis, details, note, reminders,
        reply_link, created_at, updated_at, reply_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, randomblob(16))
      """,
      [
        .text(id), .integer(account), .text(new.device.id), .text(new.device.json.text),
        .text(new.kind), SQLValue(new.terms.right), SQLValue(new.terms.letter),
        SQLValue(new.terms.regime), SQLValue(new.country), .text(new.language),
        .text(new.terms.first.text), SQLValue(new.terms.longer?.text), .text(new.terms.basis),
        .text(Self.json(new.details).text), SQLValue(new.note), SQLValue(new.reminders),
        SQLValue(new.replyLink), .text(new.wantedAt?.text ?? now), .text(now),
      ])
    return id
  }

  /// Stores an entry that the ledger has accepted, and updates the derived columns.
  func append(
    _ entry: LedgerEntry, to choice: StoredChoice, _ connection: borrowing Connection
  ) throws {
    let now = surroundings.now().text
    try connection.execute(
      """
      INSERT INTO choice_event (choice_rowid, \(LedgerEntry.columns), noted_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(choice.rowid), .text(entry.event.rawValue), .text(entry.at.text),
        .text(entry.by.rawValue), SQLValue(entry.note), SQLValue(entry.reason),
        SQLValue(entry.channel?.rawValue), SQLValue(entry.receivedOn?.text), .text(now),
      ])
    try connection.execute(
      "UPDATE choice SET state = ?, last_day = ?, updated_at = ? WHERE rowid = ?",
      [
        .text(choice.ledger.state.rawValue), SQLValue(choice.ledger.lastDay?.text), .text(now),
        .integer(choice.rowid),
      ])
    // Store the device as it was public on the day of the request.
    if entry.event == .sent, let device = try ChosenDevice(choice.device.id, connection) {
      try connection.execute(
        "UPDATE choice SET device = ? WHERE rowid = ?",
        [.text(device.json.text), .integer(choice.rowid)])
    }
  }

  static func json(_ texts: [String: String]) -> JSONValue {
    .object(
      JSONObject(
        texts.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.string($0.value)) }))
  }
}

extension JSONValue {
  /// The serialised JSON.
  var text: String {
    var json = JSONWriter()
    json.value(self)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
