import PrivacyMap
import SpatialDatabase

/// Accounts as admins list and change them.
struct AdminAccountStore {
  /// The same statement for all filter combinations, so that it is prepared only once.
  static let page = """
    SELECT rowid FROM account
    WHERE (CAST(?1 AS BIGINT) IS NULL OR rowid < ?1)
      AND (CAST(?2 AS TEXT) IS NULL OR instr(username_key, ?2) > 0)
      AND (CAST(?3 AS TEXT) IS NULL OR role = ?3)
      AND CASE ?4 WHEN 'confirmed' THEN confirmed_at IS NOT NULL
        WHEN 'unconfirmed' THEN confirmed_at IS NULL
        WHEN 'suspended' THEN suspended_at IS NOT NULL
          AND (suspended_until IS NULL OR suspended_until > ?5)
        ELSE TRUE END
    ORDER BY rowid DESC LIMIT ?6
    """

  /// The rows of accounts, newest first.
  func accounts(
    after last: Int64?, named words: String?, role: String?, state: String?, at now: Timestamp,
    limit: Int, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      Self.page,
      [
        SQLValue(last), SQLValue(words), SQLValue(role), SQLValue(state), .text(now.text),
        SQLValue(limit),
      ]
    ) { $0.int(0) }
  }

  func rowid(of id: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT rowid FROM account WHERE id = ?", [.text(id)])
  }

  typealias Details = (
    createdAt: String, hasSecondFactor: Bool, operatorName: String?, operatorKind: String?,
    acceptedEdits: Int64
  )

  func details(
    of rowid: Int64, _ connection: borrowing Connection
  ) throws -> Details? {
    try connection.first(
      """
      SELECT account.created_at, account.totp_confirmed_at, operator.name, operator.kind,
        account.accepted_edits
      FROM account LEFT JOIN operator ON operator.rowid = account.operator_rowid
      WHERE account.rowid = ?
      """, [.integer(rowid)]
    ) { ($0.text(0), !$0.isNull(1), $0.optionalText(2), $0.optionalText(3), $0.int(4)) }
  }
}
