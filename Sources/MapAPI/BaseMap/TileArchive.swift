import JSON
import SpatialDatabase

/// A file of ready-made tiles in the MBTiles format (github.com/mapbox/mbtiles-spec, 1.3): a SQLite
/// file whose vector tiles are gzipped and whose rows count from the south.
package struct TileArchive: Sendable {
  private let file: ReadOnlyFile
  /// What credits the makers of the tiles.
  package let attribution: String
  /// Levels of detail it holds.
  package let zooms: ClosedRange<Int>
  /// Media type of its tiles.
  package let mediaType: String
  /// Names of the layers of vector tiles.
  package let layers: [String]
  /// Differs between two archives made from different data.
  let version: String

  /// - Throws: an error of the database, or ``UnreadableArchive`` when the file holds no tiles.
  package init(path: String) throws {
    let file = try ReadOnlyFile(path: path)
    var metadata: [String: String] = [:]
    let (count, size) = try file.read { connection in
      try connection.forEach("SELECT name, value FROM metadata") {
        metadata[$0.text(0)] = $0.text(1)
      }
      return try connection.first(
        "SELECT count(*), COALESCE(sum(length(tile_data)), 0) FROM tiles"
      ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    }
    guard count > 0, let lowest = Int(metadata["minzoom"] ?? "0"),
      let highest = Int(metadata["maxzoom"] ?? "14"), lowest <= highest
    else { throw UnreadableArchive() }
    self.file = file
    attribution = metadata["attribution"] ?? ""
    zooms = lowest...highest
    layers = Self.layers(metadata["json"])
    mediaType =
      switch metadata["format"] {
      case "png": "image/png"
      case "jpg", "jpeg": "image/jpeg"
      case "webp": "image/webp"
      default: "application/vnd.mapbox-vector-tile"
      }
    version = "\(count)-\(size)"
  }

  private static func layers(_ json: String?) -> [String] {
    guard let json, let value = try? JSONValue(parsing: Array(json.utf8)) else { return [] }
    return value["vector_layers"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
  }

  /// The bytes of a tile, rows counted from the north; nil where there is none.
  func tile(z: Int, x: Int, y: Int) throws -> [UInt8]? {
    try file.read { connection in
      try connection.first(
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
        [SQLValue(z), SQLValue(x), SQLValue((1 << z) - 1 - y)]
      ) { $0.blob(0) }
    }
  }
}

/// A file that is no MBTiles archive, or an empty one.
package struct UnreadableArchive: Error {}
