import PrivacyMap
import SpatialDatabase

/// The `review` table: contributions of new accounts that wait for review by a moderator.
struct ReviewStore {
  let surroundings: Surroundings

  /// Queues a revision of a device for review.
  func ask(
    forRevision number: Int64, of device: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO review (id, kind, device_rowid, number, account_rowid, created_at)
      VALUES (?, 'contribution', ?, ?, ?, ?)
      """,
      [
        .text(surroundings.newDeviceID().text), .integer(device), .integer(number),
        .integer(account), .text(surroundings.now().text),
      ])
  }

  /// Queues a photo for review. Until it is accepted, only its author and moderators see it.
  func ask(
    forPhoto photo: Int64, of device: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO review (id, kind, device_rowid, photo_rowid, account_rowid, created_at)
      VALUES (?, 'photo', ?, ?, ?, ?)
      """,
      [
        .text(surroundings.newDeviceID().text), .integer(device), .integer(photo),
        .integer(account), .text(surroundings.now().text),
      ])
  }

  /// Queues a verdict for review. It counts once accepted.
  func ask(
    forVerdict verdict: Int64, of device: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO review (id, kind, device_rowid, verdict_rowid, account_rowid, created_at)
      VALUES (?, 'verdict', ?, ?, ?, ?)
      """,
      [
        .text(surroundings.newDeviceID().text), .integer(device), .integer(verdict),
        .integer(account), .text(surroundings.now().text),
      ])
  }
}
