import PrivacyMap
import SpatialDatabase

/// The `review` table: what a new account has done, for somebody to look at.
struct ReviewStore {
  let surroundings: Surroundings

  /// Asks for a look at a revision of a device.
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

  /// Asks for a look at a photo, which nobody else sees until then.
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

  /// Asks for a look at a verdict, which counts from then on.
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
