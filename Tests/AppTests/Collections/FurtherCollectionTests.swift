@testable import Devices
import Filters
import JSON
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The public interface of collections other than the devices.
@Suite struct FurtherCollectionTests {
  let app: TestApp
  static let items = "/api/collections/houses/items"

  init() throws {
    app = try TestApp()
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses", time: "seen")
  }

  private func found(_ query: [(String, String)]) throws -> String {
    let answer = app.send(target: Request.target(Self.items, query))
    guard answer.status == .ok else {
      return try "? \(answer.status.code) \(answer.fields.joined(separator: ","))"
    }
    let ids = try answer.ids
    #expect(try answer.matched == ids.count)
    return ids.joined()
  }

  @Test func `the list of collections and the collection itself agree`() throws {
    let all = try app.get("/api/collections").json["collections"]?.arrayValue ?? []
    #expect(all.map { $0["id"]?.stringValue } == ["devices", "houses"])
    let one = try app.get("/api/collections/houses").json
    #expect(all.last == one)
    #expect(one["extent"]?["spatial"]?["bbox"]?[0] == [7.4, 46.9, 7.5, 46.9])
    let moment: JSONValue = "2024-03-01T11:00:00Z"
    #expect(one["extent"]?["temporal"]?["interval"]?[0] == [moment, moment])
    #expect(one["attribution"]?.stringValue == "The city (CC0-1.0)")
  }

