import Foundation
package import Logging
package import PrivacyMap
package import Reference
package import Service
package import TileArchives

/// The data files built at set-up. Each may be missing; the log then reports it.
package struct Archives {
  package let baseMap: TileArchive?
  /// Whether it is the coarse one, which set-up builds first.
  package let isBaseMapCoarse: Bool
  package let streets: [StreetMap]
  package let satellite: StreetMap?
  package let places: PlaceStore?
  package let addresses: AddressStore
  package let countries: CountryMap?

  package init(folders: Folders, logger: Logger) {
    func open<File>(
      _ path: String?, _ what: String,
      remedy: String = "`make setup` brings it, `make install-map` to where Farol is installed",
      _ open: (String) throws -> File
    ) -> File? {
      guard let path else { return nil }
      do { return try open(path) } catch {
        logger.warning("\(what) is missing or unreadable: \(remedy)")
        return nil
      }
    }
    /// The path of the first of `names` that exists in one of the folders, otherwise of the first name.
    func find(_ names: [String]) -> String? {
      let paths = names.flatMap { name in
        folders.data.map { $0.appendingPathComponent(name).path }
      }
      return paths.first { FileManager.default.fileExists(atPath: $0) } ?? paths.first
    }
    let coarse = "basemap-small.mbtiles"
    let base = folders.baseMap ?? find(["basemap.mbtiles", coarse])
    baseMap = open(base, "the base map") { try TileArchive(path: $0) }
    isBaseMapCoarse = baseMap != nil && base?.hasSuffix("/\(coarse)") == true
    streets = StreetMap.all(in: folders, logger: logger)
    satellite = StreetMap.satellite(in: folders, logger: logger)
    addresses = AddressStore(
      paths: folders.streetFiles(ending: ".addresses.db"), logger: logger)
    let world = find(["borders.db"]).flatMap { path in
      FileManager.default.fileExists(atPath: path) ? path : nil
    }
    let borders = BorderStore(
      paths: folders.streetFiles(ending: ".borders.db") + [world].compactMap(\.self),
      logger: logger)
    places = open(find(["places.db"]), "the gazetteer") {
      try PlaceStore(path: $0, borders: borders)
    }
    countries = open(find(["countries.bin"]), "the map of countries") {
      try CountryMap([UInt8](Data(contentsOf: URL(fileURLWithPath: $0))))
    }
  }
}
