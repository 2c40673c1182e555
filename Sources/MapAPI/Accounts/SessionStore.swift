import PrivacyMap
import Secrets
import SpatialDatabase

/// The `session` table: browsers that are signed in.
struct SessionStore: Sendable {
  /// A session just begun; `token` goes into the cookie and is kept nowhere else.
  struct Opened: Sendable {
    let token: SecretToken
    let expiresAt: Timestamp
    /// Seconds.
    let lifetime: Int64
  }

  /// Sessions of one account; another one ends the oldest.
  static let most: Int64 = 50

  /// Seconds that a session lasts: 30 days, and a day where it opens what others made.
  static func lifetime(of role: Role) -> Int64 { role >= .moderator ? 86_400 : 30 * 86_400 }

  func open(
    _ account: Int64, role: Role, id: String, agent: String?, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Opened {
    let lifetime = Self.lifetime(of: role)
    let opened = Opened(
      token: SecretToken(),
      expiresAt: Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + lifetime),
      lifetime: lifetime)
    try connection.execute(
      """
      INSERT INTO session (id, account_rowid, digest, agent, created_at, last_seen_on, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(account), .blob(opened.token.digest), SQLValue(agent), .text(now.text),
        .text(now.day.text), .text(opened.expiresAt.text),
      ])
    try connection.execute(
      """
      DELETE FROM session WHERE account_rowid = ? AND rowid NOT IN
        (SELECT rowid FROM session WHERE account_rowid = ? ORDER BY rowid DESC LIMIT ?)
      """, [.integer(account), .integer(account), .integer(Self.most)])
    return opened
  }

  /// The last day of a visit that is too long ago for a session to go on.
  static func idleSince(_ now: Timestamp) -> Day {
    Day(daysSinceEpoch: now.day.daysSinceEpoch - Gate.idleDays)
  }

  func close(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM session WHERE rowid = ?", [.integer(rowid)])
  }
}
