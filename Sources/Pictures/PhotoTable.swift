package import PrivacyMap
package import SpatialDatabase

/// The `photo` table.
package struct PhotoTable: Sendable {
  package init() {}

  /// Days during which a deleted photo or a replaced picture can be restored.
  package static let keptDays: Int64 = 30

  package static func eraseMoment(after now: Timestamp) -> Timestamp {
    now.later(Seconds.days(keptDays))
  }

  /// Removes an account from a portion of its photos.
  package static let erasing = """
    UPDATE photo SET account_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM photo WHERE account_rowid = ? LIMIT 50)
    """

  package func photo(_ rowid: Int64, _ connection: borrowing Connection) throws -> PhotoRow? {
    try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE rowid = ?", [.integer(rowid)],
      decode: PhotoRow.init)
  }

  package func photo(_ id: String, _ connection: borrowing Connection) throws -> PhotoRow? {
    try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE id = ?", [.text(id)], decode: PhotoRow.init)
  }

  /// All photos of a device in order, including deleted ones.
  package func all(of device: Int64, _ connection: borrowing Connection) throws -> [PhotoRow] {
    try connection.rows(
      """
      SELECT \(PhotoRow.columns) FROM photo WHERE device_rowid = ? ORDER BY position, rowid
      """, [.integer(device)], decode: PhotoRow.init)
  }

  /// The photos of a device in order, without deleted ones.
  package func notDeleted(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> [PhotoRow] {
    try connection.rows(
      """
      SELECT \(PhotoRow.columns) FROM photo
      WHERE device_rowid = ? AND state <> 'deleted' ORDER BY position, rowid
      """, [.integer(device)], decode: PhotoRow.init)
  }

  /// The number of photos of a device, not counting deleted ones.
  package func count(of device: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM photo WHERE device_rowid = ? AND state <> 'deleted'",
      [.integer(device)]) ?? 0
  }

  /// The version of the picture; nil if the photo no longer exists.
  package func version(of photo: PhotoRow, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer(
      "SELECT version FROM photo WHERE rowid = ? AND id = ?",
      [.integer(photo.rowid), .text(photo.id)])
  }

  /// The visible and waiting photos of an account.
  package func photos(
    by account: Int64, _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, state: String)] {
    try connection.rows(
      "SELECT rowid, state FROM photo WHERE account_rowid = ? AND state IN ('public', 'waiting')",
      [.integer(account)]
    ) { ($0.int(0), $0.text(1)) }
  }

  /// Adds a photo in a state and returns its rowid.
  package func add(
    _ id: DeviceID, _ picture: DrawnPicture, file: String, alt: String, at position: Int,
    of device: Int64, by account: Int64, state: String, _ now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
        height, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id.text), .integer(device), .integer(account), SQLValue(position), .text(alt),
        .text(state), .text(file), SQLValue(picture.large.width), SQLValue(picture.large.height),
        .text(now.text),
      ])
    return connection.lastInsertedRowID
  }

  package func describe(
    _ photo: PhotoRow, as alt: String, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET alt = ? WHERE rowid = ?", [.text(alt), .integer(photo.rowid)])
  }

  package func place(
    _ photo: PhotoRow, at position: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET position = ? WHERE rowid = ?",
      [.integer(position), .integer(photo.rowid)])
  }

  /// Sets the state of a photo; a deleted photo gets it when it is restored.
  package func set(
    _ state: String, of photo: PhotoRow, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET \(photo.isDeleted ? "state_before" : "state") = ? WHERE rowid = ?",
      [.text(state), .integer(photo.rowid)])
  }

  /// Deletes a photo, as its author can.
  package func delete(
    _ photo: PhotoRow, at moment: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET state = 'deleted', state_before = state, deleted_at = ? WHERE rowid = ?",
      [.text(moment.text), .integer(photo.rowid)])
  }

  /// Restores a deleted photo.
  package func bringBack(_ photo: PhotoRow, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE photo SET state = coalesce(state_before, 'hidden'), state_before = NULL,
        deleted_at = NULL WHERE rowid = ?
      """, [.integer(photo.rowid)])
  }

  /// Shows the picture of a version.
  func show(
    _ version: Int64, file: String, width: Int64, height: Int64, in photo: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE photo SET version = ?, file = ?, width = ?, height = ? WHERE rowid = ?",
      [.integer(version), .text(file), .integer(width), .integer(height), .integer(photo)])
  }

  /// Moves photos behind the photos of another device.
  package func move(
    _ photos: [Int64], to device: Int64, _ connection: borrowing Connection
  ) throws {
    let last =
      try connection.integer(
        "SELECT max(position) FROM photo WHERE device_rowid = ?", [.integer(device)]) ?? 0
    for (place, photo) in photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ?",
        [.integer(device), .integer(last + 1 + Int64(place)), .integer(photo)])
    }
  }

  /// Moves photos back to the device that they came from, except photos that are elsewhere by now.
  package func moveBack(
    _ photos: [Int64], from device: Int64, to former: Int64, _ connection: borrowing Connection
  ) throws {
    for (place, photo) in photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ? AND device_rowid = ?",
        [.integer(former), .integer(Int64(place) + 1), .integer(photo), .integer(device)])
    }
  }

  /// Deletes the whole photo of a file that a restored backup has brought back: the backup does not
  /// contain its other versions.
  ///
  /// - Returns: whether it was there.
  package func eraseAgain(_ file: String, _ connection: borrowing Connection) throws -> Bool {
    var wasThere = false
    for table in ["photo", "photo_version", "media_file"] {
      try connection.execute("DELETE FROM \(table) WHERE file = ?", [.text(file)])
      wasThere = wasThere || connection.changedRowCount > 0
    }
    return wasThere
  }
}
