@testable import App
@testable import Devices
import Downloads
import Foundation
import JSON
import PrivacyMap
@testable import Reading
@testable import Reference
import SpatialDatabase
import Testing
import WebServer

/// Places with real borders: the same devices in lists, statistics, exports and feeds, on both engines.
@Suite struct BorderTests {
  private let app: TestApp
  private let places: PlaceStore

  init() throws {
    app = try TestApp { try TestBorders.make(in: $0) }
    places = try #require(try app.app.instance.places)
  }

  private func get(_ path: String, _ query: [String: String]) -> TestAnswer {
    app.send(.get, target: Request.target(path, query.map { ($0.key, $0.value) }))
  }

  /// The ids of a list.
  private func ids(_ query: [String: String]) throws -> Set<String> {
    let answer = get(Path.items, ["limit": "1000"].merging(query) { $1 })
    try #require(answer.status == .ok, "\(answer.text)")
    let features = try #require(try answer.json["features"]?.arrayValue)
    return Set(features.compactMap { $0["id"]?.stringValue })
  }

  private func addDevices(_ count: Int) throws {
    _ = try app.devices(
      TestBorders.positions(count).map { position in
        (
          DeviceFields(name: "A device", category: CategoryCode.cameraFixed.rawValue),
          DeviceWriter.Placement(place: position, precision: .exact)
        )
      })
  }

  @Test func `a place keeps the number of the gazetteer, and gets the box of its border`() throws {
    let town = try #require(try places.place(id: TestBorders.town))
    #expect(town.name == "Zürich" && town.hasBorder && town.kind == "city")
    #expect(town.box == (try BoundingBox(west: 8.35, south: 47.16, east: 8.73, north: 47.7)))
    let region = try #require(try places.place(id: TestBorders.region))
    #expect(region.hasBorder && region.kind == "region")
    let second = try #require(try places.place(id: TestBorders.secondTown))
    #expect(second.name == "Uster" && second.country == "CH" && second.countryName == "Switzerland")
    #expect(try places.place(id: 2)?.hasBorder == false)
    #expect(try places.place(id: 3_000_000_999) == nil)
  }

  @Test func `a place that the gazetteer lacks is found by its name`() throws {
    let found = try app.get("/api/places", ["q": "kreis s"]).json["places"]?.arrayValue
    #expect(found?.compactMap { $0["name"]?.stringValue } == ["Kreis Süd"])
    #expect(found?.first?["bordered"] == true)
    #expect(found?.first?["kind"] == "district")
  }

  @Test func `the details have the border, the parts and the neighbours`() throws {
    let town = try app.get("/api/places/\(TestBorders.town)").json
    #expect(town["border"]?["attribution"] == "© OpenStreetMap contributors")
    #expect(town["border"]?["date"] == "2026-05-01")
    let size = try #require(town["border"]?["square_kilometres"]?.numberValue)
    // 0.35° at 47.4° by 0.54°: 26 km by 60 km.
    #expect((1_500...1_700).contains(size))
    func names(_ list: String, _ json: JSONValue) -> [String] {
      json[list]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    }
    #expect(names("parts", town) == ["Kreis Nord", "Kreis Süd"])
    #expect(names("neighbours", town) == ["Uster"])
    let region = try app.get("/api/places/\(TestBorders.region)").json
    #expect(names("parts", region) == ["Uster", "Zürich"])
    let without = try app.get("/api/places/2").json
    #expect(without["border"] == .null && without["bordered"] == false)
    #expect(app.get("/api/places/0").status == .notFound)
    #expect(app.get("/api/places/x").status == .notFound)
  }

