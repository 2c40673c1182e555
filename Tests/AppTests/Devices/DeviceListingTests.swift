@testable import App
@testable import Devices
import Filters
import Foundation
import Import
import JSON
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

/// The listings stored in `device_listing` always agree with `device`.
@Suite struct DeviceListingTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
  }

  /// The features of all public devices, written from their listings or from their own rows.
  private func features(fromListings: Bool, near place: Coordinate? = nil) throws -> String {
    let writer = DeviceGeoJSON(
      properties: DeviceProperty.ofLists, publicTags: .none)
    let snapshot = app.app.index.snapshot
    return try app.database.read { connection in
      let rowids = try connection.rows("SELECT rowid FROM device ORDER BY rowid") { $0.int(0) }
      let rows = rowids.map { rowid in
        DeviceStore.Page.Entry(
          rowid: rowid, distance: place == nil ? nil : Double(rowid) * 1.26,
          listing: fromListings
            ? UInt32(exactly: rowid).flatMap { snapshot.listing(ofRowid: $0) } : nil)
      }
      var json = JSONWriter()
      _ = try writer.write(
        DeviceStore.Page(rows: rows, total: 0, next: nil), to: &json, connection: connection,
        crs: .crs84)
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }

  private func expectSame() throws {
    let own = try features(fromListings: false)
    #expect(try features(fromListings: true) == own)
    #expect(try IndexCheck(database: app.database).findings() == [])
    // Otherwise both would be written from the devices.
    let listed = try app.integer("SELECT count(*) FROM device_listing")
    #expect(try app.integer("SELECT count(*) FROM device WHERE hidden = 0") == listed)
  }

  @Test func `features from listings equal those from the devices byte for byte`() throws {
    _ = try RandomWorld(app, count: 400)
    try expectSame()
    let place = try Coordinate(longitude: 0, latitude: 0)
    let near = try features(fromListings: true, near: place)
    #expect(try near == features(fromListings: false, near: place))
    #expect(near.contains(#""distance":1.3}"#))
  }

  @Test(arguments: [
    "Say \"hello\" \\ world", "tab\tand line\nfeed", "unit\u{1F}separator", "\u{7F}\u{2028}",
    "駅前 📷 \u{202E}raw", "{\"type\":\"Feature\"}", "''; DROP TABLE device; --",
  ])
  func `a name is written unchanged`(name: String) throws {
    try app.device(name: name, longitude: 7.4474, latitude: 46.948) { fields in
      fields.answersFor = Operator(name: name, kind: .company)
    }
    try expectSame()
    let feature = try #require(try app.get(Path.items).features.first)
    #expect(feature["properties"]?["name"]?.stringValue == name)
    #expect(feature["properties"]?["operator"]?["name"]?.stringValue == name)
  }

  @Test(arguments: [
    (-180, -90), (180, 90), (0, 0), (-0.00000004, 0.00000004), (179.9999999, -89.9999999),
    (0.05, 0.05), (-0.05, -0.05), (7.4500000, 46.9500001), (100, 10),
  ])
  func `a place is written unchanged, and found`(longitude: Double, latitude: Double) throws {
    for precision in Precision.allCases {
      try app.device(longitude: longitude, latitude: latitude, precision: precision)
    }
    try expectSame()
    let snapshot = app.app.index.snapshot
    let keys = try app.database.read { connection in
      try connection.rows("SELECT key FROM device_listing ORDER BY key & 4294967295") { $0.int(0) }
    }
    #expect(
      keys == (1...UInt32(Precision.allCases.count)).map { snapshot.listing(ofRowid: $0)?.key })
  }

  @Test func `a change is visible at once`() throws {
    let device = try app.device(name: "Before", longitude: 7.4, latitude: 46.9)
    try app.device(name: "Beside", longitude: 7.4, latitude: 46.9)
    try app.edit(device) { $0.columns.append(("name", "After")) }
    try expectSame()
    try app.edit(device) { $0.columns.append(("category", "microphone")) }
    try expectSame()
    try app.edit(device) { $0.columns += [("longitude", 8.4), ("latitude", -46.9)] }
    #expect(try features(fromListings: true) == features(fromListings: false))
    try app.app.write { connection in
      _ = try app.writer.dismiss(
        device.rowid, as: .withdrawn, by: DeviceWriter.Author(kind: .undo), connection)
    }
    #expect(try features(fromListings: true) == features(fromListings: false))
    #expect(try app.integer("SELECT count(*) FROM device_listing") == 1)
    try app.database.write { try $0.execute("UPDATE device SET hidden = 0") }
    #expect(try app.integer("SELECT count(*) FROM device_listing") == 2)
  }

  @Test func `an operator change appears in all lists at once`() throws {
    try app.device { $0.answersFor = Operator(name: "Acme", kind: .company) }
    try app.device { $0.answersFor = Operator(name: "Acme", kind: .company) }
    try app.database.write { connection in
      try connection.execute("UPDATE operator SET contact = 'https://acme.example/'")
    }
    try expectSame()
    let said = try app.get(Path.items).features.map {
      $0["properties"]?["operator"]?["contact"]?.stringValue
    }
    #expect(said == ["https://acme.example/", "https://acme.example/"])
  }

  @Test(arguments: [
    "DELETE FROM device_listing", "UPDATE device_listing SET listed = 'nothing'",
    "UPDATE device_listing SET key = key + 4294967296",
  ])
  func `without usable listings lists are written from the devices`(damage: String) throws {
    _ = try RandomWorld(app, count: 20)
    let before = try app.get(Path.items, ["limit": "100"]).features
    try app.database.write { try $0.execute(damage) }
    let after = try app.get(Path.items, ["limit": "100"]).features
    #expect(after == before)
    #expect(!after.isEmpty)
  }

  @Test func `a device that is no longer public is in no list, even if in the index`() throws {
    try app.device(name: "Stays")
    let device = try app.device(name: "Goes")
    try app.database.write { connection in
      try connection.execute(
        "UPDATE device SET hidden = 1 WHERE rowid = ?", [.integer(device.rowid)])
    }
    #expect(app.app.index.snapshot.count == 2)
    let answer = app.get(Path.items)
    #expect(try answer.names == ["Stays"])
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `listings are found by their keys alone`() throws {
    let plan = try app.database.read { connection in
      try connection.explain(ListedRows.selection, [1, 2])
    }
    #expect(plan == ["SEARCH device_listing USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"])
  }

  @Test func `operators of all rows are read, even if the index knows others`() throws {
    let operators = ["One", "One", "Two", nil]
    for name in operators {
      try app.device { $0.answersFor = name.map { Operator(name: $0, kind: .company) } }
    }
    let snapshot = app.app.index.snapshot
    for known in [nil, 0, 1, 2, 999] as [UInt32?] {
      let rows = (1...4 as ClosedRange<UInt32>).map { rowid in
        var listing = snapshot.listing(ofRowid: rowid)
        if let known { listing?.operatorRow = known }
        return DeviceStore.Page.Entry(rowid: Int64(rowid), listing: listing)
      }
      let found = try app.database.read { connection in
        let listed = try ListedRows(rows, connection)
        return rows.indices.map { place in
          listed.withListing(at: place) { _, row in
            listed.operators.withJSON(of: row) { String(decoding: $0, as: UTF8.self) }
          }
        }
      }
      for (json, name) in zip(found, operators) {
        #expect(json?.contains("\"name\":\"\(name ?? "")\"") == (name != nil), "\(known ?? .max)")
      }
    }
  }

  @Test(arguments: [
    ("7,46,8,47", true), ("7,46,7.2,46.2", true), ("7,46,7.19,47", false), ("7,46,8,46.19", false),
    ("179.8,46,-179.8,47", true), ("179.9,46,-179.95,47", false),
  ])
  func `a box of four cells and more is read by ranges`(box: String, isRead: Bool) throws {
    var filter = DeviceFilter()
    #expect(filter.fillsCells)
    filter[BoxCondition.self] = BoxCondition(try BoundingBox(bbox: box))
    filter[CategoryCondition.self] = CategoryCondition(codes: ["webcam"])
    #expect(filter.fillsCells == isRead)
    filter[SettingCondition.self] = SettingCondition(codes: [.outdoor])
    #expect(!filter.fillsCells)
  }

  @Test func `listings do not end the snapshot of a read that goes on`() throws {
    try app.device(name: "One")
    let snapshot = app.app.index.snapshot
    let rows = [DeviceStore.Page.Entry(rowid: 1, listing: snapshot.listing(ofRowid: 1))]
    let counts = try app.database.read { connection in
      let before = try connection.integer("SELECT count(*) FROM device")
      let found = try ListedRows(rows, connection).count
      try app.device(name: "Two")
      return [before, Int64(found), try connection.integer("SELECT count(*) FROM device")]
    }
    #expect(counts == [1, 1, 1])
  }

  @Test func `a few devices of a full cell are found as well as all of them`() throws {
    for number in 0..<300 {
      try app.device(
        number % 3 == 0 ? .webcam : .alpr, name: "\(number)", longitude: 7, latitude: 46)
    }
    let snapshot = app.app.index.snapshot
    for (step, isDense) in [1, 2, 7, 40, 299].flatMap({ [($0, false), ($0, true)] }) {
      let rows = stride(from: 1, through: 300, by: step).map { rowid in
        DeviceStore.Page.Entry(
          rowid: Int64(rowid), listing: snapshot.listing(ofRowid: UInt32(rowid)))
      }
      let names = try app.database.read { connection in
        var plan = ReadPlan()
        plan.isDense = isDense
        let listed = try ListedRows(rows, connection.with(plan))
        return rows.indices.map { place in
          listed.withListing(at: place) { values, _ in
            String(decoding: values, as: UTF8.self).split(separator: "\u{1F}")[3]
          }
        }
      }
      #expect(names == rows.map { "\"\($0.rowid - 1)\"" })
    }
  }
}
