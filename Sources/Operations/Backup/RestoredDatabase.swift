import Accounts
import Devices
import Foundation
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Prepares the database of a backup for use.
struct RestoredDatabase {
  let instance: OpenedInstance

  /// The result of the preparation.
  struct Outcome {
    let devices: Int
    /// The number of objects that were erased again because people had erased them since the backup.
    let erasedAgain: Int
    /// The names of the photo files that the database now refers to.
    let pictures: Set<String>
  }

  /// Repeats later erasures, ends or renews credentials that may have been revoked since, and deletes mail that
  /// has already been sent. Without that mail, the key of its links may be another one.
  func settle(_ erasures: [ErasureList.Entry]) throws -> Outcome {
    let erased = try ErasureReplay(instance: instance).erase(
      erasures + instance.map.database.read { try ErasureList.waiting($0) })
    let pictures = try instance.map.write { connection in
      for sql in Self.ends { try connection.execute(sql) }
      try SharedKey.forget(connection)
      for feature in instance.features { try feature.renewSecrets(connection) }
      return Set(try connection.rows(MediaCheck.picturesInUse) { $0.text(0) })
    }
    // Servers that have seen a later state use this one again.
    try instance.map.database.acceptState()
    return Outcome(
      devices: instance.map.index.snapshot.count, erasedAgain: erased, pictures: pictures)
  }

  /// Sessions, tokens and links that were revoked since the backup would be valid again, and mails
  /// would be sent twice. Backups contain no files of deleted photos.
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
