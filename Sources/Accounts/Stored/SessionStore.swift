import PrivacyMap
import Secrets
package import Service
import SpatialDatabase

/// The `session` table: signed-in browsers.
package struct SessionStore: Sendable {
  /// A new session. `token` goes into the cookie and is not stored anywhere.
  struct Opened: Sendable {
    let token: SecretToken
    let expiresAt: Timestamp
    /// Seconds.
    let lifetime: Int64
  }

  /// A session as shown to its owner.
  struct Stored: Sendable {
    let rowid: Int64
    let id, createdAt, lastSeenOn: String
    let agent: String?
    /// Whether it is the session of the request.
    var isCurrent = false
  }

  /// Maximum sessions per account; a further one ends the oldest.
  static let maximum: Int64 = 50

  /// Lifetime of a session in seconds: 30 days, or one day for moderators and admins.
  package static func lifetime(of role: Role) -> Int64 {
    role >= .moderator ? Seconds.day : Seconds.days(30)
  }

  func open(
    _ account: Int64, role: Role, id: String, agent: String?, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Opened {
    let lifetime = Self.lifetime(of: role)
    let opened = Opened(
      token: SecretToken(),
      expiresAt: now.later(lifetime),
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
      """, [.integer(account), .integer(account), .integer(Self.maximum)])
    return opened
  }

  /// Sessions last used on or before this day have expired.
  static func idleSince(_ now: Timestamp) -> Day {
    Day(daysSinceEpoch: now.day.daysSinceEpoch - Gate.idleDays)
  }

  /// The valid sessions of an account, newest first.
  func all(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> [Stored] {
    try connection.rows(
      """
      SELECT rowid, id, created_at, last_seen_on, agent FROM session
      WHERE account_rowid = ? AND expires_at > ? AND last_seen_on > ?
      ORDER BY created_at DESC, rowid DESC
      """, [.integer(account), .text(now.text), .text(Self.idleSince(now).text)]
    ) { row in
      Stored(
        rowid: row.int(0), id: row.text(1), createdAt: row.text(2), lastSeenOn: row.text(3),
        agent: row.optionalText(4))
    }
  }

  func close(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM session WHERE rowid = ?", [.integer(rowid)])
  }

  func closeAll(
    of account: Int64, but current: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM session WHERE account_rowid = ? AND rowid <> ?",
      [.integer(account), .integer(current)])
  }
}
