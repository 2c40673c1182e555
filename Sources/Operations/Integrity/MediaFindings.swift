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

  /// The problems of snapshots in the database, one sentence each; empty if they are in order or in a folder.
  package static func storedFindings(database: Database) throws -> [String] {
    database.isOnServer ? try StoredFiles(in: database, drafts: "").findings() : []
  }
}