  @Test func `a feature keeps its geometry and its properties`() throws {
    let feature = try app.get(Self.items + "/a").json
    #expect(feature["geometry"] == ["type": "Point", "coordinates": [7.4, 46.9]])
    #expect(
      feature["properties"] == [
        "name": "Alpha", "floors": 3, "height": 9.5, "listed": true, "built": "1912-05-01",
        "seen": "2024-03-01T11:00:00Z", "uses": ["home", "shop"],
      ])
    let last = try app.get(Self.items + "/c").json
    #expect(last["geometry"] == .null)
    #expect(last["properties"]?["floors"] == .null)
    #expect(app.get(Self.items + "/z").status == .notFound)
    #expect(app.get("/api/collections/nothing/items/a").status == .notFound)
  }

  @Test func `the schema has the id, the shape and each property with its type`() throws {
    let schema = try app.get("/api/collections/houses/schema").json
    #expect(schema["$id"]?.stringValue == TestApp.address + "/api/collections/houses/schema")
    let properties = try #require(schema["properties"]?.objectValue)
    let names = ["id", "geometry", "name", "floors", "height", "listed", "built", "seen", "uses"]
    #expect(properties.members.map(\.key) == names)
    #expect(properties["floors"] == ["type": "integer"])
    #expect(properties["height"] == ["type": "number"])
    #expect(properties["geometry"]?["x-ogc-role"] == "primary-geometry")
  }

  @Test func `times without a zone are UTC, and the schema says so`() throws {
    let csv = """
      lon,lat,at,zoned
      7,46,2024-03-01T11:00:00,2024-03-01T12:00:00+01:00
      7,46,2024-03-01 11:00,2024-03-01T11:00:00Z
      7,46,2024-03-01T11:00:00.250,

      """
    _ = try TestCollection.load(csv, into: app, id: "times", name: "a.csv")
    let features = try app.get("/api/collections/times/items").features
    let times = features.map { $0["properties"]?["at"]?.stringValue }
    #expect(times == Array(repeating: "2024-03-01T11:00:00Z", count: 3))
    let schema = try app.get("/api/collections/times/schema").json["properties"]
    #expect(schema?["at"]?["format"] == "date-time")
    #expect(schema?["at"]?["description"]?.stringValue?.contains("UTC") == true)
    #expect(schema?["zoned"]?["format"] == "date-time")
    #expect(schema?["zoned"]?["description"] == nil)
  }

  @Test(arguments: ["2024-03-01T25:00:00", "2024-03-01T11", "2024-03-01Txx:00", "2024-02-30 11:00"])
  func `a text that is no time stays a text`(text: String) throws {
    _ = try TestCollection.load(
      "lon,lat,at\n7,46,\(text)\n", into: app, id: "times", name: "a.csv")
    let schema = try app.get("/api/collections/times/schema").json["properties"]
    #expect(schema?["at"] == ["type": "string"])
  }

  @Test func `the temporal extent of days has times`() throws {
    _ = try TestCollection.load(TestCollection.points, into: app, id: "built", time: "built")
    let extent = try app.get("/api/collections/built").json["extent"]?["temporal"]?["interval"]
    #expect(extent == [["1912-05-01T00:00:00Z", "1912-05-01T23:59:59Z"]])
  }

  @Test func `a search finds the features that the same parameters find`() throws {
    let found = app.send(
      .post, "/api/collections/houses/search",
      json: ["filter": "floors >= 3", "name": ["Alpha", "beta"], "limit": 5])
    #expect(found.status == .ok)
    #expect(try found.ids == ["a"])
    let unknown = app.send(.post, "/api/collections/houses/search", json: ["nothing": 1])
    #expect(unknown.status == .badRequest)
    #expect(try unknown.fields == ["nothing"])
  }

  @Test func `queryables describe the type of each property`() throws {
    let schema = try app.get("/api/collections/houses/queryables").json["properties"]
    #expect(schema?["name"] == ["type": "string"])
    #expect(schema?["floors"] == ["type": "number"])
    #expect(schema?["listed"] == ["type": "boolean"])
    #expect(schema?["built"] == ["type": "string", "format": "date"])
    #expect(schema?["seen"] == ["type": "string", "format": "date-time"])
    #expect(schema?["uses"]?["type"] == "array")
    #expect(schema?["geometry"]?["format"]?.stringValue?.hasPrefix("geometry-") == true)
  }

  @Test(
    arguments: [
      ("name = 'Alpha'", "a"), ("CASEI(name) = 'beta'", "b"), ("name LIKE '%a'", "abc"),
      ("floors = 3", "a"), ("floors <> 4", "a"), ("floors IS NULL", "bc"), ("height >= 3", "ab"),
      ("height > floors", "a"), ("listed = TRUE", "a"), ("listed = FALSE", "b"),
      ("listed IS NULL", "c"), ("built < DATE('1950-01-01')", "a"),
      ("seen = TIMESTAMP('2024-03-01T11:00:00Z')", "a"), ("seen = DATE('2024-03-01')", "a"),
      ("A_CONTAINS(uses, ('shop'))", "a"), ("NOT A_CONTAINS(uses, ('farm'))", "a"),
      ("S_INTERSECTS(geometry, BBOX(7.4,46.9,7.45,47))", "a"), ("geometry IS NULL", "c"),
      ("S_WITHIN(geometry, POLYGON((7 46,8 46,8 47,7 47,7 46)))", "ab"), ("TRUE", "abc"),
    ])
  func `filters find the matching features`(filter: String, ids: String) throws {
    #expect(try found([("filter", filter)]) == ids)
  }

  @Test(
    arguments: [
      ("name", "Alpha", "a"), ("floors", "3", "a"), ("listed", "false", "b"),
      ("built", "1912-05-01", "a"), ("uses", "shop", "a"), ("name", "nobody", ""),
      ("bbox", "7.4,46,7.45,47", "ac"), ("bbox", "0,0,1,1", "c"), ("bbox", "170,-90,-170,90", "c"),
      ("datetime", "2024-03-01T11:00:00Z", "abc"), ("datetime", "2025-01-01T00:00:00Z/..", "bc"),
    ])
  func `parameters find matching features, and include those without geometry or time`(
    name: String, value: String, ids: String
  ) throws {
    #expect(try found([(name, value)]) == ids)
  }

  @Test(
    arguments: [
      ("nothing", "1", "nothing"), ("category", "webcam", "category"), ("floors", "x", "floors"),
      ("bbox", "1,2,3", "bbox"), ("datetime", "noon", "datetime"), ("limit", "0", "limit"),
      ("filter", "nothing = 1", "filter"), ("filter", "name = 1", "filter"),
      ("crs", "EPSG:4326", "crs"), ("cursor", "x", "cursor"), ("f", "xml", "f"),
    ])
  func `an invalid request is refused with the name of its fault`(
    name: String, value: String, field: String
  ) throws {
    #expect(try found([(name, value)]) == "? 400 \(field)")
  }

  @Test func `pages give each feature once, and a cursor belongs to its filter`() throws {
    var target = Request.target(Self.items, [("limit", "1")])
    var ids: [String] = []
    while true {
      let answer = app.send(target: target)
      #expect(try answer.matched == 3)
      ids += try answer.ids
      guard let next = try answer.link("next")?["href"]?.stringValue else { break }
      target = String(next.dropFirst(TestApp.address.count))
    }
    #expect(ids == ["a", "b", "c"])
    let first = app.send(target: Request.target(Self.items, [("limit", "1")]))
    let next = try #require(try first.link("next")?["href"]?.stringValue)
    let other = app.send(
      target: String(next.dropFirst(TestApp.address.count)) + "&filter=TRUE")
    #expect(try other.fields == ["cursor"])
  }

  @Test func `coordinates are available in each reference system`() throws {
    let query = [("crs", CoordinateSystem.epsg4326.rawValue), ("name", "Alpha")]
    let answer = app.send(target: Request.target(Self.items, query))
    #expect(try answer.features[0]["geometry"]?["coordinates"] == [46.9, 7.4])
    #expect(answer.headers["Content-Crs"] == "<\(CoordinateSystem.epsg4326.rawValue)>")
    let mercator = app.get(
      Self.items + "/a", ["crs": CoordinateSystem.epsg3857.rawValue])
    let x = try mercator.json["geometry"]?["coordinates"]?[0]?.numberValue ?? 0
    #expect(abs(x - 823_764.232) < 0.01)
    let box = [
      ("bbox", "46.8,7.3,47,7.45"), ("bbox-crs", CoordinateSystem.epsg4326.rawValue),
    ]
    #expect(try found(box) == "ac")
  }

  @Test func `tiles have its features in a layer of its name, and accept filters`() throws {
    let address = try #require(
      TileAddress(z: 10, containing: try Coordinate(longitude: 7.4, latitude: 46.9)))
    let path =
      "/api/collections/houses/tiles/WebMercatorQuad/10/\(address.y)/\(address.x)"
    let tile = app.get(path)
    #expect(tile.status == .ok)
    #expect(tile.headers["Content-Type"] == "application/vnd.mapbox-vector-tile")
    #expect(try String(decoding: tile.plainBytes, as: UTF8.self).contains("houses"))
    #expect(try String(decoding: tile.plainBytes, as: UTF8.self).contains("Alpha"))
    #expect(app.send(target: Request.target(path, [("floors", "4")])).status == .noContent)
    #expect(app.get("/api/collections/houses/tiles/WebMercatorQuad/10/0/0").status == .noContent)
    let bad = app.get("/api/collections/houses/tiles/WebMercatorQuad/1/2/0")
    #expect(try bad.fields == ["tileRow"])
    let set = try app.get("/api/collections/houses/tiles").json["tilesets"]?[0]
    #expect(set == (try app.get("/api/collections/houses/tiles/WebMercatorQuad").json))
  }

  @Test func `its addresses are also pages, with texts of the file escaped`() throws {
    _ = try TestCollection.load(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "<i>?", "geometry": {"type": "Polygon",
          "coordinates": [[[7, 46], [8, 46], [8, 47], [7, 46]]]},
          "properties": {"<b>": "<script>", "site": "https://example.org/?a=1&b=2"}}
      ]}
      """, into: app, id: "areas")
    let collection = "/api/collections/areas"
    let feature = "\(collection)/items/%3Ci%3E%3F"
    let paths = [
      collection, "\(collection)/queryables", "\(collection)/items", feature,
      "\(collection)/tiles", "\(collection)/tiles/WebMercatorQuad",
    ]
    for path in paths {
      let page = app.send(target: "\(path)?f=html")
      #expect(page.status == .ok, "\(path)")
      #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true, "\(path)")
      #expect(!page.text.contains("<script>") && !page.text.contains("<b>"), "\(path)")
      let json = try app.send(target: path).json
      let html = json["links"]?.arrayValue?.filter { $0["type"] == "text/html" } ?? []
      #expect(path.contains("tiles") || path.contains("queryables") || !html.isEmpty, "\(path)")
      for link in html where link["rel"] != "license" {
        #expect(app.follow(link["href"]?.stringValue ?? "").status == .ok, "\(path)")
      }
    }
    let list = app.send(target: "\(collection)/items?f=html").text
    #expect(list.contains("href=\"\(feature)?f=html\""))
    #expect(list.contains("<td data-name=\"&lt;b&gt;\">&lt;script&gt;</td>"))
    let one = app.send(target: "\(feature)?f=html").text
    #expect(one.contains("<dd>Polygon</dd>"))
    #expect(one.contains("href=\"https://example.org/?a=1&amp;b=2\""))
    #expect(!one.contains("/devices/"))
    #expect(app.get("/api/collections", ["f": "html"]).text.contains("\(collection)/items?f=html"))
    #expect(app.get("\(collection)/items/none", ["f": "html"]).status == .notFound)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `a box is found with the R-tree`() throws {
    try app.database.read { connection in
      let collection = try FurtherCollection.named("houses", connection)
      let query = try FeatureQuery(
        Query([("bbox", "7,46,8,47")]), of: collection, own: [])
      let condition = try query.condition()
      let plan = try connection.explain(
        """
        SELECT \(FeatureGeoJSON.columns), feature.rowid FROM collection_feature AS feature
        WHERE \(condition.sql) AND feature.rowid > ? ORDER BY feature.rowid LIMIT ?
        """, condition.arguments + [0, 10])
      #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX") }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN feature") }, "\(plan)")
    }
  }
}
