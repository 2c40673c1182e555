package import JSON

/// A file of ready-made map tiles: PMTiles version 3 or MBTiles.
///
/// Tiles are read one by one from the file, so memory use does not depend on the file's size: a planet of
/// more than 100 GB needs no more memory than a town.
package struct TileArchive: Sendable {
  private let content: any TileContentSource
  /// The credit for the makers of the tiles; may be empty.
  package let attribution: String
  /// The zoom levels in the file.
  package let zooms: ClosedRange<Int>
  /// The area covered by the file; nil if the file does not state it, which means the whole world.
  package let bounds: TileBounds?
  /// Media type of the tiles.
  package let mediaType: String
  /// Names of the layers of vector tiles.
  package let layers: [String]
  /// The metadata of a PMTiles file, a JSON object; null for MBTiles.
  package let metadata: JSONValue
  /// The naming of layers and their properties; nil for raster tiles and unknown schemas.
  package let schema: TileSchema?
  /// Sixteen hexadecimal digits that depend on the content, and are the same for copies of a file.
  package let version: String

  /// Opens a file. The format is detected from the first bytes, not from the name.
  ///
  /// - Throws: ``UnreadableArchive``, with the file and the problem.
  package init(path: String) throws {
    let file = try RandomAccessFile(path: path)
    let start = try file.bytes(at: 0, count: min(16, file.size))
    let content: any TileContentSource =
      if start.starts(with: PMTilesHeader.magic) {
        try PMTilesFile(file)
      } else if start.starts(with: MBTilesFile.magic) {
        try MBTilesFile(path: path)
      } else {
        throw UnreadableArchive(path, "is neither PMTiles nor MBTiles")
      }
    let description = content.description
    self.content = content
    attribution = description.attribution
    zooms = description.zooms
    bounds = description.bounds
    mediaType = description.mediaType
    layers = description.layers
    metadata = description.metadata
    schema = TileSchema(layers: description.layers)
    version = try file.digest()
  }

  /// The bytes of a tile as stored, compressed with gzip or not; nil if the tile does not exist.
  ///
  /// - Parameters:
  ///   - z: the zoom.
  ///   - x: the column, from the west.
  ///   - y: the row, from the north.
  /// - Returns: the bytes, or nil.
  /// - Throws: ``UnreadableArchive`` for a damaged file, or an error of the database.
  package func tile(z: Int, x: Int, y: Int) throws -> [UInt8]? {
    guard zooms.contains(z), (0..<(1 << z)).contains(x), (0..<(1 << z)).contains(y) else {
      return nil
    }
    return try content.tile(z: z, x: x, y: y)
  }
}

/// A file format for tiles.
protocol TileContentSource: Sendable {
  var description: TileDescription { get }
  /// Called only with a zoom in `description.zooms` and a column and row that exist at this zoom.
  func tile(z: Int, x: Int, y: Int) throws -> [UInt8]?
}

/// The metadata of a file.
struct TileDescription {
  /// The deepest zoom that is served: the 4^26 tiles still have 64-bit numbers, and browsers show no
  /// deeper zooms.
  static let deepest = 26

  var attribution = ""
  var zooms: ClosedRange<Int>
  var bounds: TileBounds?
  var mediaType: String
  var layers: [String] = []
  var metadata = JSONValue.null
}

/// A box in degrees (WGS 84).
package struct TileBounds: Equatable, Sendable {
  package let west, south, east, north: Double

  /// The whole world.
  package static let world = TileBounds()

  private init() { (west, south, east, north) = (-180, -90, 180, 90) }

  /// Nil if the numbers are not a valid box, as in files without bounds.
  package init?(west: Double, south: Double, east: Double, north: Double) {
    guard (-180...180).contains(west), (-180...180).contains(east), west < east,
      (-90...90).contains(south), (-90...90).contains(north), south < north
    else { return nil }
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }
}

/// The naming of layers and properties in vector street tiles.
package enum TileSchema: String, Sendable {
  /// openmaptiles.org/schema
  case openMapTiles = "openmaptiles"
  /// docs.protomaps.com/basemaps/layers, version 3 and later
  case protomaps
  /// shortbread-tiles.org/schema
  case shortbread

  /// Detects the schema by its road layer.
  init?(layers: [String]) {
    if layers.contains("transportation") {
      self = .openMapTiles
    } else if layers.contains("streets") {
      self = .shortbread
    } else if layers.contains("roads") {
      self = .protomaps
    } else {
      return nil
    }
  }
}

/// A file that is not a tile archive, is empty, or is damaged.
package struct UnreadableArchive: Error, CustomStringConvertible {
  package let description: String

  init(_ path: String, _ fault: String) {
    description = "\(path) \(fault)"
  }
}
