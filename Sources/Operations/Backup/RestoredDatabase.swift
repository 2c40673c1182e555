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

  /// Repeats later erasures and deletes the rows that end with a restore: sessions, tokens and links that may have been
  /// revoked since the backup, and mail that has been sent. Without that mail, the key of its links may be another one.
  func settle(_ erasures: [ErasureList.Entry]) throws -> Outcome {
    let erased = try ErasureReplay(instance: instance).erase(
      erasures + instance.map.database.read { try ErasureList.waiting($0) })
    let pictures = try instance.map.write { connection in
      for rule in instance.features.flatMap({ type(of: $0).restores }) where rule.treatment == .ends
      {
        try connection.execute("DELETE FROM \(rule.table)")
      }
      for kind in [MailSender.job, MailRequest.job] {
        try StoredJobs.delete(kind: kind, where: { _ in true }, connection)
      }
      try SharedKey.forget(connection)
      for feature in instance.features { try feature.settleRestore(connection) }
      return Set(try connection.rows(MediaCheck.picturesInUse) { $0.text(0) })
    }
    // Servers that have seen a later state use this one again.
    try instance.map.database.acceptState()
    return Outcome(
      devices: instance.map.index.snapshot.count, erasedAgain: erased, pictures: pictures)
  }
}
