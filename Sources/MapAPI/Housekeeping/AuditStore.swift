import PrivacyMap
import SpatialDatabase

/// The `audit` table: acts of power, which nobody can change afterwards.
struct AuditStore {
  let surroundings: Surroundings

  /// Notes an act in the transaction of the act itself; `actor` is `command line`, `job`, or the
  /// number of an account.
  func note(
    _ action: String, target: String?, by actor: String, reason: String?,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO audit (actor, action, target, reason, acted_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(actor), .text(action), SQLValue(target), SQLValue(reason),
        .text(surroundings.now().text),
      ])
  }
}
