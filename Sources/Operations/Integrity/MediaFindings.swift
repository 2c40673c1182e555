import Devices
import Logging
import Pictures
import Reading
package import SpatialDatabase

extension IndexCheck {
  /// The problems of photos, one sentence each; empty if they are in order. `media` is the folder of photos.
  package static func mediaFindings(database: Database, media: String) throws -> [String] {
    let pictures = MediaFolder.store(of: database, path: media, logger: Logger(label: "check"))
    return try MediaCheck(database: database, pictures: pictures).findings()
  }

  /// The problems of nightly files, one sentence each; empty if they are in order. `snapshots` is their folder, unless
  /// the database contains them.
  package static func nightlyFindings(database: Database, snapshots: String) throws -> [String] {
    try database.isOnServer
      ? StoredFiles(in: database, drafts: "").findings()
      : FolderFiles(path: snapshots).findings(in: database)
  }
}
