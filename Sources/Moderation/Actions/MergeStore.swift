import Devices
import SpatialDatabase

/// Reads and moves the rows of a device that is merged into another.
struct MergeStore {
  /// Collects the movable rows. A verdict moves unless the other device has one from the same person or
  /// that person is its author.
  func rows(
    of one: Int64, movableTo other: FoundDevice, _ connection: borrowing Connection
  ) throws -> MovedRows {
    var moved = MovedRows()
    moved.keys = try DeviceKeyStore().keys(of: one, connection)
    moved.photos = try connection.rows(
      "SELECT rowid FROM photo WHERE device_rowid = ? ORDER BY position, rowid", [.integer(one)]
    ) { $0.int(0) }
    moved.verdicts = try connection.rows(
      """
      SELECT rowid FROM verdict WHERE device_rowid = ? AND account_rowid IS DISTINCT FROM ?
        AND NOT EXISTS (SELECT 1 FROM verdict AS own WHERE own.device_rowid = ?
          AND own.claim = verdict.claim AND own.account_rowid = verdict.account_rowid)
      """, [.integer(one), SQLValue(other.author), .integer(other.rowid)]
    ) { $0.int(0) }
    return moved
  }

  func move(
    _ moved: MovedRows, from one: Int64, to other: Int64, _ connection: borrowing Connection
  ) throws {
    try DeviceKeyStore().move(moved.keys, from: one, to: other, connection)
    let last =
      try connection.integer(
        "SELECT max(position) FROM photo WHERE device_rowid = ?", [.integer(other)]) ?? 0
    for (place, photo) in moved.photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ?",
        [.integer(other), .integer(last + 1 + Int64(place)), .integer(photo)])
    }
    for verdict in moved.verdicts {
      try connection.execute(
        "UPDATE verdict SET device_rowid = ? WHERE rowid = ?", [.integer(other), .integer(verdict)])
    }
    try follow(moved, to: other, connection)
  }

  func moveBack(
    _ moved: MovedRows, from other: Int64, to one: Int64, _ connection: borrowing Connection
  ) throws {
    try DeviceKeyStore().move(moved.keys, from: other, to: one, connection)
    for (place, photo) in moved.photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ? AND device_rowid = ?",
        [.integer(one), .integer(Int64(place) + 1), .integer(photo), .integer(other)])
    }
    for verdict in moved.verdicts {
      // A person who has given a new verdict on the restored device keeps the new one.
      try connection.execute(
        """
        UPDATE verdict SET device_rowid = ?1 WHERE rowid = ?2 AND device_rowid = ?3
          AND NOT EXISTS (SELECT 1 FROM verdict AS own WHERE own.device_rowid = ?1
            AND own.claim = verdict.claim AND own.account_rowid = verdict.account_rowid)
        """, [.integer(one), .integer(verdict), .integer(other)])
    }
    try follow(moved, to: one, connection)
  }

  /// Moves open flags and reviews along with their photos and verdicts.
  private func follow(
    _ moved: MovedRows, to device: Int64, _ connection: borrowing Connection
  ) throws {
    for photo in moved.photos {
      try connection.execute(
        "UPDATE review SET device_rowid = ? WHERE photo_rowid = ?",
        [.integer(device), .integer(photo)])
      try connection.execute(
        """
        UPDATE flag SET device_rowid = ?
        WHERE target_type = 'photo' AND target_id = (SELECT id FROM photo WHERE rowid = ?)
        """, [.integer(device), .integer(photo)])
    }
    for verdict in moved.verdicts {
      try connection.execute(
        "UPDATE review SET device_rowid = ? WHERE verdict_rowid = ?",
        [.integer(device), .integer(verdict)])
    }
  }
}
