import Devices
import SpatialDatabase

/// People as moderators and admins see them.
struct PersonStore {
  /// The columns of an account.
  struct Person {
    let id, username, role, createdAt: String
    let isConfirmed: Bool
    let acceptedEdits: Int64
    /// Whether the account was suspended; the suspension may have ended.
    let isSuspended: Bool
    let suspendedUntil, suspendedReason: String?
  }

  func person(_ account: Int64, _ connection: borrowing Connection) throws -> Person? {
    try connection.first(
      """
      SELECT id, username, role, created_at, confirmed_at, accepted_edits, suspended_at,
        suspended_until, suspended_reason
      FROM account WHERE rowid = ?
      """, [.integer(account)]
    ) { row in
      Person(
        id: row.text(0), username: row.text(1), role: row.text(2), createdAt: row.text(3),
        isConfirmed: !row.isNull(4), acceptedEdits: row.int(5), isSuspended: !row.isNull(6),
        suspendedUntil: row.optionalText(7), suspendedReason: row.optionalText(8))
    }
  }

  /// The number of contributions of each kind, and of contributions that wait for review.
  func contributions(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [(kind: String, count: Int64)] {
    let counts = try connection.first(
      """
      SELECT (SELECT count(*) FROM device WHERE account_rowid = ?1),
        (SELECT count(*) FROM revision WHERE account_rowid = ?1 AND number > 1),
        (\(VerificationStore.countByAccount)),
        (SELECT count(*) FROM photo WHERE account_rowid = ?1 AND state <> 'deleted'),
        (\(ReviewStore.openCount))
      """, [.integer(account)]
    ) { row in (0..<5).map { row.int($0) } }
    return Array(zip(["devices", "edits", "claims", "photos", "waiting"], counts ?? []))
  }

  /// Decisions about the person, latest first.
  func decisions(
    about id: String, _ connection: borrowing Connection
  ) throws -> [Decision] {
    try connection.rows(
      """
      SELECT id, action, reason, made_at, undone_at FROM moderation_action
      WHERE target_type = 'account' AND target_id = ? AND action <> 'dismiss'
      ORDER BY rowid DESC LIMIT 5
      """, [.text(id)]
    ) { ($0.text(0), $0.text(1), $0.text(2), $0.text(3), $0.optionalText(4)) }
  }

  typealias Decision = (
    id: String, action: String, reason: String, madeAt: String, undoneAt: String?
  )
}
