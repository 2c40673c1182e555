@testable import App
@testable import Downloads
import Foundation
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn the true point of a device that is published to the kilometre. In two worlds
/// the device is at two points of one cell; a requester must get the same responses.
@Suite struct TruePointAttackTests {
  let worlds: TwoWorlds
  let id: String
  private static let places: [Coordinate] = {
    let middle = Precision.kilometre.publicPoint(
      for: .clamped(longitude: 7.4391827, latitude: 46.9518273))
    return [(0.003, 0.002), (-0.004, -0.003)].map { east, north in
      Coordinate.clamped(longitude: middle.longitude + east, latitude: middle.latitude + north)
    }
  }()
  private static var middle: Coordinate { Precision.kilometre.publicPoint(for: places[0]) }

  init() throws {
    var ids: [String] = []
    worlds = try TwoWorlds { app, world in
      let ana = try app.account("ana")
      let ben = try app.account("ben")
      _ = try app.added(["name": "Beside", "category": "beacon"], as: ben)
      ids.append(
        try app.added(
          ["category": "doorbell_camera", "precision": "1km", "description": "A door"],
          longitude: Self.places[world].longitude, latitude: Self.places[world].latitude, as: ana))
    }
    id = ids[0]
    try #require(ids[0] == ids[1])
  }

