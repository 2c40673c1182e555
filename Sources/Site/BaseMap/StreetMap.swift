import Foundation
import Logging
import Secrets
import Service
import TileArchives

/// One file with street or aerial image tiles, and its name in URLs.
package struct StreetMap: Sendable {
  /// The file name in lower case and eight digits that depend on the file. A tile of one URL therefore
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
    let digest = Digest.sha256(Array((path + archive.version).utf8)).prefix(4)
    id =
      plain.joined() + "-"
      + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The files that an instance serves, in the order of the settings; files of a folder by name.
  ///
  /// Unreadable files are logged and skipped, because the map works without them.
  static func all(in folders: Folders, logger: Logger) -> [StreetMap] {
    places(folders).flatMap { files(at: $0, endings: [".mbtiles", ".pmtiles"]) }.compactMap {
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

  /// The address searches that set-up made beside the street maps: `portugal.addresses.db` for `portugal.mbtiles`.
  static func addresses(in folders: Folders) -> [String] {
    places(folders).flatMap { path in
      let found = files(at: path, endings: [".addresses.db"])
      guard found == [path] else { return found }
      let beside = URL(fileURLWithPath: path).deletingPathExtension().path + ".addresses.db"
      return FileManager.default.fileExists(atPath: beside) ? [beside] : []
    }
  }

  private static func places(_ folders: Folders) -> [String] {
    folders.streets ?? folders.data.map { $0.appendingPathComponent("streets").path }
  }

  /// The files in a folder with one of the endings, or the path itself if it is a file; empty if the folder does not
  /// exist.
  private static func files(at path: String, endings: [String]) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    guard isFolder.boolValue else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }
      .sorted().map { URL(fileURLWithPath: path).appendingPathComponent($0).path }
  }
}
