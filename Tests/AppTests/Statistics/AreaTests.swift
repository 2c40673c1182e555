@testable import App
@testable import Devices
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// Areas, grids and tables.
@Suite struct AreaTests {
  let app: TestApp

  init() throws {
    app = try TestApp { try TestPlaces.make(in: $0) }
    // Two in Lisbon, one of them of a household; one in São Paulo.
    try app.device(.cameraFixed, longitude: -9.15, latitude: 38.7) { $0.retention = "P1M" }
    try app.device(.doorbell, longitude: -9.15, latitude: 38.7, precision: .kilometre) {
      $0.answersFor = Operator(kind: .household)
    }
    try app.device(.webcam, longitude: -46.5, latitude: -23.5)
    try app.app.write { connection in
      try connection.execute("UPDATE device SET country = 'PT' WHERE longitude > -10")
      for row in try connection.rows("SELECT rowid FROM device", decode: { $0.int(0) }) {
        try app.writer.change(row, kind: .changed, app.clock.now, connection)
      }
    }
  }

  @Test func `density is the total divided by the area of the box`() throws {
    let lisbon = ("bbox", "-9.3,38.6,-9.0,38.8")
    let found = try app.statistics([lisbon])
    let size = try #require(found.json["square_kilometres"]?.numberValue)
    // 0.3° by 0.2° at 38.7°: 26.0 km by 22.2 km.
    #expect(abs(size - 579) < 3)
    let density = try #require(found.json["devices_per_square_kilometre"]?.numberValue)
    #expect(abs(density - 2 / size) < 1e-12)
    #expect(try app.statistics().json["square_kilometres"] == .null)
    #expect(try app.statistics().json["devices_per_square_kilometre"] == .null)
    // The size of a place without a border is unknown.
    #expect(try app.statistics([("place", "2")]).json["square_kilometres"] == .null)
  }

  @Test func `a country has the area of the country map, and excludes a box`() throws {
    let app = try TestApp { try TestFolder.linkCountries($0) }
    try app.device(longitude: 6.13, latitude: 49.61)
    let found = try app.statistics([("country", "LU"), ("compare", "country:LU")])
    #expect(found.total == 1)
    let size = try #require(found.json["square_kilometres"]?.numberValue)
    #expect(abs(size - 2_586) < 26)
    #expect(found.areas.first?.json["square_kilometres"]?.numberValue == size)
    let both = try app.statistics([("country", "LU"), ("bbox", "6,49,7,50")])
    #expect(both.total == 1)
    #expect(both.json["square_kilometres"] == .null)
    #expect(try app.statistics([("country", "LU,XX")]).json["square_kilometres"] == .null)
  }

  @Test func `areas are compared under one filter, in the requested order`() throws {
    let query = [("compare", "place:1"), ("compare", "country:PT"), ("compare", "country:ES")]
    let found = try app.statistics(query + [("group_by", "category"), ("interval", "day")])
    #expect(found.total == 3)
    #expect(found.areas.map(\.total) == [1, 2, 0])
    #expect(found.areas.compactMap { $0.json["area"]?.stringValue } == query.map(\.1))
    #expect(found.areas[0].json["name"] == "São Paulo")
    #expect(found.areas[1].json["name"] == .null)
    #expect(
      try found.areas[1].counts("category") == ["camera_fixed": 1, "doorbell_camera": 1])
    #expect(found.areas[1].headline("operator_known") == 1)
    #expect(found.areas[1].headline("retention_known") == 1)
    #expect(found.areas[0].json["square_kilometres"] == .null)
    #expect(found.areas[2].json["series"] == [])

    let narrowed = try app.statistics(query + [("category", "webcam"), ("interval", "day")])
    #expect(narrowed.areas.map(\.total) == [1, 0, 0])
    #expect(narrowed.areas[2].column("standing") == [0])
    let elsewhere = try app.statistics(query + [("country", "ES")])
    #expect(elsewhere.areas.map(\.total) == [0, 0, 0])
    let words = try app.statistics(query + [("q", "device")])
    #expect(words.areas.map(\.total) == [1, 2, 0])
  }

  @Test func `the name of a place is in the requested language`() throws {
    let found = try app.statistics([("compare", "place:2"), ("lang", "pt")])
    #expect(found.areas.first?.json["name"] == "Lisboa")
    #expect(found.json["definition"]?.stringValue?.hasPrefix("Aparelhos") == true)
  }

  @Test func `a grid counts devices in tiles, and coarse ones separately at high zooms`() throws {
    let far = try app.statistics([("grid", "3")])
    #expect(far.cells == ["3 3": 2, "2 4": 1])
    #expect(far.json["grid"]?["coarser"] == 0)
    let near = try app.statistics([("grid", "15"), ("place", "2")])
    #expect(near.cells.count == 1 && near.cells.values.first == 1)
    #expect(near.json["grid"]?["coarser"] == 1)
    let kilometre = try app.statistics([("grid", "14"), ("place", "2")])
    #expect(kilometre.cells.values.reduce(0, +) == 2)
    #expect(kilometre.json["grid"]?["coarser"] == 0)
  }

  @Test func `a table has the same rows as the figures`() throws {
    try app.device(.webcam, longitude: -9.15, latitude: 38.7) {
      $0.answersFor = Operator(name: "=cmd|' /C calc'!A0, \"Ltd\"", kind: .company)
    }
    let groups = app.get("/api/statistics", ["group_by": "operator", "f": "csv"])
    #expect(groups.headers["Content-Type"] == "text/csv;charset=utf-8;header=present")
    #expect(
      groups.text == """
        operator,count,suppressed,generated_at\r
        ,3,false,2026-11-21T12:00:00Z\r
        "'=cmd|' /C calc'!A0, ""Ltd\"\"",1,false,2026-11-21T12:00:00Z\r

        """)
    let series = app.get(
      "/api/statistics", ["compare": "country:PT", "interval": "day", "f": "csv"])
    #expect(
      series.text == """
        area,start,end,added,confirmed,removed,standing,generated_at\r
        ,2026-11-21,2026-11-21,4,0,0,4,2026-11-21T12:00:00Z\r
        country:PT,2026-11-21,2026-11-21,2,0,0,2,2026-11-21T12:00:00Z\r

        """)
    let grid = app.get("/api/statistics", ["grid": "0", "f": "csv"])
    #expect(
      grid.text == "zoom,x,y,count,generated_at\r\n0,0,0,4,2026-11-21T12:00:00Z\r\n")
    let total = app.get("/api/statistics", [:], headers: ["Accept": "text/csv"])
    #expect(
      total.text == """
        total,operator_known,retention_known,choice_offered,square_kilometres,\
        devices_per_square_kilometre,generated_at\r
        4,2,1,0,,,2026-11-21T12:00:00Z\r

        """)
  }
}
