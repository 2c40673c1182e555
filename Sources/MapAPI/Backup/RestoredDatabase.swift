import Foundation
import PrivacyMap
import SpatialDatabase

/// Makes the database of a backup ready to be served again.
struct RestoredDatabase {
  let app: App

  /// What was done.
  struct Outcome {
    let devices: Int
    /// How many things that people had erased since were erased again.
    let erasedAgain: Int
    /// The names of the pictures that belong to it now.
    let pictures: Set<String>
  }

  /// Erases what was erased since, ends what may have been ended since, and forgets mail that has
  /// gone out long ago.
  func settle(_ erasures: [ErasureList.Entry]) throws -> Outcome {
    let erased = try ErasureReplay(app: app).erase(
      erasures + app.database.read { try ErasureList.waiting($0) })
    let pictures = try app.map.write { connection in
      for sql in Self.ends { try connection.execute(sql) }
      return Set(try connection.rows(BackupContents.picturesInUse) { $0.text(0) })
    }
    return Outcome(
      devices: app.index.snapshot.count, erasedAgain: erased, pictures: pictures)
  }

  /// A session, a key or a link that somebody has ended since would be good again, and a mail would
  /// come a second time. Pictures of deleted photos are in no backup.
  private static let ends = [
    "DELETE FROM session", "DELETE FROM personal_token", "DELETE FROM mail_token",
    "DELETE FROM mail", "DELETE FROM job WHERE kind IN ('\(MailSender.job)', '\(MailRequest.job)')",
    "DELETE FROM photo WHERE state = 'deleted'",
    """
    DELETE FROM media_file WHERE file NOT IN (SELECT file FROM photo)
      AND file NOT IN (SELECT file FROM photo_version)
    """,
  ]
}
