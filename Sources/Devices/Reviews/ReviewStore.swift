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

  /// Closes reviews; `action` is nil if they were accepted because of their age.
  package func close(
    _ reviews: [Int64], as outcome: String, by action: Int64?, _ connection: borrowing Connection
  ) throws {
    for review in reviews {
      try connection.execute(
        "UPDATE review SET outcome = ?, closed_at = ?, action_rowid = ? WHERE rowid = ?",
        [
          .text(outcome), .text(environment.now().text), SQLValue(action), .integer(review),
        ])
    }
  }

  /// Opens the reviews again that an action closed.
  package static func reopen(
    closedBy action: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE review SET outcome = NULL, closed_at = NULL, action_rowid = NULL
      WHERE action_rowid = ?
      """, [.integer(action)])
  }

  /// Moves the reviews of photos and verdicts that moved to another device.
  package static func move(
    ofPhotos photos: [Int64], ofVerdicts verdicts: [Int64], to device: Int64,
    _ connection: borrowing Connection
  ) throws {
    for (column, rows) in [("photo_rowid", photos), ("verdict_rowid", verdicts)] {
      for row in rows {
        try connection.execute(
          "UPDATE review SET device_rowid = ? WHERE \(column) = ?",
          [.integer(device), .integer(row)])
      }
    }
  }

  /// Deletes the open review of a photo: a deleted photo needs none.
  static func delete(ofPhoto photo: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM review WHERE photo_rowid = ? AND outcome IS NULL", [.integer(photo)])
  }
}
