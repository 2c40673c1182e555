@testable import App
import Compression
@testable import Devices
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

@Suite struct VisibilityTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `a hidden or withdrawn device is in no list, tile, count or page`() throws {
    let seen = try app.device(name: "Seen", longitude: 7.4, latitude: 46.9)
    let hidden = try app.device(name: "Secretly hidden", longitude: 7.41, latitude: 46.91)
    let withdrawn = try app.device(name: "Withdrawn again", longitude: 7.42, latitude: 46.92)
    try app.hide(hidden)
    try app.withdraw(withdrawn)

    for query in [[], [("q", "hidden")], [("datetime", "../2030-01-01T00:00:00Z")]] {
      let answer = app.send(target: Request.target(Path.items, query))
      #expect(try answer.matched == (query.first?.0 == "q" ? 0 : 1))
      #expect(!answer.text.contains(hidden.id) && !answer.text.contains(withdrawn.id))
    }
    let near = app.get(Path.items, ["near": "7.41,46.91", "sortby": "distance"])
    #expect(try near.ids == [seen.id])
    for device in [hidden, withdrawn] {
      #expect(app.get(Path.item(device.id)).status == .notFound)
      let page = app.get("/devices/\(device.id)")
      #expect(page.status == .notFound)
      #expect(!page.text.contains("Secretly") && !page.text.contains("Withdrawn again"))
    }
    #expect(try app.get("/api/settings").json["counts"]?["devices"]?.intValue == 1)
    let tile = try TileText(app.get(Path.tile(0, 0, 0)))
    #expect(tile.holds(seen.id) && !tile.holds(hidden.id) && !tile.holds(withdrawn.id))
  }

  @Test func `a restored device is public again`() throws {
    let device = try app.device(longitude: 7.4, latitude: 46.9)
    try app.hide(device)
    try app.edit(device) { $0.columns.append(("hidden", 0)) }
    #expect(try app.get(Path.items).ids == [device.id])
    #expect(app.get(Path.item(device.id)).status == .ok)
  }

  @Test func `removed and mistaken devices are drawn and listed only on request`() throws {
    for (longitude, status) in zip([1.0, 2, 3, 4, 5], DeviceStatus.allCases) {
      try app.device(name: status.rawValue, longitude: longitude, latitude: 1) {
        $0.status = status
      }
    }
    #expect(try app.get(Path.items).names == ["reported", "confirmed", "disputed"])
    #expect(try app.get(Path.items, ["status": "removed"]).names == ["removed"])
    #expect(
      try app.get(Path.items, ["status": "not_a_device,reported"]).names == [
        "reported", "not_a_device",
      ])
    let removed = try app.database.read {
      try $0.text("SELECT id FROM device WHERE name = 'removed'")
    }
    #expect(app.get(Path.item(try #require(removed))).status == .ok)
  }

  @Test func `the true point of a coarse device is in no byte of a public response`() throws {
    // Numbers that do not occur by chance.
    let (longitude, latitude) = (7.4391827, 46.9518273)
    var paths: [String] = [Path.items, Path.items + "?properties=*", Path.tile(0, 0, 0), "/"]
    for precision in [Precision.hundredMetres, .kilometre, .area] {
      let device = try app.device(
        .doorbell, name: "Door \(precision.rawValue)", longitude: longitude, latitude: latitude,
        precision: precision)
      try app.app.write { connection in
        try connection.execute(
          "UPDATE device SET source_key = 'ref-77' WHERE rowid = ?", [.integer(device.rowid)])
        try connection.execute(
          "INSERT INTO device_key (namespace, key, device_rowid) VALUES ('osm', ?, ?)",
          [.text("node/77\(device.rowid)"), .integer(device.rowid)])
        try connection.execute(
          "INSERT INTO device_tag (device_rowid, tags) VALUES (?, '{\"ele\":\"543.21\"}')",
          [.integer(device.rowid)])
      }
      paths += [Path.item(device.id), "/devices/\(device.id)"]
    }
    paths += ["/api/collections/devices", "/api/tiles/devices.json", "/api/settings"]
    for z in 1...18 {
      let scale = Double(1 << z)
      let place = try Coordinate(longitude: longitude, latitude: latitude)
      let x = Int((place.longitude + 180) / 360 * scale)
      for y in 0..<(1 << z) where z < 4 { paths.append(Path.tile(z, x, y)) }
    }
    for path in paths {
      let text = try String(decoding: app.send(target: path).plainBytes, as: UTF8.self)
      for secret in ["7.43918", "46.95182", "ref-77", "node/77", "543.21"] {
        #expect(!text.contains(secret), "\(path) \(secret)")
      }
    }
  }

  @Test func `a coarse device is located to its grid, without revealing details`()
    throws
  {
    let device = try app.device(longitude: 7.4391827, latitude: 46.9518273, precision: .kilometre)
    try app.app.write { connection in
      try connection.execute(
        "INSERT INTO device_key (namespace, key, device_rowid) VALUES ('osm', 'node/1', ?)",
        [.integer(device.rowid)])
    }
    let feature = try app.get(Path.item(device.id)).json
    let properties = try #require(feature["properties"])
    #expect(properties["precision"]?.stringValue == "1km")
    #expect(properties["refs"]?.isNull == true)
    #expect(properties["tags"]?.isNull == true)
    let point = Precision.kilometre.publicPoint(
      for: try Coordinate(longitude: 7.4391827, latitude: 46.9518273))
    let position = feature["geometry"]?["coordinates"]
    #expect(position?[0]?.numberValue == point.longitude)
    #expect(position?[1]?.numberValue == point.latitude)
  }

  @Test func `an exact device shows its references and the allowed tags only`() throws {
    let device = try app.device(longitude: 7.4, latitude: 46.9)
    try app.app.write { connection in
      try connection.execute(
        """
        INSERT INTO device_key (namespace, key, device_rowid)
        VALUES ('osm', 'node/1', ?), ('osm', 'node/2', ?), ('city', '7', ?)
        """, [.integer(device.rowid), .integer(device.rowid), .integer(device.rowid)])
      try connection.execute(
        "INSERT INTO device_tag (device_rowid, tags) VALUES (?, ?)",
        [
          .integer(device.rowid),
          .text(
            #"{"ele":"543","contact:phone":"+41 31 000 00 00","camera:type":"me@example.org"}"#),
        ])
    }
    let answer = app.get(Path.item(device.id))
    let properties = try #require(try answer.json["properties"])
    #expect(properties["refs"] == ["city": ["7"], "osm": ["node/1", "node/2"]])
    #expect(properties["tags"] == ["ele": "543"])
    #expect(!answer.text.contains("+41") && !answer.text.contains("example.org"))
  }

  @Test func `lists have the usual properties, and others on request`() throws {
    try app.device { $0.model = "M1" }
    func keys(_ query: TestApp.Parameters) throws -> [String] {
      try #require(try app.get(Path.items, query).features.first?["properties"]?.objectValue)
        .members.map(\.key)
    }
    let usual = try keys([:])
    #expect(
      usual == [
        "name", "category", "data_collected", "status", "operator", "precision", "created_at",
        "updated_at", "last_confirmed",
      ])
    #expect(try Set(keys(["properties": "model,units"])) == Set(usual + ["model", "units"]))
    #expect(try keys(["properties": "*"]) == DeviceProperty.all.map(\.name))
    #expect(try keys(["properties": "name"]) == usual)
    for refused in ["nothing", "model,", "", "rowid", "source_key", "hidden"] {
      let answer = app.get(Path.items, ["properties": refused])
      #expect(answer.status == .badRequest, "\(refused)")
      #expect(try answer.fields == ["properties"])
    }
  }

  @Test func `a device has every property, with null for unknown values`() throws {
    let device = try app.device()
    let properties = try #require(
      try app.get(Path.item(device.id)).json["properties"]?.objectValue)
    #expect(properties.members.map(\.key) == DeviceProperty.all.map(\.name))
    #expect(properties["manufacturer"]?.isNull == true)
    #expect(properties["choices"] == [])
  }
}

/// The readable part of a tile.
struct TileText {
  private let bytes: [UInt8]

  init(_ answer: TestAnswer) throws { bytes = try answer.plainBytes }

  func holds(_ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(text)
  }
}
