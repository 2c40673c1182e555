package import PrivacyMap
package import SpatialDatabase

/// The `audit` table: a log of moderation and admin actions that cannot be changed afterwards.
package struct AuditStore {
  package let environment: Environment
  /// The actor of a command.
  package static let commandLine = "command line"

  package init(environment: Environment) {
    self.environment = environment
  }

  /// The tables of entries with their actors. The actor of an entry without an account is the server, the command line
  /// or the number of an account that is deleted.
  package static let withActors = """
    audit LEFT JOIN account ON account.rowid =
        CASE WHEN rtrim(audit.actor, '0123456789') = '' THEN CAST(audit.actor AS BIGINT) END
      AND account.created_at <= audit.acted_at
    """

  /// Logs an action in the transaction of the action itself.
  ///
  /// `target` is the kind and id of the affected object: `device 0190…`. `actor` is `command line`,
  /// `job`, or the number of an account. `act` is the row of `moderation_action` with the data to
  /// undo the action.
  package func note(
    _ action: String, target: String?, by actor: String, reason: String?, act: Int64? = nil,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO audit (actor, action, target, reason, acted_at, action_rowid)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(actor), .text(action), SQLValue(target), SQLValue(reason),
        .text(environment.now().text), SQLValue(act),
      ])
  }
}
