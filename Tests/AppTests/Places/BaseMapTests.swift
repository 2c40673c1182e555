import Compression
import Foundation
import JSON
import Testing
import WebServer

@Suite struct BaseMapTests {
  let app: TestApp

  init() throws { app = try TestApp { try TestTiles.make(in: $0) } }

  @Test func `tile rows count from the north, as usual, unlike in the file`() throws {
    let tile = app.get("/basemap/1/0/0.mvt")
    #expect(tile.status == .ok)
    #expect(tile.headers["Content-Type"] == "application/vnd.mapbox-vector-tile")
    #expect(tile.text == "north-west")
    #expect(app.get("/basemap/1/0/1.mvt").status == .noContent)
  }

  @Test func `tiles are sent compressed to clients that support it`() throws {
    let packed = app.get("/basemap/1/0/0.mvt", headers: ["Accept-Encoding": "gzip"])
    #expect(packed.headers["Content-Encoding"] == "gzip")
    #expect(String(decoding: try packed.plainBytes, as: UTF8.self) == "north-west")
  }

  @Test func `tiles may be cached for a day and are requested with their version`() throws {
    let tile = app.get("/basemap/1/0/0.mvt")
    #expect(tile.headers["Cache-Control"] == "public, max-age=86400")
    let tag = try #require(tile.headers["ETag"])
    let again = app.get("/basemap/1/0/0.mvt", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
  }

  @Test func `the settings name the version of the base map, with which tiles never change`() throws
  {
    let template = try #require(
      try app.get("/api/settings").json["base_map"]?["tiles"]?.stringValue)
    let version = try #require(template.split(separator: "=").last.map(String.init))
    func caching(_ version: String) -> String? {
      app.get("/basemap/1/0/0.mvt", ["v": version]).headers["Cache-Control"]
    }
    #expect(version.count == 16)
    #expect(caching(version) == "public, max-age=31536000")
    // A server with another base map, during an upgrade.
    #expect(caching("0123456789abcdef") == "public, max-age=0")
  }

  @Test(arguments: [("1/2/0", "x"), ("1/0/2", "y"), ("a/0/0", "z"), ("-1/0/0", "z")])
  func `numbers out of range are a bad request that names them`(
    address: String, field: String
  ) throws {
    let answer = app.get("/basemap/\(address).mvt")
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == [field])
  }

  @Test func `the settings describe the base map`() throws {
    let map = try #require(try app.get("/api/settings").json["base_map"])
    #expect(map["tiles"]?.stringValue?.hasPrefix("/basemap/{z}/{x}/{y}.mvt?v=") == true)
    #expect(map["min_zoom"]?.intValue == 0 && map["max_zoom"]?.intValue == 1)
    #expect(map["attribution"]?.stringValue == "© Makers")
    #expect(map["format"]?.stringValue == "vector")
    #expect(map["layers"] == ["land"])
  }

  @Test
  func `the coarse map of set-up is served until the full one exists, and the settings say so`()
    throws
  {
    let coarse = try TestApp { folder in
      try TestTiles.make(in: folder)
      try FileManager.default.moveItem(
        at: folder.appendingPathComponent("basemap.mbtiles"),
        to: folder.appendingPathComponent("basemap-small.mbtiles"))
    }
    let tile = coarse.get("/basemap/1/0/0.mvt")
    #expect(tile.text == "north-west")
    #expect(try coarse.get("/api/settings").json["is_base_map_coarse"] == true)
    #expect(try app.get("/api/settings").json["is_base_map_coarse"] == false)
  }
}
