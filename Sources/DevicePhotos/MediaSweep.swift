import Devices
import Logging
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Erases pictures that can no longer be restored: the job ``job``, once a day.
package struct MediaSweep: Sendable {
  /// The kind of the job.
  package static let job = "erase photos"
  /// The interval after the last run.
  static let every = Duration.days(1)

  /// Seconds during which a file without a row may belong to a photo that is being added.
  private static let grace: Int64 = Seconds.day

  let database: Database
  let environment: Environment
  let pictures: any PictureStore

  /// Erases all pictures that are due.
  func run() throws {
    let now = environment.now()
    let files = try database.write { try Self.settle(now, $0) }
    try erase(files)
    try eraseStrangers(now)
  }

  /// Erases at once every picture of the photos that `files` belong to; used when devices are erased.
  package func erase(photosOf files: [String]) throws {
    let names = "[" + files.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let all = try database.read { connection in
      try connection.rows(
        """
        SELECT file FROM media_file WHERE photo_id IN (
          SELECT photo_id FROM media_file WHERE file IN (SELECT value FROM json_each(?)))
          AND \(Self.isUnused)
        """, [.text(names)]
      ) { $0.text(0) }
    }
    try erase(all)
  }

  /// Condition: neither a photo nor an earlier version refers to a row of `media_file`.
  private static let isUnused = """
    NOT EXISTS (SELECT 1 FROM photo WHERE photo.file = media_file.file)
    AND NOT EXISTS (SELECT 1 FROM photo_version WHERE photo_version.file = media_file.file)
    """

  /// Finds pictures that are no longer needed.
  ///
  /// - Returns: the files to erase.
  private static func settle(
    _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> [String] {
    let oldest = Timestamp(
      secondsSinceEpoch: now.secondsSinceEpoch - Seconds.days(PhotoList.keptDays))
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
      "UPDATE media_file SET erase_at = NULL WHERE erase_at IS NOT NULL AND NOT (\(isUnused))")
    try connection.execute(
      "UPDATE media_file SET erase_at = ? WHERE erase_at IS NULL AND \(isUnused)",
      [.text(PhotoList.eraseMoment(after: now).text)])
    return try connection.rows(
      "SELECT file FROM media_file WHERE erase_at <= ?", [.text(now.text)]
    ) { $0.text(0) }
  }

  /// Files first, then their rows, so that an interrupted run is repeated.
  private func erase(_ files: [String]) throws {
    guard !files.isEmpty else { return }
    for file in files { pictures.erase(file) }
    try database.write { connection in
      try ErasureList.note(.picture, files, at: environment.now(), connection)
      for file in files {
        try connection.execute("DELETE FROM media_file WHERE file = ?", [.text(file)])
      }
    }
  }

  /// Erases files without a row, as left behind by a crash.
  private func eraseStrangers(_ now: Timestamp) throws {
    for file in try MediaCheck(database: database, pictures: pictures).strangers()
    where file.writtenAt < now.secondsSinceEpoch - Self.grace {
      pictures.erase(file.name)
    }
  }
}
