import JSON
import SpatialDatabase

/// A file in the MBTiles format (github.com/mapbox/mbtiles-spec, 1.3): a SQLite file whose vector tiles
/// are compressed with gzip and whose rows are numbered from the south.
struct MBTilesFile: TileContentSource {
  /// The first bytes of every SQLite file (sqlite.org/fileformat.html §1.3.1).
  static let magic = Array("SQLite format 3".utf8)

  private let file: ReadOnlyFile
  let description: TileDescription

  init(path: String) throws {
    file = try ReadOnlyFile(path: path)
    description = try Self.describe(file, path: path)
  }

  private static func describe(_ file: ReadOnlyFile, path: String) throws -> TileDescription {
    var metadata: [String: String] = [:]
    // Counting the tiles would read the whole file.
    let first = try file.read { connection in
      try connection.forEach("SELECT name, value FROM metadata") {
        metadata[$0.text(0)] = $0.text(1)
      }
      return try connection.first("SELECT zoom_level FROM tiles LIMIT 1") { $0.int(0) }
    }
    guard first != nil else { throw UnreadableArchive(path, "contains no tiles") }
    guard let lowest = Int(metadata["minzoom"] ?? "0"),
      let highest = Int(metadata["maxzoom"] ?? "14"),
      (0...TileDescription.deepest).contains(lowest), lowest <= highest
    else { throw UnreadableArchive(path, "has invalid zoom levels") }
    return TileDescription(
      attribution: metadata["attribution"] ?? "",
      zooms: lowest...min(highest, TileDescription.deepest),
      bounds: metadata["bounds"].flatMap(bounds),
      mediaType: mediaType(metadata["format"]),
      layers: metadata["json"].map { VectorLayers.names(Array($0.utf8)) } ?? [])
  }

  private static func bounds(_ text: String) -> TileBounds? {
    let numbers = text.split(separator: ",").map { Double($0.filter { $0 != " " }) ?? .nan }
    guard numbers.count == 4 else { return nil }
    return TileBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  private static func mediaType(_ format: String?) -> String {
    switch format {
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    default: VectorLayers.mediaType
    }
  }

  func tile(z: Int, x: Int, y: Int) throws -> [UInt8]? {
    try file.readQuickly { connection in
      try connection.first(
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
        [SQLValue(z), SQLValue(x), SQLValue((1 << z) - 1 - y)]
      ) { $0.blob(0) }
    }
  }
}

/// The description of vector tiles, which both formats store as the same JSON.
enum VectorLayers {
  static let mediaType = "application/vnd.mapbox-vector-tile"

  /// The ids in `vector_layers` (TileJSON 3.0 §3.3); empty if the JSON is not of this form.
  static func names(_ json: [UInt8]) -> [String] {
    guard let value = try? JSONValue(parsing: json) else { return [] }
    return names(value)
  }

  static func names(_ value: JSONValue) -> [String] {
    value["vector_layers"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
  }
}
