package import PrivacyMap
package import SpatialDatabase

/// The `media_file` table: the files of photos and of their earlier versions.
package struct MediaFiles: Sendable {
  package init() {}

  /// Condition: neither a photo nor an earlier version refers to a row of `media_file`.
  private static let isUnused = """
    NOT EXISTS (SELECT 1 FROM photo WHERE photo.file = media_file.file)
    AND NOT EXISTS (SELECT 1 FROM photo_version WHERE photo_version.file = media_file.file)
    """

  /// The unused files of the photos that `files` belong to.
  package func unused(
    ofPhotosWith files: [String], _ connection: borrowing Connection
  ) throws -> [String] {
    let names = "[" + files.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    return try connection.rows(
      """
      SELECT file FROM media_file WHERE photo_id IN (
        SELECT photo_id FROM media_file WHERE file IN (SELECT value FROM json_each(?)))
        AND \(Self.isUnused)
      """, [.text(names)]
    ) { $0.text(0) }
  }

  /// Deletes the rows of photos and versions past their retention period, and finds the pictures that are no longer
  /// needed.
  ///
  /// - Returns: the files to erase.
  package func settle(_ now: Timestamp, _ connection: borrowing Connection) throws -> [String] {
    let oldest = now.later(-Seconds.days(PhotoTable.keptDays))
    // Deleted photos and earlier versions past their retention period: erase their files now.
    try connection.execute(
      """
      UPDATE media_file SET erase_at = ?1 WHERE photo_id IN (
        SELECT id FROM photo WHERE state = 'deleted' AND deleted_at <= ?2)
        OR file IN (SELECT file FROM photo_version WHERE erase_at <= ?1)
      """, [.text(now.text), .text(oldest.text)])
    try connection.execute(
      "DELETE FROM photo WHERE state = 'deleted' AND deleted_at <= ?", [.text(oldest.text)])
    try connection.execute("DELETE FROM photo_version WHERE erase_at <= ?", [.text(now.text)])
    // Pictures of restored devices are needed again; unused pictures get a date of erasure.
    try connection.execute(
      "UPDATE media_file SET erase_at = NULL WHERE erase_at IS NOT NULL AND NOT (\(Self.isUnused))")
    try connection.execute(
      "UPDATE media_file SET erase_at = ? WHERE erase_at IS NULL AND \(Self.isUnused)",
      [.text(PhotoTable.eraseMoment(after: now).text)])
    return try connection.rows(
      "SELECT file FROM media_file WHERE erase_at <= ?", [.text(now.text)]
    ) { $0.text(0) }
  }

  /// Deletes the row of an erased file.
  package func delete(_ file: String, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM media_file WHERE file = ?", [.text(file)])
  }

  /// Deletes deleted photos, and the rows of files that no photo uses: backups contain no such files.
  package func settleRestore(_ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM photo WHERE state = 'deleted'")
    try connection.execute(
      """
      DELETE FROM media_file WHERE file NOT IN (SELECT file FROM photo)
        AND file NOT IN (SELECT file FROM photo_version)
      """)
  }

  /// All files, each with its digest; nil for pictures from before schema 21.
  package func all(
    _ connection: borrowing Connection
  ) throws -> [(name: String, sha256: String?)] {
    try connection.rows("SELECT file, sha256 FROM media_file ORDER BY file") {
      (name: $0.text(0), sha256: $0.optionalText(1))
    }
  }
}
