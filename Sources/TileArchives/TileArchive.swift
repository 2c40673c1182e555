/// A file of ready-made map tiles: PMTiles version 3 or MBTiles.
///
/// Tiles are read one by one from the file, so memory does not grow with the file: a planet of more
/// than 100 GB is served like a town.
package struct TileArchive: Sendable {
  private let content: any TileContentSource
  /// What credits the makers of the tiles; empty where the file names nobody.
  package let attribution: String
  /// Levels of detail that the file holds.
  package let zooms: ClosedRange<Int>
  /// The area that the file covers; nil where the file does not say, which means the whole world.
  package let bounds: TileBounds?
  /// Media type of the tiles.
  package let mediaType: String
  /// Names of the layers of vector tiles.
  package let layers: [String]
  /// How the layers and their properties are named; nil for pictures and unknown schemas.
  package let schema: TileSchema?
  /// Differs between two files, and between two states of one file.
  package let version: String

  /// Opens the file, whatever its name ends in: the first bytes tell the format.
  ///
  /// - Throws: ``UnreadableArchive``, whose text names the file and the fault.
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
    schema = TileSchema(layers: description.layers)
    version = file.version
  }

  /// The bytes of a tile as the file holds them, gzipped or not; nil where there is none.
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

/// One format of files with tiles.
protocol TileContentSource: Sendable {
  var description: TileDescription { get }
  /// Called with a zoom of `description.zooms` and a column and row that exist there.
  func tile(z: Int, x: Int, y: Int) throws -> [UInt8]?
}

/// What a file says of its tiles.
struct TileDescription {
  /// The deepest zoom that is served: 4^26 tiles still have numbers of 64 bits, and browsers draw no deeper.
  static let deepest = 26

  var attribution = ""
  var zooms: ClosedRange<Int>
  var bounds: TileBounds?
  var mediaType: String
  var layers: [String] = []
}

/// A box in degrees (WGS 84).
package struct TileBounds: Equatable, Sendable {
  package let west, south, east, north: Double

  /// Nil for numbers that are no box on the map, as files without bounds have them.
  init?(west: Double, south: Double, east: Double, north: Double) {
    guard (-180...180).contains(west), (-180...180).contains(east), west < east,
      (-90...90).contains(south), (-90...90).contains(north), south < north
    else { return nil }
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }
}

/// How vector tiles of streets name their layers and properties.
package enum TileSchema: String, Sendable {
  /// openmaptiles.org/schema
  case openMapTiles = "openmaptiles"
  /// docs.protomaps.com/basemaps/layers, version 3 and later
  case protomaps
  /// shortbread-tiles.org/schema
  case shortbread

  /// The schema whose layer of roads is there.
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

/// A file that is no archive of tiles, an empty one, or a damaged one.
package struct UnreadableArchive: Error, CustomStringConvertible {
  package let description: String

  init(_ path: String, _ fault: String) {
    description = "\(path) \(fault)"
  }
}