  /// Signs a stranger in, in both worlds.
  private func stranger(_ app: TestApp) throws -> Identity {
    let rowid = try #require(
      try app.integer("SELECT rowid FROM account WHERE username = 'ben'"))
    return try app.signIn(rowid)
  }

  /// Both true points, the public point, and points near the first.
  private var probes: [Coordinate] {
    var probes = Self.places + [Self.middle]
    for (east, north) in [(0.0005, 0.0), (0, 0.0005), (-0.0005, 0), (0, -0.0005)] {
      probes.append(
        .clamped(
          longitude: Self.places[0].longitude + east, latitude: Self.places[0].latitude + north))
    }
    return probes
  }

  @Test func `an attacker does not learn the true point from duplicates`() throws {
    for probe in probes {
      for precision in ["exact", "100m", "1km"] {
        try worlds.expectAlike("a pin at \(probe), \(precision)") { app in
          app.add(
            Sent.feature(
              ["category": "doorbell_camera", "precision": .string(precision)],
              longitude: probe.longitude, latitude: probe.latitude), as: try stranger(app))
        }
      }
    }
  }

  @Test func `an attacker does not learn the true point from a refused edit`() throws {
    for (name, tag) in [("stale", "\"1-0000000000000000\""), ("any", "*"), ("none", "")] {
      try worlds.expectAlike("If-Match \(name)") { app in
        var headers: Headers = ["Content-Type": "application/merge-patch+json"]
        if !tag.isEmpty { headers["If-Match"] = tag }
        return app.send(
          .patch, Path.item(id), headers: headers,
          json: ["geometry": ["coordinates": [7.4392, 46.9518]], "properties": ["name": ""]],
          as: try stranger(app))
      }
    }
  }

  @Test func `an attacker does not learn the true point from a tile of any zoom`() throws {
    for z in 0...24 {
      for probe in probes {
        guard let tile = TileAddress(z: z, containing: probe) else { continue }
        worlds.expectAlike("tile \(z)") { $0.get(Path.tile(z, tile.x, tile.y)) }
      }
    }
  }

  @Test func `an attacker does not learn the true point from a file of any format`() throws {
    for format in ExportFormat.allCases {
      worlds.expectAlike("\(format)") { $0.export(format) }
      let (west, south) = (Self.places[0].longitude - 1e-4, Self.places[0].latitude - 1e-4)
      worlds.expectAlike("\(format) of a tiny box") {
        $0.export(format, ["bbox": "\(west),\(south),\(west + 2e-4),\(south + 2e-4)"])
      }
    }
  }

  @Test func `an attacker does not learn the true point from unused bytes of a GeoPackage`() throws
  {
    for (app, place) in zip([worlds.one, worlds.other], Self.places) {
      let bytes = Data(app.export(.gpkg).bytes)
      try #require(bytes.count > 1_000)
      for number in [place.longitude, place.latitude] {
        for pattern in [number.bitPattern.littleEndian, number.bitPattern.bigEndian] {
          let wanted = withUnsafeBytes(of: pattern) { Data($0) }
          #expect(bytes.range(of: wanted) == nil)
        }
        #expect(bytes.range(of: Data("\(number)".utf8)) == nil)
      }
    }
  }

  @Test func `an attacker does not learn the true point from feeds`() {
    for path in ["atom", "json"] {
      worlds.expectAlike(path) { $0.get("/api/feeds/devices.\(path)") }
    }
  }

  @Test func `an attacker does not learn the true point from snapshots`() throws {
    for app in [worlds.one, worlds.other] { try app.app.snapshots.run() }
    for name in ["2026-11-21.geojson.gz", "2026-11-21.csv.gz", "2026-11-21.parquet"] {
      worlds.expectAlike(name) { $0.get("/api/snapshots/\(name)") }
    }
    worlds.expectAlike("list") { $0.get("/api/snapshots") }
  }

  @Test func `an attacker does not learn the true point from statistics of a tiny box`() {
    for probe in probes {
      for reach in [1e-5, 1e-4, 1e-3, 1e-2] {
        let box =
          "\(probe.longitude - reach),\(probe.latitude - reach),"
          + "\(probe.longitude + reach),\(probe.latitude + reach)"
        worlds.expectAlike(box) { $0.get("/api/statistics", ["bbox": box]) }
        worlds.expectAlike(box) { $0.get(Path.items, ["bbox": box, "limit": "1"]) }
      }
    }
  }

  @Test func `an attacker does not learn the true point from filters by geometry`() {
    for probe in probes {
      let (x, y) = (probe.longitude, probe.latitude)
      let square =
        "POLYGON((\(x - 1e-4) \(y - 1e-4),\(x + 1e-4) \(y - 1e-4),\(x + 1e-4) \(y + 1e-4),"
        + "\(x - 1e-4) \(y + 1e-4),\(x - 1e-4) \(y - 1e-4)))"
      for relation in ["S_INTERSECTS", "S_WITHIN", "S_DISJOINT"] {
        worlds.expectAlike("\(relation) \(square)") {
          $0.get(Path.items, ["filter": "\(relation)(geometry,\(square))"])
        }
      }
    }
  }

  @Test(arguments: [
    "device_location.longitude > 7", "longitude > 7", "latitude > 46", "account_rowid = 1",
    "hidden = 0", "source_key = 'x'", "rowid > 0", "public_point IS NOT NULL", "place IS NULL",
    "base_status = 'reported'", "\"device_location\" = 1",
  ])
  func `filters do not reveal the content of a private column`(filter: String) {
    let answer = worlds.one.get(Path.items, ["filter": filter])
    #expect(answer.status == .badRequest, "\(filter)")
    worlds.expectAlike(filter) { $0.get(Path.items, ["filter": filter]) }
  }

  @Test(arguments: [
    "longitude", "latitude", "-longitude", "account_rowid", "hidden", "rowid", "source_key",
    "device_location.longitude", "base_status",
  ])
  func `sorting does not reveal the order of a private column`(key: String) {
    #expect(worlds.one.get(Path.items, ["sortby": key]).status == .badRequest)
  }

  @Test func `an attacker does not learn the true point from several distances`() {
    for probe in probes {
      worlds.expectAlike("near \(probe)") {
        $0.get(
          Path.items, ["near": "\(probe.longitude),\(probe.latitude)", "sortby": "distance"])
      }
    }
  }

  @Test func `an attacker does not learn the true point when only it moves`() throws {
    for (app, place) in zip([worlds.one, worlds.other], Self.places.reversed()) {
      let ana = try #require(
        try app.integer("SELECT rowid FROM account WHERE username = 'ana'"))
      let moved = try app.patch(
        id, ["geometry": ["coordinates": [.double(place.longitude), .double(place.latitude)]]],
        as: try app.signIn(ana))
      try #require(moved.status == .ok, "\(moved.text)")
    }
    for path in ["", "/history", "/history/1", "/history/2"] {
      worlds.expectAlike("after moving: \(path)") { $0.get(Path.item(id) + path) }
    }
    worlds.expectAlike("the feed after moving") { $0.get("/api/feeds/devices.atom") }
  }

  @Test func `an attacker does not learn the earlier point once it is made coarser`() throws {
    let app = worlds.one
    let ana = try app.account("cai")
    let secret = try app.added(
      ["precision": "exact"], longitude: 7.5012345, latitude: 46.8512345, as: ana)
    let answer = try app.patch(secret, ["properties": ["precision": "1km"]], as: ana.identity)
    try #require(answer.status == .ok, "\(answer.text)")
    let item = Path.item(secret)
    for path in [item, item + "/history", item + "/history/1", item + "/history/2", Path.items] {
      let text = app.get(path).text
      #expect(!text.contains("7.50123") && !text.contains("46.85123"), "\(path)")
    }
    for format in ExportFormat.allCases where format != .gpkg {
      #expect(!app.export(format).text.contains("7.50123"), "\(format)")
    }
  }

  @Test func `the bounds of the collection do not reveal the true point`() {
    for path in ["/api/collections", Path.collection, "/api/tiles/devices.json"] {
      worlds.expectAlike(path) { $0.get(path) }
    }
  }

  @Test func `an attacker does not learn the true point by requesting it`() throws {
    for (name, sign) in [("visitor", false), ("stranger", true)] {
      try worlds.expectAlike(name) { app in
        app.get(
          Path.item(id) + "/location", as: sign ? try stranger(app) : Identity.visitor)
      }
    }
    for method in [WebServer.Method.head, .options, .put, .delete] {
      worlds.expectAlike("\(method)") { $0.send(method, Path.item(id) + "/location") }
    }
  }
}