  @Test func `the border is a multipolygon whose outer ring runs counterclockwise`() throws {
    let answer = app.get("/api/places/\(TestBorders.districts[0])/border")
    #expect(answer.headers["Content-Type"]?.hasPrefix("application/geo+json") == true)
    let json = try answer.json
    #expect(json["geometry"]?["type"] == "MultiPolygon")
    let ring = try #require(
      json["geometry"]?["coordinates"]?.arrayValue?.first?.arrayValue?.first?.arrayValue)
    let corners = ring.compactMap { $0.arrayValue?.compactMap(\.numberValue) }
    #expect(corners.count == 8 && corners.first == corners.last)
    let twice = zip(corners, corners.dropFirst()).reduce(0.0) { sum, side in
      sum + side.0[0] * side.1[1] - side.1[0] * side.0[1]
    }
    #expect(twice > 0)
    #expect(app.get("/api/places/2/border").status == .notFound)
    #expect(
      app.get("/api/places/\(TestBorders.town)/border", ["zoom": "99"]).status == .badRequest)
  }

  @Test func `sums of districts equal the town, and of towns the region`() throws {
    try addDevices(400)
    let district = try TestBorders.districts.map { try ids(["place": "\($0)"]) }
    let town = try ids(["place": "\(TestBorders.town)"])
    #expect(district.map(\.count).reduce(0, +) == town.count)
    #expect(district.reduce(Set()) { $0.union($1) } == town)
    let second = try ids(["place": "\(TestBorders.secondTown)"])
    let region = try ids(["place": "\(TestBorders.region)"])
    #expect(town.count + second.count == region.count)
    #expect(town.union(second) == region)
    #expect(town.count > 50 && second.count > 50)
    // A box does not have this property, because it is not the town.
    #expect(try ids(["bbox": "8.35,47.16,8.73,47.7"]).count > town.count)
  }

  @Test func `lists, statistics, feeds and exports have the same devices`() throws {
    try addDevices(300)
    for place in [TestBorders.region, TestBorders.town] + TestBorders.districts {
      let query = ["place": "\(place)"]
      let listed = try ids(query)
      // With a time the database answers instead of the index.
      #expect(try ids(query.merging(["datetime": "2000-01-01/.."]) { $1 }) == listed)
      #expect(try ids(query.merging(["q": "device"]) { $1 }) == listed)
      #expect(try app.statistics([("place", "\(place)")]).total == listed.count)
      let compared = try app.statistics([("compare", "place:\(place)")])
      #expect(compared.areas.first?.total == listed.count)
      let table = get(TestApp.exportPath(.csv), query).text
      #expect(table.split(separator: "\r\n").count == listed.count + 1)
      let feed = try get("/api/feeds/devices.json", query.merging(["limit": "1000"]) { $1 })
        .json
      #expect(feed["items"]?.arrayValue?.count == min(listed.count, 100))
    }
  }

  @Test func `density is that inside the border, and unknown without one`() throws {
    try addDevices(100)
    let inside = try app.statistics([("place", "\(TestBorders.town)")])
    let size = try #require(inside.json["square_kilometres"]?.numberValue)
    let total = try #require(inside.total)
    let density = try #require(inside.json["devices_per_square_kilometre"]?.numberValue)
    #expect(abs(density - Double(total) / size) < 1e-9)
    let compared = try app.statistics([("compare", "place:\(TestBorders.town)")])
    #expect(compared.areas.first?.json["square_kilometres"]?.numberValue == size)
    for query in [
      [("place", "2")], [("compare", "place:2")],
      [("place", "\(TestBorders.town)"), ("bbox", "8,47,9,48")],
    ] {
      let found = try app.statistics(query)
      let json = found.areas.first?.json ?? found.json
      #expect(json["square_kilometres"] == .null, "\(query)")
    }
  }

  @Test func `the database agrees with the index on 10,000 positions at borders`() throws {
    let positions = TestBorders.positions(10_000)
    try app.database.write { connection in
      try connection.execute(
        """
        CREATE TABLE probe (
          rowid INTEGER PRIMARY KEY, longitude DOUBLE PRECISION NOT NULL,
          latitude DOUBLE PRECISION NOT NULL)
        """)
      for (number, position) in positions.enumerated() {
        try connection.execute(
          "INSERT INTO probe (rowid, longitude, latitude) VALUES (?, ?, ?)",
          [SQLValue(number), .real(position.longitude), .real(position.latitude)])
      }
    }
    for place in [TestBorders.region, TestBorders.town, TestBorders.secondTown]
      + TestBorders.districts
    {
      let region = try #require(try places.area(of: place)?.regions.first)
      let expected = positions.indices.filter { region.contains(FixedPosition(positions[$0])) }
      // On PostgreSQL the reader may not read a table that this test has made.
      let found = try app.database.write { connection in
        let inside = connection.inside(region, "probe")
        return try connection.rows(
          "SELECT probe.rowid FROM probe WHERE \(inside.sql) ORDER BY probe.rowid", inside.arguments
        ) { Int($0.int(0)) }
      }
      #expect(found == expected)
      #expect(expected.count > 1_000)
    }
  }

  @Test func `the page of a place shows its figures without scripts`() throws {
    try addDevices(60)
    let total = try ids(["place": "\(TestBorders.town)"]).count
    let page = app.get("/places/\(TestBorders.town)", ["lang": "en"])
    #expect(page.status == .ok)
    #expect(page.text.contains("<h1>Zürich</h1>"))
    #expect(page.text.contains("Zürich: \(total) devices on the map"))
    #expect(page.text.contains("/api/cards/places/\(TestBorders.town).png"))
    #expect(app.get("/places/2", ["lang": "en"]).text.contains("<h1>Area around Lisbon</h1>"))
    #expect(app.get("/places/0").status == .notFound)
    #expect(app.get("/places/05").status == .notFound)
    #expect(app.get("/sitemaps/places-0.xml").text.contains("/places/\(TestBorders.districts[0])<"))
  }
}
