import Foundation
import Logging
import Secrets
import Service
import TileArchives

/// One file with street or aerial image tiles, and its name in URLs.
package struct StreetMap: Sendable {
  /// The file name in lower case and eight digits that depend on its content. A tile of one URL therefore
  /// never changes and can be cached permanently.
  let id: String
  let archive: TileArchive

  /// The URL template of the tiles, for map libraries.
  var tiles: String { "/streets/\(id)/{z}/{x}/{y}.mvt" }

  init(path: String) throws {
    archive = try TileArchive(path: path)
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent.lowercased()
    let plain = name.unicodeScalars.prefix(40).map { scalar in
      ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? String(scalar) : "-"
    }
    let digest = Digest.sha256(Array((name + archive.version).utf8)).prefix(4)
    id = plain.joined() + "-" + Hexadecimal.text(of: digest)
  }

  /// The files that an instance serves, in the order of the settings; files of a folder by name.
  ///
  /// Unreadable files are logged and skipped, because the map works without them.
  static func all(in folders: Folders, logger: Logger) -> [StreetMap] {
    folders.streetPlaces.flatMap { Folders.files(at: $0, endings: [".mbtiles", ".pmtiles"]) }
      .compactMap {
        path in
        do { return try StreetMap(path: path) } catch {
          logger.warning("a street map cannot be read: \(error)")
          return nil
        }
      }
  }

  /// The file of aerial images. One that cannot be read, or has no images, is logged and left out.
  static func satellite(in folders: Folders, logger: Logger) -> StreetMap? {
    guard let path = folders.satellite else { return nil }
    do {
      let map = try StreetMap(path: path)
      if map.archive.mediaType.hasPrefix("image/") { return map }
      logger.warning("FAROL_SATELLITE names a map without images")
    } catch { logger.warning("the aerial images cannot be read: \(error)") }
    return nil
  }
}
