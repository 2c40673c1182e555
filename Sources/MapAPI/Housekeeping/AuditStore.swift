import PrivacyMap
import SpatialDatabase

/// The `audit` table: acts of power, which nobody can change afterwards.
struct AuditStore {
  let surroundings: Surroundings

  /// Notes an act in the transaction of the act itself.
  ///
  /// `target` is what it was done to, its kind before its id: `device 0190…`; `actor` is
  /// `command line`, `job`, or the number of an account; `act` is the row of `moderation_action` by
  /// which it can be taken back.
  func note(
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
        .text(surroundings.now().text), SQLValue(act),
      ])
  }
}
