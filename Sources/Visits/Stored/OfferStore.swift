import PrivacyMap
import Service
import SpatialDatabase

/// An offer of a request to a volunteer.
struct StoredOffer: Sendable {
  let rowid: Int64
  let id: String
  let visit: Int64
  let account: Int64
  let state: OfferState
  let offeredAt: String
  let endsAt: Timestamp

  static let columns = "rowid, id, request_rowid, account_rowid, state, offered_at, ends_at"

  init(_ row: Row) {
    rowid = row.int(0)
    id = row.text(1)
    visit = row.int(2)
    account = row.int(3)
    state = OfferState(rawValue: row.text(4)) ?? .withdrawn
    offeredAt = row.text(5)
    endsAt = Timestamp(text: row.text(6)) ?? Timestamp(secondsSinceEpoch: 0)
  }
}

/// The table `visit_offer`.
struct OfferStore: Sendable {
  let environment: Environment

  private var now: Timestamp { environment.now() }

  /// The offer that waits for the answer of an account.
  func pending(of account: Int64, _ connection: borrowing Connection) throws -> StoredOffer? {
    try connection.first(
      "SELECT \(StoredOffer.columns) FROM visit_offer WHERE account_rowid = ? AND state = 'pending'",
      [.integer(account)], decode: StoredOffer.init)
  }

  /// The offer of a request that waits for an answer.
  func pending(about visit: Int64, _ connection: borrowing Connection) throws -> StoredOffer? {
    try connection.first(
      "SELECT \(StoredOffer.columns) FROM visit_offer WHERE request_rowid = ? AND state = 'pending'",
      [.integer(visit)], decode: StoredOffer.init)
  }

  /// - Throws: ``NotFound`` unless the account got an offer with this id.
  func one(
    _ id: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredOffer {
    let found = try connection.first(
      "SELECT \(StoredOffer.columns) FROM visit_offer WHERE id = ? AND account_rowid = ?",
      [.text(id), .integer(account)], decode: StoredOffer.init)
    guard let found else { throw NotFound(Message("error.not_found.offer")) }
    return found
  }

  func add(
    _ visit: Int64, to account: Int64, until end: Timestamp, _ connection: borrowing Connection
  ) throws -> String {
    let id = environment.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO visit_offer (id, request_rowid, account_rowid, state, offered_at, ends_at)
      VALUES (?, ?, ?, 'pending', ?, ?)
      """,
      [.text(id), .integer(visit), .integer(account), .text(now.text), .text(end.text)])
    return id
  }

  /// Records that an account has taken a request without an offer, so that it never gets an offer of it.
  func noteTaken(
    _ visit: Int64, by account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO visit_offer (id, request_rowid, account_rowid, state, offered_at, ends_at, answered_at)
      VALUES (?1, ?2, ?3, 'accepted', ?4, ?4, ?4)
      ON CONFLICT (request_rowid, account_rowid) DO UPDATE SET state = 'accepted', answered_at = ?4
      """,
      [
        .text(environment.newDeviceID().text), .integer(visit), .integer(account), .text(now.text),
      ])
  }

  func end(
    _ offer: StoredOffer, as state: OfferState, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE visit_offer SET state = ?, answered_at = ? WHERE rowid = ?",
      [.text(state.rawValue), .text(now.text), .integer(offer.rowid)])
  }

  /// The offers to an account within a day.
  func count(of account: Int64, _ connection: borrowing Connection) throws -> Int {
    Int(
      try connection.integer(
        "SELECT count(*) FROM visit_offer WHERE account_rowid = ? AND offered_at > ?",
        [.integer(account), .text(now.later(-Seconds.day).text)]) ?? 0)
  }
}
