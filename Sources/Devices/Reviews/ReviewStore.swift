package import PrivacyMap
package import SpatialDatabase

/// The `review` table: contributions of new accounts that wait for review by a moderator.
package struct ReviewStore {
  package let environment: Environment

  package init(environment: Environment) {
    self.environment = environment
  }

  /// A contribution to review.
  package enum Subject {
    case revision(Int64)
    /// Until it is accepted, only its author and moderators see it.
    case photo(Int64)
    /// It counts once accepted.
    case verdict(Int64)

    fileprivate var columns: (kind: String, name: String, key: Int64) {
      switch self {
      case .revision(let number): ("contribution", "number", number)
      case .photo(let rowid): ("photo", "photo_rowid", rowid)
      case .verdict(let rowid): ("verdict", "verdict_rowid", rowid)
      }
    }
  }

  /// Queues a contribution to a device for review.
  package func ask(
    for subject: Subject, of device: Int64, by account: Int64, _ connection: borrowing Connection
  ) throws {
    let (kind, name, key) = subject.columns
    try connection.execute(
      """
      INSERT INTO review (id, kind, device_rowid, \(name), account_rowid, created_at)
      VALUES (?, '\(kind)', ?, ?, ?, ?)
      """,
      [
        .text(environment.newDeviceID().text), .integer(device), .integer(key),
        .integer(account), .text(environment.now().text),
      ])
  }
}
