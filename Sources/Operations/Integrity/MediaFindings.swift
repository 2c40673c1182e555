import Devices
import Logging
import Pictures
package import SpatialDatabase

extension IndexCheck {
  /// The problems of the photo folder, one sentence each; empty if it is in order.
  package static func mediaFindings(database: Database, media: String) throws -> [String] {
    let folder = MediaFolder(path: media, logger: Logger(label: "check"))
    return try MediaCheck(database: database, folder: folder).findings()
  }
}
