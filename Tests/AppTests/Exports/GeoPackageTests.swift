@testable import Downloads
import Foundation
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// The GeoPackage, read as a plain SQLite file.
@Suite struct GeoPackageTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func file(_ query: TestApp.Parameters = [:]) throws -> ReadOnlyFile {
    let answer = app.export(.gpkg, query)
    try #require(answer.status == .ok, "\(answer.text)")
    #expect(answer.headers["Content-Type"] == "application/geopackage+sqlite3")
    let path = app.folder.appendingPathComponent("export.gpkg")
    try Data(answer.bytes).write(to: path)
    return try ReadOnlyFile(path: path.path)
  }

  @Test func `it is a valid GeoPackage, with every device, a tree entry and a box each`() throws {
    try app.device(name: "West", longitude: -9.1, latitude: 38.7)
    try app.device(name: "East", longitude: 7.4, latitude: 46.9)
    try file().read { connection in
      #expect(try connection.integer("PRAGMA application_id") == 0x4750_4B47)
      #expect(try connection.integer("PRAGMA user_version") == 10_300)
      #expect(try connection.text("PRAGMA integrity_check") == "ok")
      #expect(
        try connection.rows("SELECT name FROM devices ORDER BY fid") { $0.text(0) } == [
          "West", "East",
        ])
      #expect(
        try connection.rows(
          "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = 'devices'"
        ) { [$0.double(0), $0.double(1), $0.double(2), $0.double(3)] } == [[-9.1, 38.7, 7.4, 46.9]])
      let found = try connection.integer(
        """
        SELECT count(*) FROM rtree_devices_geom JOIN devices ON fid = rtree_devices_geom.id
        WHERE minx <= -9 AND maxx >= -10 AND name = 'West'
        """)
      #expect(found == 1)
      #expect(try connection.integer("SELECT count(*) FROM rtree_devices_geom") == 2)
    }
  }

  @Test func `a point is little-endian WKB after a header without an envelope`() throws {
    let bytes = GeoPackage.point(7.4, -46.9)
    #expect(bytes.count == 29)
    #expect(Array(bytes.prefix(13)) == [0x47, 0x50, 0, 1, 0xE6, 0x10, 0, 0, 1, 1, 0, 0, 0])
  }

  @Test func `licence, attribution, query and date are in its metadata`() throws {
    try app.importCSV("id,name,lon,lat\n1,Imported,7,46\n")
    try file(["category": "camera_fixed"]).read { connection in
      let metadata = try #require(try connection.text("SELECT metadata FROM gpkg_metadata"))
      for part in [
        "CC0-1.0", "© Test list", "devices.gpkg?category=camera_fixed", "2026-11-21T12:00:00Z",
      ] {
        #expect(metadata.contains(part))
      }
      #expect(try connection.integer("SELECT md_file_id FROM gpkg_metadata_reference") == 1)
      #expect(
        try connection.text("SELECT licence FROM devices") == "CC0-1.0")
    }
  }

  @Test func `values keep their types`() throws {
    try app.device { fields in
      fields.units = 3
      fields.height = 2.5
    }
    try file().read { connection in
      let types = try connection.first(
        """
        SELECT typeof(units), typeof(height), typeof(approximate), typeof(description), created_at,
          typeof(geom) FROM devices
        """
      ) { row in (0..<6).map { row.text($0) } }
      #expect(
        types == ["integer", "real", "integer", "null", "2026-11-21T12:00:00.000Z", "blob"])
    }
  }

  @Test func `no temporary file is left behind`() throws {
    try app.device()
    let folder = FileManager.default.temporaryDirectory.path
    func files() -> Set<String> {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return Set(all.filter { $0.hasPrefix("farol-export-") })
    }
    let before = files()
    _ = try file()
    #expect(files().subtracting(before).isEmpty)
  }

  @Test func `it is valid without devices too`() throws {
    let counts = try file().read { connection in
      [
        try connection.integer("SELECT count(*) FROM devices"),
        try connection.integer("SELECT count(*) FROM gpkg_contents WHERE min_x IS NULL"),
      ]
    }
    #expect(counts == [0, 1])
  }
}
