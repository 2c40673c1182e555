import Foundation
internal import Locking
package import Logging
package import PrivacyMap
import Service

/// The borders of places in the street maps, and of countries and regions.
package final class BorderStore: Sendable {
  private let files: [BorderFile]
  /// The number of the file with the border of each place. A street map comes before the map of the world, because its
  /// borders are more exact.
  private let fileOf: [Int64: Int]
  private let regions = Locked(KeptRegions())
  private let parts = Locked(KeptRegions())

  /// Opens files that set-up created. An unreadable file is logged and left out, because places then have boxes.
  ///
  /// - Parameters:
  ///   - paths: the files, the most exact borders first.
  ///   - logger: receives the names of unreadable files.
  package init(paths: [String], logger: Logger? = nil) {
    var files: [BorderFile] = []
    var fileOf: [Int64: Int] = [:]
    for path in paths {
      do {
        let file = try BorderFile(path: path)
        for place in try file.places() where fileOf[place] == nil { fileOf[place] = files.count }
        files.append(file)
      } catch {
        logger?.warning("a file of borders cannot be read: \(error)")
      }
    }
    (self.files, self.fileOf) = (files, fileOf)
  }

  /// The borders in the folder of a gazetteer, as set-up makes them.
  package convenience init(beside gazetteer: String) {
    let folder = URL(fileURLWithPath: gazetteer).deletingLastPathComponent()
    let streets = Folders.files(
      at: folder.appendingPathComponent("streets").path, endings: [".borders.db"])
    let world = folder.appendingPathComponent("borders.db").path
    self.init(paths: streets + (FileManager.default.fileExists(atPath: world) ? [world] : []))
  }

  /// No borders.
  package init() { (files, fileOf) = ([], [:]) }

  /// Whether the border of the place is known.
  func has(_ place: Int64) -> Bool { fileOf[place] != nil }

  /// The box of each border.
  func boxes() throws -> [Int64: BoundingBox] {
    try files.enumerated().reduce(into: [:]) { boxes, file in
      for (place, box) in try file.element.boxes() where fileOf[place] == file.offset {
        boxes[place] = box
      }
    }
  }

  private func file(of place: Int64) -> BorderFile? { fileOf[place].map { files[$0] } }

  func border(of place: Int64, _ language: String) throws -> Border? {
    try file(of: place)?.border(of: place, language)
  }

  /// The credit for the border of a place, and the day of its data.
  package func source(of place: Int64) -> (attribution: String, date: String?)? {
    file(of: place).map { ($0.attribution, $0.date) }
  }

  /// The inside of the border of a place. Nil without a border, and for a country that only has drawings.
  ///
  /// The last regions are cached, because their cells take longer to compute than most counts.
  func region(of place: Int64) throws -> Region? {
    guard let file = file(of: place) else { return nil }
    if let kept = regions.withLock({ $0.region(of: place) }) { return kept }
    guard let region = try file.shape(of: place).flatMap(Region.init) else { return nil }
    regions.withLock { $0.keep(region, of: place) }
    return region
  }

  /// The country of which a place is a part, and the positions that are nearer to it than to the other parts.
  ///
  /// Its own border cannot decide: it is coarser than the map of countries, so devices on a coast or at a border would
  /// be in the country and in none of its parts.
  func part(of place: Int64) throws -> (country: String, nearest: Region)? {
    guard let known = try file(of: place)?.part(of: place) else { return nil }
    if let kept = parts.withLock({ $0.region(of: place) }) { return (known.country, kept) }
    guard let region = Region(known.nearest) else { return nil }
    parts.withLock { $0.keep(region, of: place) }
    return (known.country, region)
  }

  /// The polygons of a place to draw at a zoom.
  package func drawing(of place: Int64, atZoom zoom: Int) throws -> RegionShape? {
    try file(of: place)?.drawing(of: place, atZoom: zoom)
  }

  /// The places directly inside a place, from its own file or otherwise from the first file that has any.
  func parts(of place: Int64, _ language: String, limit: Int) throws -> [Border] {
    for file in files {
      let parts = try file.parts(of: place, language, limit: limit)
      if !parts.isEmpty { return parts }
    }
    return []
  }

  func neighbours(of place: Int64, _ language: String, limit: Int) throws -> [Border] {
    try file(of: place)?.neighbours(of: place, language, limit: limit) ?? []
  }

  /// The places that the gazetteer does not have and whose name begins with a text.
  func named(_ text: String, _ language: String, limit: Int) throws -> [Border] {
    try files.reduce(into: []) { found, file in
      guard found.count < limit else { return }
      for border in try file.named(text, language, limit: limit - found.count)
      where !found.contains(where: { $0.place == border.place }) {
        found.append(border)
      }
    }
  }
}

/// The regions that were used last, within a limit of memory.
private struct KeptRegions {
  /// In bytes.
  private static let limit = 12 << 20

  private var regions: [Int64: (region: Region, used: UInt64)] = [:]
  private var size = 0
  private var clock: UInt64 = 0

  mutating func region(of place: Int64) -> Region? {
    guard let kept = regions[place] else { return nil }
    clock += 1
    regions[place] = (kept.region, clock)
    return kept.region
  }

  mutating func keep(_ region: Region, of place: Int64) {
    let memory = region.memoryFootprint
    guard memory <= Self.limit / 2, regions[place] == nil else { return }
    clock += 1
    regions[place] = (region, clock)
    size += memory
    while size > Self.limit, let oldest = regions.min(by: { $0.value.used < $1.value.used }) {
      regions[oldest.key] = nil
      size -= oldest.value.region.memoryFootprint
    }
  }
}
