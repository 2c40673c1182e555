import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The `research_access` table.
struct ResearchStore: Sendable {
  let environment: Environment

  var today: Day { environment.now().day }

  static let notThere = NotFound(Message("error.not_found.research"))

  /// The requests of one account, latest first.
  func all(of account: Int64, _ connection: borrowing Connection) throws -> [ResearchAccess] {
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
    let id = environment.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO research_access (id, account_rowid, project, purpose, wanted_until, asked_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(account), .text(project), .text(purpose), .text(until.text),
        .text(environment.now().text),
      ])
    guard let made = try one(id, connection) else { throw Self.notThere }
    return made
  }

  /// Stores a decision; `until` is the last day of a grant.
  func decide(
    _ state: ResearchAccess.State, of rowid: Int64, until: Day?, reason: String?,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE research_access SET state = ?, until = ?, reason = ?, decided_at = ? WHERE rowid = ?
      """,
      [
        .text(state.rawValue), SQLValue(until?.text), SQLValue(reason),
        .text(environment.now().text), .integer(rowid),
      ])
    try ErasureList.note(
      .researchState, "research_access", row: rowid, value: state.rawValue, at: environment.now(),
      connection)
  }

  /// Repeats an erasure or a revocation that a restored backup has undone.
  ///
  /// - Returns: whether it changed a row; nil for another kind.
  func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .research:
      try connection.execute("DELETE FROM research_access WHERE id = ?", [.text(entry.id)])
    case .researchState:
      guard entry.value == ResearchAccess.State.revoked.rawValue else { return false }
      try connection.execute(
        """
        UPDATE research_access SET state = 'revoked', until = NULL, decided_at = ?
        WHERE id = ? AND state IN ('waiting', 'granted')
        """, [.text(entry.at.text), .text(entry.id)])
    default: return nil
    }
    return connection.changedRowCount > 0
  }

  /// Erases a request.
  ///
  /// - Throws: ``NotFound`` if the account has no such request.
  func delete(_ id: String, of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM research_access WHERE account_rowid = ? AND id = ?",
      [.integer(account), .text(id)])
    guard connection.changedRowCount == 1 else { throw Self.notThere }
    try ErasureList.note(.research, [id], at: environment.now(), connection)
  }

  /// The admins who can decide.
  static func admins(
    _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, username: String, email: String, locale: String)] {
    try connection.rows(
      """
      SELECT rowid, username, email, locale FROM account
      WHERE role = 'admin' AND confirmed_at IS NOT NULL AND suspended_at IS NULL
      """
    ) { ($0.int(0), $0.text(1), $0.text(2), $0.text(3)) }
  }

  /// Waiting requests first, then the others, newest first; one statement for all filters.
  static let page = """
    SELECT \(ResearchAccess.columns), account.id, account.username
    FROM research_access JOIN account ON account.rowid = research_access.account_rowid
    WHERE (CAST(?2 AS TEXT) IS NULL OR \(ResearchAccess.stateNow) = ?2)
      AND (CAST(?3 AS BOOLEAN) IS NULL
        OR (research_access.state <> 'waiting', -research_access.rowid) > (?3, ?4))
    ORDER BY research_access.state <> 'waiting', research_access.rowid DESC LIMIT ?5
    """

  /// The number of requests in each state.
  static let counts = "SELECT \(ResearchAccess.stateNow), count(*) FROM research_access GROUP BY 1"
}
