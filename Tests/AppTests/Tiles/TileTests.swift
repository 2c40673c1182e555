import Compression
import JSON
import PrivacyMap
import Testing
import WebServer

@Suite struct TileTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test(arguments: [
    ("0", "1", "0", "x"), ("0", "0", "1", "y"), ("-1", "0", "0", "z"), ("25", "0", "0", "z"),
    ("a", "0", "0", "z"), ("1", "2", "0", "x"), ("1", "0", "2", "y"), ("1", "1.0", "0", "x"),
    ("1", "+1", "0", "x"), ("99999999999999999999", "0", "0", "z"), ("2", "0", "4294967296", "y"),
    ("1", "%C2%B2", "0", "x"),
  ])
  func `numbers out of range are a bad request that names them`(
    z: String, x: String, y: String, field: String
  ) throws {
    let answer = app.send(target: "/api/tiles/devices/\(z)/\(x)/\(y).mvt")
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == [field])
    let names = ["z": "tileMatrix", "x": "tileCol", "y": "tileRow"]
    let standard = app.send(
      target: Path.collection + "/tiles/WebMercatorQuad/\(z)/\(y)/\(x)")
    #expect(standard.status == .badRequest)
    #expect(try standard.fields == [names[field] ?? ""])
  }

  @Test func `an empty tile has no content`() throws {
    #expect(app.get(Path.tile(3, 1, 1)).status == .noContent)
    try app.device(longitude: 7.4, latitude: 46.9)
    #expect(app.get(Path.tile(3, 1, 1)).status == .noContent)
    let answer = app.get(Path.tile(3, 4, 2))
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "application/vnd.mapbox-vector-tile")
  }

  @Test func `the address of the standard has the row before the column`() throws {
    _ = try RandomWorld(app, count: 100)
    var found = 0
    for x in 0..<8 {
      for y in 0..<8 {
        let one = app.get(Path.tile(3, x, y))
        let other = app.get(Path.collection + "/tiles/WebMercatorQuad/3/\(y)/\(x)")
        #expect(one.status == other.status)
        #expect(one.bytes == other.bytes)
        found += one.bytes.isEmpty ? 0 : 1
      }
    }
    #expect(found > 4)
  }

  @Test(
    arguments: [
      [], [("category", "camera_fixed,webcam,beacon,toy")], [("status", "removed,confirmed")],
      [("q", "north")], [("operator", "Acme, Inc.")], [("datetime", "2026-11-21T12:00:00Z")],
      [("bbox", "0,0,90,60")], [("data_collected", "visual"), ("q", "camera")],
      [("freshness", "stale")], [("filter", "operator_kind = 'public' OR name LIKE '%north%'")],
      [("operator_kind", "public"), ("filter", "geometry IS NOT NULL")], [("approximate", "false")],
    ] as [[(String, String)]])
  func `the tiles of a zoom count the devices of the list`(query: [(String, String)]) throws {
    _ = try RandomWorld(app, count: 200)
    let matched = try app.send(target: Request.target(Path.items, query)).matched
    #expect(matched > 0)
    for z in [0, 2, 3] {
      var counted = 0
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          let tile = app.send(target: Request.target(Path.tile(z, x, y), query))
          counted += try TileReader.deviceCount(tile.plainBytes)
        }
      }
      #expect(counted == matched, "zoom \(z)")
    }
  }

  @Test func `at high zooms a filter that is always true changes nothing`() throws {
    _ = try RandomWorld(app, count: 100)
    var seen = 0
    for point in try app.get(Path.items, ["limit": "100"]).json["features"]?.arrayValue ?? [] {
      let place = point["geometry"]?["coordinates"]?.arrayValue?.compactMap(\.numberValue) ?? []
      guard place.count == 2,
        let address = TileAddress(
          z: 12, containing: try Coordinate(longitude: place[0], latitude: place[1]))
      else { continue }
      let path = Path.tile(address.z, address.x, address.y)
      let plain = try TileReader.deviceCount(app.get(path).plainBytes)
      let filtered = app.send(target: Request.target(path, [("filter", "TRUE")]))
      #expect(try TileReader.deviceCount(filtered.plainBytes) == plain)
      seen += plain
    }
    #expect(seen >= 50)
  }

  @Test(arguments: [2, 12])
  func `a filtered tile shows the latest write`(zoom: Int) throws {
    let place = try Coordinate(longitude: 7.4, latitude: 46.9)
    let address = try #require(TileAddress(z: zoom, containing: place))
    let target = Request.target(
      Path.tile(address.z, address.x, address.y), [("filter", "name = 'new'")])
    #expect(app.send(target: target).status == .noContent)
    try app.device(name: "new", longitude: 7.4, latitude: 46.9)
    #expect(try TileReader.deviceCount(app.send(target: target).plainBytes) == 1)
  }

  @Test func `compressed and plain tiles have the same content`() throws {
    _ = try RandomWorld(app, count: 200)
    let plain = app.get(Path.tile(0, 0, 0))
    let compressed = app.get(Path.tile(0, 0, 0), headers: ["Accept-Encoding": "gzip"])
    #expect(plain.headers["Content-Encoding"] == nil)
    #expect(compressed.headers["Content-Encoding"] == "gzip")
    #expect(Gzip.isGzip(compressed.bytes))
    #expect(try compressed.plainBytes == plain.bytes)
    #expect(plain.headers["ETag"] != compressed.headers["ETag"])
  }

  @Test func `the tile of one filter is never returned for another`() throws {
    try app.device(name: "one", longitude: 7.4, latitude: 46.9) {
      $0.answersFor = Operator(name: "a&q=two", kind: .company)
    }
    try app.device(name: "two", longitude: 7.4, latitude: 46.9) {
      $0.answersFor = Operator(name: "a", kind: .company)
    }
    let first = app.get(Path.tile(0, 0, 0), ["operator": "a&q=two"])
    let second = app.get(Path.tile(0, 0, 0), ["operator": "a", "q": "two"])
    #expect(first.bytes != second.bytes)
  }

  @Test func `a tile shows the current map`() throws {
    let device = try app.device(longitude: 7.4, latitude: 46.9)
    #expect(try TileReader.deviceCount(app.get(Path.tile(0, 0, 0)).plainBytes) == 1)
    try app.device(longitude: -70, latitude: -30)
    #expect(try TileReader.deviceCount(app.get(Path.tile(0, 0, 0)).plainBytes) == 2)
    try app.withdraw(device)
    #expect(try TileReader.deviceCount(app.get(Path.tile(0, 0, 0)).plainBytes) == 1)
  }

  @Test func `TileJSON refers to the same tiles with the same filters`() throws {
    try app.device(longitude: 7.4, latitude: 46.9)
    let json = try app.get(
      "/api/tiles/devices.json", ["category": "camera_fixed", "operator": "a b&c"]
    ).json
    #expect(json["tilejson"]?.stringValue == "3.0.0")
    let template = try #require(json["tiles"]?[0]?.stringValue)
    #expect(template.hasPrefix(TestApp.address + "/api/tiles/devices/{z}/{x}/{y}.mvt?"))
    let filled = template.replacing("{z}", with: "0").replacing("{x}", with: "0")
      .replacing("{y}", with: "0")
    #expect(app.follow(filled).status == .noContent)
    let layers = try #require(json["vector_layers"]?.arrayValue)
    #expect(layers.compactMap { $0["id"]?.stringValue } == ["clusters", "devices"])
    #expect(json["minzoom"]?.intValue == 0)
    #expect(app.get("/api/tiles/devices.json", ["category": "nothing"]).status == .badRequest)
  }

  @Test func `TileJSON credits the sources of the current map`() throws {
    #expect(try app.get("/api/tiles/devices.json").json["attribution"]?.stringValue == "")
    try app.importCSV("id,name,lon,lat\n1,One,7.4,46.9\n")
    let credit = try app.get("/api/tiles/devices.json").json["attribution"]?.stringValue
    #expect(credit == "© Test list")
  }

  @Test func `tile sets and the tiling scheme conform to the standard`() throws {
    let sets = try app.get(Path.collection + "/tiles").json
    let set = try #require(sets["tilesets"]?[0])
    #expect(set["dataType"]?.stringValue == "vector")
    #expect(set["crs"]?.stringValue == "http://www.opengis.net/def/crs/EPSG/0/3857")
    #expect(
      set["tileMatrixSetURI"]?.stringValue
        == "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad")
    let relations = Set((set["links"]?.arrayValue ?? []).compactMap { $0["rel"]?.stringValue })
    #expect(
      relations.isSuperset(of: ["self", "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme"]))
    #expect(try app.get(Path.collection + "/tiles/WebMercatorQuad").json == set)

    let scheme = try app.get("/api/tileMatrixSets/WebMercatorQuad").json
    // The names of version 1 of the standard, for GDAL up to 3.6.
    #expect(scheme["identifier"] == scheme["id"] && scheme["supportedCRS"] == scheme["crs"])
    #expect(scheme["boundingBox"]?["lowerCorner"] == scheme["boundingBox"]?["lowerLeft"])
    for level in scheme["tileMatrices"]?.arrayValue ?? [] {
      #expect(level["identifier"] == level["id"])
      #expect(level["topLeftCorner"] == level["pointOfOrigin"])
    }
    let matrices = try #require(scheme["tileMatrices"]?.arrayValue)
    for (zoom, matrix) in matrices.enumerated() {
      #expect(matrix["id"]?.stringValue == "\(zoom)")
      #expect(matrix["matrixWidth"]?.intValue == 1 << zoom)
      #expect(matrix["matrixHeight"]?.intValue == 1 << zoom)
      let denominator = try #require(matrix["scaleDenominator"]?.numberValue)
      // OGC 17-083r4, annex D.1.
      let wanted = 559_082_264.028_717_9 / Double(1 << zoom)
      #expect(abs(denominator - wanted) / wanted < 1e-9)
    }
    #expect(matrices.count > 16)
  }
}
