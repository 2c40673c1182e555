import JSON
import Testing
import WebServer

@Suite struct DevicesInBoxTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `a box across the antimeridian finds both sides`() throws {
    try app.device(.cameraFixed, longitude: 179.9, latitude: -16.5)
    try app.device(.beacon, longitude: -179.9, latitude: -16.5)
    try app.device(.microphone, longitude: 0, latitude: -16.5)

    let found = app.get(Path.items, ["bbox": "179,-17,-179,-16"])

    #expect(try found.categories == ["beacon", "camera_fixed"])
  }

  @Test(arguments: [
    "", "1,2,3", "1,2,3,4,5", "1,2,3,4,5,6,7", "181,0,182,1", "-180.0001,0,0,1", "0,10,1,-10",
    "a,b,c,d", "nan,0,1,1", "0,0,inf,1", "0,0,1,infinity", "-inf,0,1,1", "0x1,0,1,1", "0,-91,1,1",
    "0,0,1,90.0001", "1,1,1,", ",,,", "1 ,1,1,1", " 1,1,1,1", "1;1;1;1", "1e999,0,1,1", "١,٢,٣,٤",
    "0,0,1,1,2,nan", "--1,0,1,1", "0,0,0,1,-1,0",
  ])
  func `an invalid box is a bad request`(bbox: String) throws {
    let refused = app.get(Path.items, ["bbox": bbox])
    #expect(refused.status == .badRequest)
    #expect(try refused.fields == ["bbox"])
  }

  @Test func `every edge and corner is in the box and one step past is not`() throws {
    try app.device(longitude: -9.1, latitude: 38.7)
    for box in ["-9.1,38.7,-9,39", "-10,38,-9.1,38.7", "-9.1,38.7,-9.1,38.7"] {
      #expect(try app.get(Path.items, ["bbox": "\(box)"]).matched == 1)
    }
    for box in [
      "-9.0999999,38,-9,39", "-10,38,-9.1000001,39", "-10,38.7000001,-9,39", "-10,38,-9,38.6999999",
    ] {
      #expect(try app.get(Path.items, ["bbox": "\(box)"]).matched == 0)
    }
  }

  @Test func `boxes may include the poles and the antimeridian`() throws {
    try app.device(.beacon, longitude: 12, latitude: 90)
    try app.device(.microphone, longitude: -7, latitude: -90)
    try app.device(.webcam, longitude: 180, latitude: 0)
    try app.device(.alpr, longitude: -180, latitude: 0)

    #expect(try app.get(Path.items, ["bbox": "-180,90,180,90"]).categories == ["beacon"])
    #expect(try app.get(Path.items, ["bbox": "-180,-90,180,-90"]).categories == ["microphone"])
    #expect(try app.get(Path.items, ["bbox": "180,-1,-180,1"]).categories == ["alpr", "webcam"])
    #expect(try app.get(Path.items, ["bbox": "-180,-90,180,90"]).matched == 4)
  }

  @Test func `heights in six numbers are accepted and ignored`() throws {
    try app.device(longitude: 2, latitude: 3)
    #expect(try app.get(Path.items, ["bbox": "1,2,-50,3,4,50"]).matched == 1)
    #expect(try app.get(Path.items, ["bbox": "3,2,-50,4,4,50"]).matched == 0)
  }

  @Test func `a box is accepted in each offered reference system and its axis order`() throws {
    try app.device(longitude: -9.14, latitude: 38.71)
    let base = "http://www.opengis.net/def/crs/"
    func count(_ bbox: String, _ crs: String) throws -> Int {
      try app.get(Path.items, ["bbox": bbox, "bbox-crs": base + crs]).matched
    }
    #expect(try count("-10,38,-9,39", "OGC/1.3/CRS84") == 1)
    #expect(try count("38,-10,39,-9", "EPSG/0/4326") == 1)
    #expect(try count("-10,38,-9,39", "EPSG/0/4326") == 0)
    #expect(try count("-1113195,4579425,-1001875,4721671", "EPSG/0/3857") == 1)
    #expect(try count("-1001875,4579425,-900000,4721671", "EPSG/0/3857") == 0)
  }

  @Test(arguments: ["", "EPSG:4326", "http://www.opengis.net/def/crs/EPSG/0/4258", "4326"])
  func `an unsupported reference system is a bad request`(crs: String) throws {
    let box = app.get(Path.items, ["bbox": "0,0,1,1", "bbox-crs": crs])
    #expect(box.status == .badRequest)
    #expect(try box.fields == ["bbox-crs"])
    let answer = app.get(Path.items, ["crs": crs])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["crs"])
  }

  @Test func `coordinates are in the requested system and the response names it`() throws {
    let device = try app.device(longitude: -9.14, latitude: 38.71)
    let base = "http://www.opengis.net/def/crs/"
    for path in [Path.items, Path.item(device.id)] {
      func position(_ crs: String?) throws -> [Double] {
        let answer = crs.map { app.get(path, ["crs": base + $0]) } ?? app.get(path)
        #expect(answer.headers["Content-Crs"] == "<\(base + (crs ?? "OGC/1.3/CRS84"))>")
        let feature = try answer.json["features"]?[0] ?? answer.json
        return try #require(feature["geometry"]?["coordinates"]?.arrayValue)
          .compactMap(\.numberValue)
      }
      #expect(try position(nil) == [-9.14, 38.71])
      #expect(try position("OGC/1.3/CRS84") == [-9.14, 38.71])
      #expect(try position("EPSG/0/4326") == [38.71, -9.14])
      #expect(try position("EPSG/0/3857") == [-1_017_460.146, 4_680_216.282])
    }
  }
}
