import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// A request for researcher access, and the decision on it.
struct ResearchAccess: Petition, Sendable {
  enum State: String, CaseIterable, Sendable {
    case waiting, granted, refused, revoked
    /// Granted, but expired.
    case ended
  }

  let rowid: Int64
  let id: String
  let account: Int64
  let project: String
  let purpose: String
  let wantedUntil: String
  let state: State
  let until: String?
  let reason: String?
  let askedAt: String
  let decidedAt: String?

  /// The maximum number of days that can be requested and granted.
  static let days: Int32 = 731

  /// The state on day `?1`, the first argument of every statement that uses it.
  static let stateNow = """
    CASE WHEN research_access.state = 'granted' AND research_access.until < ?1 THEN 'ended'
      ELSE research_access.state END
    """

  static let columns = """
    research_access.rowid, research_access.id, research_access.account_rowid,
    research_access.project, research_access.purpose, research_access.wanted_until, \(stateNow),
    research_access.until, research_access.reason, research_access.asked_at,
    research_access.decided_at
    """
  /// The number of ``columns``.
  static let width = 11

  init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    account = row.int(2)
    project = row.text(3)
    purpose = row.text(4)
    wantedUntil = row.text(5)
    state = State(rawValue: row.text(6)) ?? .ended
    until = row.optionalText(7)
    reason = row.optionalText(8)
    askedAt = row.text(9)
    decidedAt = row.optionalText(10)
  }

  var isWaiting: Bool { state == .waiting }

  var members: JSONObject {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return JSONObject([
      ("id", .string(id)), ("project", .string(project)), ("purpose", .string(purpose)),
      ("wanted_until", .string(wantedUntil)), ("state", .string(state.rawValue)),
      ("until", text(until)), ("reason", text(reason)), ("asked_at", .string(askedAt)),
      ("decided_at", text(decidedAt)),
    ])
  }
}

/// The `research_access` table.
struct ResearchStore: Sendable {
  let surroundings: Surroundings

  var today: Day { surroundings.now().day }

  static let notThere = NotFound(Message("error.not_found.research"))

  /// The requests of one account, latest first.
  func all(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [ResearchAccess] {
    try connection.rows(
      """
      SELECT \(ResearchAccess.columns) FROM research_access
      WHERE account_rowid = ?2 ORDER BY rowid DESC
      """, [.text(today.text), .integer(account)]
    ) { ResearchAccess($0) }
  }

  func one(_ id: String, _ connection: borrowing Connection) throws -> ResearchAccess? {
    try connection.first(
      "SELECT \(ResearchAccess.columns) FROM research_access WHERE id = ?2",
      [.text(today.text), .text(id)]
    ) { ResearchAccess($0) }
  }

  /// Whether an account has researcher access today.
  static func isGranted(
    to account: Int64, on today: Day, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT EXISTS (\(grantedQuery))", [.integer(account), .text(today.text)]) == 1
  }

  /// Returns a row if account ?1 has access on day ?2.
  static let grantedQuery = """
    SELECT 1 FROM research_access
    WHERE account_rowid = ? AND state = 'granted' AND until >= ?
    """

  /// Adds a request.
  ///
  /// - Throws: a 409 ``Refusal`` if another request of the account is waiting.
  func add(
    project: String, purpose: String, until: Day, of account: Int64,
    _ connection: borrowing Connection
  ) throws -> ResearchAccess {
    let waits = try connection.integer(
      "SELECT count(*) FROM research_access WHERE account_rowid = ? AND state = 'waiting'",
      [.integer(account)])
    guard waits == 0 else {
      throw Refusal(.conflict, "error.research.waits", type: "research-waits")
    }
    let id = surroundings.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO research_access (id, account_rowid, project, purpose, wanted_until, asked_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(account), .text(project), .text(purpose), .text(until.text),
        .text(surroundings.now().text),
      ])
    guard let made = try one(id, connection) else { throw Self.notThere }
    return made
  }

  /// Stores a decision; `until` is the last day of a grant.
  func decide(
    _ state: ResearchAccess.State, of rowid: Int64, until: Day?, reason: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE research_access SET state = ?, until = ?, reason = ?, decided_at = ? WHERE rowid = ?
      """,
      [
        .text(state.rawValue), SQLValue(until?.text), .text(reason),
        .text(surroundings.now().text), .integer(rowid),
      ])
  }
}
