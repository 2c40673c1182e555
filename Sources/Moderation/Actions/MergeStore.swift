import Devices
import Pictures
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
    moved.photos = try PhotoTable().all(of: one, connection).map(\.rowid)
    moved.verdicts = try VerificationStore.movable(
      from: one, to: other.rowid, by: other.author, connection)
    return moved
  }

  func move(
    _ moved: MovedRows, from one: Int64, to other: Int64, _ connection: borrowing Connection
  ) throws {
    try DeviceKeyStore().move(moved.keys, from: one, to: other, connection)
    try PhotoTable().move(moved.photos, to: other, connection)
    try VerificationStore.move(moved.verdicts, to: other, connection)
    try follow(moved, to: other, connection)
  }

  func moveBack(
    _ moved: MovedRows, from other: Int64, to one: Int64, _ connection: borrowing Connection
  ) throws {
    try DeviceKeyStore().move(moved.keys, from: other, to: one, connection)
    try PhotoTable().moveBack(moved.photos, from: other, to: one, connection)
    try VerificationStore.moveBack(moved.verdicts, from: other, to: one, connection)
    try follow(moved, to: one, connection)
  }

  /// Moves open flags and reviews along with their photos and verdicts.
  private func follow(
    _ moved: MovedRows, to device: Int64, _ connection: borrowing Connection
  ) throws {
    try ReviewStore.move(
      ofPhotos: moved.photos, ofVerdicts: moved.verdicts, to: device, connection)
    for photo in moved.photos {
      try connection.execute(
        """
        UPDATE flag SET device_rowid = ?
        WHERE target_type = 'photo' AND target_id = (SELECT id FROM photo WHERE rowid = ?)
        """, [.integer(device), .integer(photo)])
    }
  }
}
