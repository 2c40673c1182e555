import Downloads
import Logging
import Pictures
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
    if database.holdsFiles { return try StoredFiles(in: database, drafts: "").findings() }
    let files = try database.read(limit: .none) { connection in
      // The file of tiles has a row since schema 39, snapshot files since schema 18.
      let schema = try connection.schemaVersion()
      let tiles = schema < 39 ? nil : try NightlyTilesFile.current(connection)
      return try (schema < 18 ? [] : NightlyFile.ofSnapshots(connection))
        + (tiles.map { [$0.file] } ?? [])
    }
    return try FolderFiles(path: snapshots).damaged(among: files).map { file in
      "the nightly file \(file.name) is damaged: its content differs from its record"
    }
  }
}
