@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// The country of a device: on every write, in responses and filters, and for existing rows.
@Suite struct CountryTests {
  private let app: TestApp

  init() throws { app = try TestApp(data: TestFolder.linkCountries) }

  private func properties(_ id: String) throws -> JSONValue? {
    try app.get("/api/collections/devices/items/\(id)").json["properties"]
  }

  @Test func `a device has a country and whether it is certain`() throws {
    let inland = try properties(app.device(longitude: -8.5, latitude: 39).id)
    #expect(inland?["country"] == "PT")
    #expect(inland?["country_uncertain"] == false)
    let border = try properties(app.device(longitude: 7.8085, latitude: 48.5762).id)
    #expect(border?["country"] == "DE")
    #expect(border?["country_uncertain"] == true)
    let sea = try properties(app.device(longitude: -40, latitude: 30).id)
    #expect(sea?["country"] == .null)
    #expect(sea?["country_uncertain"] == false)
  }

  @Test func `the country is that of the public point`() throws {
    let true_ = try Coordinate(longitude: 7.8050, latitude: 48.5750)
    for precision in Precision.allCases {
      let point = precision.publicPoint(for: true_)
      let id = try app.device(
        longitude: true_.longitude, latitude: true_.latitude, precision: precision
      ).id
      let found = try #require(app.app.countries?.country(at: point))
      #expect(try properties(id)?["country"]?.stringValue == found.country)
    }
  }

  @Test func `moving a device changes its country, and moving it back too`() throws {
    let device = try app.device(longitude: -8.5, latitude: 39)
    func move(_ longitude: Double, _ latitude: Double) throws {
      try app.app.write { connection in
        let stored = try #require(try StoredDevice(rowid: device.rowid, connection))
        var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
        edit.place = try Coordinate(longitude: longitude, latitude: latitude)
        edit.settlePublicPoint()
        try app.writer.apply(
          edit, to: device.rowid, by: DeviceWriter.Author(kind: .edit), kind: .changed,
          connection)
      }
    }
    try move(-3.7038, 40.4168)
    #expect(try properties(device.id)?["country"] == "ES")
    try move(-8.5, 39)
    #expect(try properties(device.id)?["country"] == "PT")
  }

  @Test func `lists, the index and SQL filter by country alike`() throws {
    try app.device(longitude: -8.5, latitude: 39)
    try app.device(longitude: -3.7038, latitude: 40.4168)
    for query in [
      "country=PT", "country=PT&q=device", "country=PT&datetime=2000-01-01T00:00:00Z/..",
    ] {
      let found = try app.get("/api/collections/devices/items?\(query)").json
      #expect(found["numberMatched"]?.intValue == 1, "\(query)")
    }
  }

  @Test(arguments: ["country", "country_uncertain"])
  func `clients cannot set the country`(name: String) throws {
    let ana = try app.account()
    let said: JSONValue = name == "country" ? "ES" : true
    let body = Sent.feature(.object(JSONObject([(name, said)])), longitude: -8.5, latitude: 39)
    let answer = app.add(body, as: ana.identity)
    #expect(try answer.json["errors"]?[0]?["field"]?.stringValue == name)
    let id = try app.added(longitude: -8.5, latitude: 39, as: ana)
    #expect(try properties(id)?["country"] == "PT")
    let patch: JSONValue = ["properties": .object(JSONObject([(name, said)]))]
    #expect(try app.patch(id, patch, as: ana.identity).status == .unprocessableContent)
    #expect(try properties(id)?["country"] == "PT")
  }

  @Test func `existing rows are processed in batches, which continue after a stop`() throws {
    let devices = try (0..<5).map { _ in try app.device(longitude: -8.5, latitude: 39) }
    try app.database.write { try $0.execute("UPDATE device SET country = NULL") }
    let map = try #require(app.app.countries)
    var fill = CountryFill(map: app.app.map)
    fill.portion = 2
    #expect(try app.app.write { try fill.step(map, $0) })
    let done = { [app] in
      try app.database.read {
        try $0.integer("SELECT count(*) FROM device WHERE country = 'PT'") ?? 0
      }
    }
    #expect(try done() == 2)
    // As after a kill: another process continues.
    try CountryFill(map: app.app.map).run()
    #expect(try done() == Int64(devices.count))
    let found = try app.get("/api/collections/devices/items?country=PT").json
    #expect(found["numberMatched"]?.intValue == devices.count)
    #expect(try !app.app.write { try fill.step(map, $0) })
  }

  @Test func `without the country map the server runs and reports it`() throws {
    let bare = try TestApp()
    let id = try bare.device(longitude: -8.5, latitude: 39).id
    let device = try bare.get("/api/collections/devices/items/\(id)").json
    #expect(device["properties"]?["country"] == .null)
    #expect(try bare.get("/readyz").json["countries"] == "missing")
    #expect(try app.get("/readyz").json["countries"] == "ready")
  }
}
