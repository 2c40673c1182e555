package import SpatialDatabase

/// Decisions of moderators, admins and approved organisations about an account.
extension AccountStore {
  /// A suspension: its start, its end and its reason.
  package typealias Suspension = (at: String?, until: String?, reason: String?)

  /// The suspension of an account, also a past one; nil if the account does not exist.
  package func storedSuspension(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> Suspension? {
    try connection.first(
      "SELECT suspended_at, suspended_until, suspended_reason FROM account WHERE rowid = ?",
      [.integer(account)]
    ) { ($0.optionalText(0), $0.optionalText(1), $0.optionalText(2)) }
  }

  package func setSuspension(
    _ suspension: Suspension, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE account SET suspended_at = ?, suspended_until = ?, suspended_reason = ?
      WHERE rowid = ?
      """,
      [
        SQLValue(suspension.at), SQLValue(suspension.until), SQLValue(suspension.reason),
        .integer(account),
      ])
  }

  /// Adds 1 to the accepted contributions of an account, if there is one.
  package func addAcceptedEdit(
    of account: Int64?, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET accepted_edits = accepted_edits + 1 WHERE rowid = ?",
      [SQLValue(account)])
  }

  package func removeAcceptedEdit(
    of account: Int64?, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE account SET accepted_edits = accepted_edits - 1
      WHERE rowid = ? AND accepted_edits > 0
      """, [SQLValue(account)])
  }

  /// The row of `operator` that an account represents.
  package func operatorRow(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> Int64? {
    try connection.integer(
      "SELECT operator_rowid FROM account WHERE rowid = ?", [.integer(account)])
  }

  package func setOperatorRow(
    _ row: Int64?, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET operator_rowid = ? WHERE rowid = ?",
      [SQLValue(row), .integer(account)])
  }

  /// Makes an account a contributor again if it has the role of an operator.
  package func endOperatorRole(
    of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE account SET role = 'contributor', operator_rowid = NULL
      WHERE rowid = ? AND role = 'operator'
      """, [.integer(account)])
  }
}
