import Foundation
import JSON
import Testing
import WebServer

@Suite struct StreetMapTests {
  /// An instance whose folder of street maps contains the test's base map under another name, and
  /// `more`.
  private func app(_ more: (URL) throws -> Void = { _ in }) throws -> TestApp {
    try TestApp { folder in
      let streets = folder.appendingPathComponent("streets")
      try FileManager.default.createDirectory(at: streets, withIntermediateDirectories: false)
      try TestTiles.make(in: streets)
      try FileManager.default.moveItem(
        at: streets.appendingPathComponent("basemap.mbtiles"),
        to: streets.appendingPathComponent("Ilha da Madeira.mbtiles"))
      try more(streets)
    }
  }

  @Test func `every file of the folder is served at an address with its name`() throws {
    let app = try app()
    let maps = try #require(try app.get("/api/settings").json["streets"]?.arrayValue)
    #expect(maps.count == 1)
    let template = try #require(maps.first?["tiles"]?.stringValue)
    #expect(template.hasPrefix("/streets/ilha-da-madeira-"))
    let address = template.replacing("{z}", with: "1").replacing("{x}", with: "0")
    let tile = app.get(address.replacing("{y}", with: "0"))
    #expect(tile.status == .ok)
    #expect(tile.text == "north-west")
    #expect(tile.headers["Cache-Control"] == "public, max-age=31536000")
    #expect(app.get(address.replacing("{y}", with: "1")).status == .noContent)
  }

  @Test func `an unknown map returns 404`() throws {
    #expect(try app().get("/streets/ilha-da-madeira/1/0/0.mvt").status == .notFound)
  }

  @Test func `a damaged file is left out and others are served`() throws {
    let app = try app { folder in
      try Data("no map".utf8).write(to: folder.appendingPathComponent("broken.pmtiles"))
      try Data("no map".utf8).write(to: folder.appendingPathComponent("notes.txt"))
    }
    #expect(try app.get("/api/settings").json["streets"]?.arrayValue?.count == 1)
  }

  @Test func `settings have the schema and the area of a map, or null without them`()
    throws
  {
    let map = try app().get("/api/settings").json["streets"]?.arrayValue?.first
    #expect(map?["schema"]?.isNull == true)
    #expect(map?["bounds"]?.isNull == true)
    #expect(map?["format"]?.stringValue == "vector")
    #expect(map?["min_zoom"]?.intValue == 0)
  }
}
