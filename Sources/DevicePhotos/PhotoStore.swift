import Devices
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// The `photo` table.
struct PhotoStore: Sendable {
  func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> PhotoRow? {
    try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE rowid = ?", [.integer(rowid)],
      decode: PhotoRow.init)
  }

  func photo(_ id: String, _ connection: borrowing Connection) throws -> PhotoRow? {
    try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE id = ?", [.text(id)], decode: PhotoRow.init)
  }

  /// Deletes a photo, as its author can.
  func delete(
    _ photo: PhotoRow, at moment: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET state = 'deleted', state_before = state, deleted_at = ? WHERE rowid = ?",
      [.text(moment.text), .integer(photo.rowid)])
  }

  /// Deletes the whole photo of a file that a restored backup has brought back: the backup does not
  /// contain its other versions.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ file: String, _ connection: borrowing Connection) throws -> Bool {
    var wasThere = false
    for table in ["photo", "photo_version", "media_file"] {
      try connection.execute("DELETE FROM \(table) WHERE file = ?", [.text(file)])
      wasThere = wasThere || connection.changedRowCount > 0
    }
    return wasThere
  }

  /// The number of photos of a device, not counting deleted ones.
  func count(of device: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM photo WHERE device_rowid = ? AND state <> 'deleted'",
      [.integer(device)]) ?? 0
  }

  /// Whether the last revision of a device is the addition of a photo.
  func isLastChange(
    _ photo: String, of device: FoundDevice, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM revision JOIN photo ON photo.id = ?
      WHERE revision.device_rowid = ? AND number = ? AND made_at = photo.created_at
        AND revision.account_rowid = photo.account_rowid
        AND NOT EXISTS (
          SELECT 1 FROM json_each(before, '$.photos') WHERE json_extract(value, '$.id') = photo.id)
        AND json_type(before, '$.photos') IS NOT NULL
      """, [.text(photo), .integer(device.rowid), .integer(device.revision)]) != nil
  }

  /// Adds a photo and returns its rowid. The photo of a new account waits for review.
  func add(
    _ id: DeviceID, _ picture: DrawnPicture, file: String, alt: String, at position: Int,
    of device: Int64, by principal: Principal, _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
        height, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id.text), .integer(device), .integer(principal.account), SQLValue(position),
        .text(alt), .text(principal.isNew ? "waiting" : "public"), .text(file),
        SQLValue(picture.large.width), SQLValue(picture.large.height), .text(now.text),
      ])
    return connection.lastInsertedRowID
  }

  /// Sets the state of a photo; a deleted photo gets it when it is restored.
  func set(_ state: String, of photo: PhotoRow, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE photo SET \(photo.isDeleted ? "state_before" : "state") = ? WHERE rowid = ?",
      [.text(state), .integer(photo.rowid)])
  }

  /// The version of the picture; nil if the photo no longer exists.
  func version(of photo: PhotoRow, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer(
      "SELECT version FROM photo WHERE rowid = ? AND id = ?",
      [.integer(photo.rowid), .text(photo.id)])
  }

  /// The id and revision of a device.
  func version(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> Photos.Version? {
    try connection.first(
      "SELECT id, revision FROM device WHERE rowid = ?", [.integer(device)]
    ) { row in DeviceID(text: row.text(0)).map { ($0, row.int(1)) } } ?? nil
  }

  func isOfHiddenDevice(_ photo: PhotoRow, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      "SELECT hidden FROM device WHERE rowid = ?", [.integer(photo.device)]) != 0
  }
}
