@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
@testable import Reading
import Service
import SpatialDatabase
import Testing
import WebServer

/// The devices of a coarse cell by the day of their last change.
@Suite struct CellChangeTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// Geneva.
  private let here = (longitude: 6.1432, latitude: 46.2044)
  private let path = "/api/cells/783732/changes"

  private func path(_ longitude: Double, _ latitude: Double) throws -> String {
    let cell = WatchCell(of: try Coordinate(longitude: longitude, latitude: latitude))
    return "/api/cells/\(cell.number)/changes"
  }

  private func names(_ answer: TestAnswer) throws -> [String] {
    try #require(try answer.json["features"]?.arrayValue)
      .compactMap { $0["properties"]?["name"]?.stringValue }
  }

  @Test func `a new device is listed on its day with the properties that filters need`() throws {
    let device = try app.device(
      name: "New", longitude: here.longitude, latitude: here.latitude
    ) { fields in
      fields.setting = .indoor
      fields.choices = [OfferedChoice(kind: "access")]
    }
    #expect(try path(here.longitude, here.latitude) == path)
    let answer = app.get(path)
    #expect(answer.headers["Content-Type"] == "application/geo+json")
    let page = try answer.json
    #expect(page["day"] == "2026-11-21")
    #expect(page["complete"] == false)
    #expect(page["cell"] == 783_732)
    #expect(page["bbox"] == [6.0, 46.0, 6.5, 46.25])
    let feature = try #require(page["features"]?.arrayValue?.first)
    #expect(feature["id"]?.stringValue == device.id)
    #expect(feature["properties"]?["setting"] == "indoor")
    #expect(feature["properties"]?["choices"]?.arrayValue?.first?["kind"] == "access")
    #expect(feature["properties"]?["stale_on"]?.stringValue != nil)
    #expect(feature["properties"]?["updated_at"] == "2026-11-21T12:00:00Z")
    #expect(feature["properties"]?["description"] == nil)
  }

  @Test func `only the cell of the public point lists a device`() throws {
    // The centre of its cell of 10 km is in another coarse cell.
    let place = try #require(
      try stride(from: 6.001, to: 6.499, by: 0.01).lazy.map { longitude in
        try Coordinate(longitude: longitude, latitude: 46.249)
      }.first { WatchCell(of: Precision.area.publicPoint(for: $0)) != WatchCell(of: $0) })
    try app.device(
      name: "Coarse", longitude: place.longitude, latitude: place.latitude, precision: .area)
    let point = Precision.area.publicPoint(for: place)
    #expect(try names(app.get(path(place.longitude, place.latitude))) == [])
    #expect(try names(app.get(path(point.longitude, point.latitude))) == ["Coarse"])
  }

  @Test(arguments: [
    (6.25, 46.25), (0, 0), (0, 44), (0, -44), (180, 10), (-180, -68), (12, 90), (12, -90),
    (7, 87), (7, -87), (7, 84), (-0.000_000_1, 79), (179.999_999_9, -79),
  ])
  func `the database finds the cell that the program computes`(
    longitude: Double, latitude: Double
  ) throws {
    let name = "At an edge"
    try app.device(name: name, longitude: longitude, latitude: latitude)
    #expect(try names(app.get(path(longitude, latitude))) == [name])
    let step = 0.000_000_1
    for (aside, below) in [(step, 0), (-step, 0), (0, step), (0, -step)] {
      let place = Coordinate.clamped(longitude: longitude + aside, latitude: latitude + below)
      let neighbour = try app.device(
        name: "Beside", longitude: place.longitude, latitude: place.latitude)
      let stored = try app.integer(
        "SELECT watch_cell FROM device WHERE rowid = ?", [.integer(neighbour.rowid)])
      #expect(stored == Int64(WatchCell(of: place).number), "\(place)")
    }
  }

  @Test func `a device is listed on the day of its last change only`() throws {
    let device = try add("Old")
    app.clock.set("2026-11-22T00:00:00Z")
    try app.edit(device) { $0.columns.append(("name", "Changed")) }
    #expect(try names(app.get(path, ["day": "2026-11-21"])) == [])
    #expect(try names(app.get(path, ["day": "2026-11-22"])) == ["Changed"])
    #expect(try names(app.get(path)) == ["Changed"])
  }

  @Test func `the last second of a day belongs to it, midnight to the next`() throws {
    app.clock.set("2026-11-21T23:59:59Z")
    try add("Late")
    app.clock.set("2026-11-22T00:00:00Z")
    try add("Early")
    #expect(try names(app.get(path, ["day": "2026-11-21"])) == ["Late"])
    #expect(try names(app.get(path, ["day": "2026-11-22"])) == ["Early"])
  }

  @Test func `a day is complete an hour after its end`() throws {
    app.clock.set("2026-11-22T00:59:59Z")
    #expect(try app.get(path, ["day": "2026-11-21"]).json["complete"] == false)
    app.clock.set("2026-11-22T01:00:00Z")
    let answer = app.get(path, ["day": "2026-11-21"])
    #expect(try answer.json["complete"] == true)
    #expect(answer.headers["Cache-Control"] == "public, max-age=3600")
    #expect(app.get(path).headers["Cache-Control"] == "public, max-age=60")
  }

  @Test func `a hidden device leaves the page and comes back as changed now`() throws {
    let device = try add("Hidden for a while")
    try app.app.write { try app.writer.setHidden(device.rowid, true, $0) }
    #expect(try names(app.get(path)) == [])
    app.clock.set("2026-11-23T12:00:00Z")
    try app.app.write { try app.writer.setHidden(device.rowid, false, $0) }
    #expect(try names(app.get(path, ["day": "2026-11-21"])) == [])
    #expect(try names(app.get(path)) == ["Hidden for a while"])
  }

  @Test func `a removed device is listed with its status`() throws {
    let device = try add("Gone")
    try app.edit(device) { $0.columns.append(("status", "removed")) }
    let feature = try #require(app.get(path).json["features"]?.arrayValue?.first)
    #expect(feature["properties"]?["status"] == "removed")
  }

  @Test func `a device that moves away is listed where it is now`() throws {
    let device = try add("Moving")
    try app.edit(device) { edit in
      edit.place = Coordinate.clamped(longitude: 8.5, latitude: 46.5)
      edit.settlePublicPoint()
    }
    #expect(try names(app.get(path)) == [])
    #expect(try names(app.get(path(8.5, 46.5))) == ["Moving"])
  }

  @Test func `a long day has pages, each device once`() throws {
    let count = CellChangeRoutes.limit + 1
    let placement = DeviceWriter.Placement(
      place: try Coordinate(longitude: here.longitude, latitude: here.latitude), precision: .exact)
    try app.devices(
      (0..<count).map { (DeviceFields(name: "\($0)", category: "beacon"), placement) })
    var found = try names(app.get(path))
    #expect(found.count == CellChangeRoutes.limit)
    let links = try #require(try app.get(path).json["links"]?.arrayValue)
    let next = try #require(links.first { $0["rel"] == "next" }?["href"]?.stringValue)
    let rest = app.follow(next)
    found += try names(rest)
    #expect(found == (0..<count).map { "\($0)" })
    #expect(try rest.json["links"]?.arrayValue?.contains { $0["rel"] == "next" } == false)
    // On another day, the cursor is not valid.
    app.clock.set("2026-11-22T12:00:00Z")
    let cursor = try #require(next.split(separator: "cursor=").last).description
    #expect(try app.get(path, ["day": "2026-11-22", "cursor": cursor]).fields == ["cursor"])
  }

  @Test func `a full page has no further one`() throws {
    let placement = DeviceWriter.Placement(
      place: try Coordinate(longitude: here.longitude, latitude: here.latitude), precision: .exact)
    let fields = DeviceFields(name: "One of many", category: "beacon")
    try app.devices(Array(repeating: (fields, placement), count: CellChangeRoutes.limit))
    let page = try app.get(path).json
    #expect(page["numberReturned"] == .integer(Int64(CellChangeRoutes.limit)))
    #expect(page["links"]?.arrayValue?.count == 1)
  }

  @Test func `an unchanged page is not sent again`() throws {
    try add("Here")
    let tag = try #require(app.get(path).headers["ETag"])
    try app.device(name: "Elsewhere", longitude: 8.5, latitude: 46.5)
    #expect(app.get(path, headers: ["If-None-Match": tag]).status == .notModified)
    try add("Here too")
    #expect(app.get(path, headers: ["If-None-Match": tag]).status == .ok)
  }

  @Test func `a page is the same for every reader`() throws {
    try add("Here")
    let english = app.get(path, headers: ["Accept-Language": "en"])
    let portuguese = app.get(path, headers: ["Accept-Language": "pt"])
    #expect(english.bytes == portuguese.bytes)
    #expect(english.headers["Vary"]?.contains("Language") != true)
    #expect(english.headers["Set-Cookie"] == nil)
  }

  @Test(arguments: [
    "-1", "0783732", "783732.0", "+783732", "1036800", "99999999999999999999", "home", "%20",
    "1035361",
    "783732%2F",
  ])
  func `an unknown cell does not exist`(cell: String) {
    #expect(app.get("/api/cells/\(cell)/changes").status == .notFound)
  }

  @Test func `the last 31 days can be read and no others`() throws {
    for day in ["2026-10-22", "2026-11-21"] {
      #expect(app.get(path, ["day": day]).status == .ok, "\(day)")
    }
    for day in [
      "2026-10-21", "2026-11-22", "0000-01-01", "9999-12-31", "2026-02-30", "today", "",
    ] {
      #expect(try app.get(path, ["day": day]).fields == ["day"], "\(day)")
    }
  }

  @Test(arguments: [
    ["x"], ["2026-11-21T12:00:00Z", "0"], ["2026-11-20T12:00:00Z", "1"], ["", "1"],
  ])
  func `a cursor of something else is refused`(keys: [String]) throws {
    let answer = app.get(path, ["cursor": PageCursor(keys: keys).text])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["cursor"])
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the changes of a cell are a range of an index`() throws {
    _ = try RandomWorld(app, count: 300)
    try app.database.optimize()
    let plan = try app.database.read { connection in
      try connection.explain(
        CellChangeStore.statement,
        [783_732, "2026-11-21T00:00:00Z", 0, "2026-11-22T00:00:00Z", 501])
    }
    #expect(plan.count == 1, "\(plan)")
    #expect(
      plan[0].hasSuffix("device_by_watch_cell (watch_cell=? AND updated_at>? AND updated_at<?)"),
      "\(plan)")
  }

  @discardableResult
  private func add(_ name: String) throws -> TestDevice {
    try app.device(name: name, longitude: here.longitude, latitude: here.latitude)
  }
}
