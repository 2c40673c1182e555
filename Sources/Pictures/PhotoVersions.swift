package import PrivacyMap
import Service
package import SpatialDatabase

/// The pictures of a photo: the current one, and earlier ones during their retention period.
package struct PhotoVersions {
  let environment: Environment

  package init(environment: Environment) { self.environment = environment }

  /// Replaces the current picture.
  ///
  /// `file` is the name under which it was prepared in `pictures`. `isRedacted` states that it is a redacted copy of
  /// the current picture, so that only a moderator can restore the original.
  ///
  /// - Returns: the number of the new version.
  package func add(
    _ picture: DrawnPicture, file: String, to photo: PhotoRow, isRedacted: Bool,
    in pictures: any PictureStore, _ connection: borrowing Connection
  ) throws -> Int64 {
    let last = try connection.integer(
      "SELECT max(number) FROM photo_version WHERE photo_rowid = ?", [.integer(photo.rowid)])
    let next = max(photo.version, last ?? 0) + 1
    try keep(photo, redactedBy: isRedacted ? next : nil, connection)
    if isRedacted {
      try ErasureList.note(
        .redaction, [photo.id], value: "\(next)", at: environment.now(), connection)
      try connection.execute(
        """
        UPDATE photo_version SET redacted_by = ? WHERE photo_rowid = ? AND redacted_by IS NULL
        """, [.integer(next), .integer(photo.rowid)])
    }
    try Self.add(picture, as: file, of: photo.id, to: pictures, connection)
    try PhotoTable().show(
      next, file: file, width: Int64(picture.large.width), height: Int64(picture.large.height),
      in: photo.rowid, connection)
    return next
  }

  /// Shows an earlier picture again; with `evenRedacted`, also one that was replaced by a redacted copy.
  ///
  /// - Returns: false if it no longer exists or may not be shown.
  @discardableResult
  package func show(
    _ number: Int64, of photo: PhotoRow, evenRedacted: Bool, _ connection: borrowing Connection
  ) throws -> Bool {
    let found = try connection.first(
      """
      SELECT file, width, height, redacted_by FROM photo_version
      WHERE photo_rowid = ? AND number = ?
      """, [.integer(photo.rowid), .integer(number)]
    ) { (file: $0.text(0), width: $0.int(1), height: $0.int(2), redactedBy: $0.optionalInt(3)) }
    guard let found, evenRedacted || found.redactedBy == nil else { return false }
    try connection.execute(
      "DELETE FROM photo_version WHERE photo_rowid = ? AND number = ?",
      [.integer(photo.rowid), .integer(number)])
    if let act = found.redactedBy {
      try ErasureList.note(.redaction, [photo.id], value: "0", at: environment.now(), connection)
      // The pictures covered by this redaction may be shown again; pictures covered by others stay covered.
      try connection.execute(
        "UPDATE photo_version SET redacted_by = NULL WHERE photo_rowid = ? AND redacted_by = ?",
        [.integer(photo.rowid), .integer(act)])
    }
    try keep(photo, redactedBy: nil, connection)
    try PhotoTable().show(
      number, file: found.file, width: found.width, height: found.height, in: photo.rowid,
      connection)
    return true
  }

  /// Whether an earlier picture exists that the author may show again.
  package static func has(
    _ number: Int64, of photo: PhotoRow, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM photo_version
      WHERE photo_rowid = ? AND number = ? AND redacted_by IS NULL
      """, [.integer(photo.rowid), .integer(number)]) != nil
  }

  /// Records a prepared picture, so that the sweep knows about it, and stores it completely.
  package static func add(
    _ picture: DrawnPicture, as file: String, of photo: String, to pictures: any PictureStore,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO media_file (file, photo_id, bytes, sha256) VALUES (?, ?, ?, ?)",
      [
        .text(file), .text(photo),
        SQLValue(picture.large.bytes.count + picture.thumb.bytes.count),
        .text(MediaFolder.digest(picture.large.bytes, picture.thumb.bytes)),
      ])
    try pictures.add(picture, as: file, connection)
  }

  private func keep(
    _ photo: PhotoRow, redactedBy act: Int64?, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO photo_version (photo_rowid, number, file, width, height, redacted_by, erase_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(photo.rowid), .integer(photo.version), .text(photo.file), .integer(photo.width),
        .integer(photo.height), SQLValue(act),
        .text(PhotoTable.eraseMoment(after: environment.now()).text),
      ])
  }
}
