import Foundation
import SpatialDatabase
import Testing

@testable import TileArchives

@Suite struct MBTilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func made(_ sql: String) throws -> String {
    let path = folder.url.appendingPathComponent("map.mbtiles").path
    let database = try Database(path: path)
    try database.write { connection in
      for statement in (Self.tables + sql).split(separator: ";") {
        let text = statement.trimmingPrefix { $0.isWhitespace }
        if !text.isEmpty { try connection.execute(String(text)) }
      }
    }
    try database.close()
    return path
  }

  private static let tables = """
    CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    """

  @Test func `row numbers count from the south in the file and from the north in Farol`() throws {
    let archive = try TileArchive(
      path: made(
        """
        INSERT INTO tiles VALUES (1, 0, 1, x'0102');
        INSERT INTO metadata VALUES ('minzoom', '1'), ('maxzoom', '3'), ('format', 'pbf'),
          ('bounds', '-76.7, 39.2,-76.4,39.4'), ('attribution', '© Example'),
          ('json', '{"vector_layers": [{"id": "transportation"}]}');
        """))
    #expect(try archive.tile(z: 1, x: 0, y: 0) == [1, 2])
    #expect(try archive.tile(z: 1, x: 0, y: 1) == nil)
    #expect(archive.zooms == 1...3)
    #expect(archive.schema == .openMapTiles)
    #expect(archive.bounds == TileBounds(west: -76.7, south: 39.2, east: -76.4, north: 39.4))
  }

  @Test(arguments: ["minzoom', '-1", "maxzoom', '-1", "minzoom', 'one", "minzoom', '27"])
  func `zoom levels that do not exist are refused`(metadata: String) throws {
    let path = try made(
      "INSERT INTO tiles VALUES (1, 0, 1, x'0102');"
        + "INSERT INTO metadata VALUES ('\(metadata)');")
    #expect(throws: UnreadableArchive.self) { try TileArchive(path: path) }
  }

  @Test func `an empty file, a file of another kind and a missing file are refused`() throws {
    let empty = try made("")
    #expect(throws: UnreadableArchive.self) { try TileArchive(path: empty) }
    let words = try folder.write(Array("no map".utf8), to: "words.mbtiles")
    #expect(throws: UnreadableArchive.self) { try TileArchive(path: words) }
    #expect(throws: UnreadableArchive.self) { try TileArchive(path: words + "-none") }
    #expect(throws: UnreadableArchive.self) { try TileArchive(path: folder.url.path) }
  }

  @Test func `a changed file has another version`() throws {
    let path = try folder.write(
      PMTilesBuilder(root: [.init(tile: 0, offset: 0, length: 1)], tiles: [1]).file())
    let before = try TileArchive(path: path).version
    #expect(try TileArchive(path: path).version == before)
    // A copy on another server, which is younger.
    let copy = try folder.write(
      PMTilesBuilder(root: [.init(tile: 0, offset: 0, length: 1)], tiles: [1]).file(),
      to: "copy.pmtiles")
    #expect(try TileArchive(path: copy).version == before)
    for tiles: [UInt8] in [[1, 2], [2]] {
      _ = try folder.write(
        PMTilesBuilder(root: [.init(tile: 0, offset: 0, length: 1)], tiles: tiles).file())
      #expect(try TileArchive(path: path).version != before)
    }
  }

  @Test(arguments: [
    (["streets", "land"], TileSchema.shortbread), (["roads", "earth"], .protomaps),
    (["transportation", "water"], .openMapTiles),
  ])
  func `the schema follows from the roads layer`(layers: [String], schema: TileSchema) {
    #expect(TileSchema(layers: layers) == schema)
    #expect(TileSchema(layers: ["contours"]) == nil)
  }
}
