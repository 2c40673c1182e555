@testable import App
import Compression
import JSON
@testable import Lists
@testable import Operations
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Admins add further collections.
@Suite struct CollectionAdminTests {
  let app: TestApp
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  private func send(
    _ content: [UInt8], id: String = "houses", name: String = "list.geojson",
    _ more: [(String, String)] = []
  ) -> TestAnswer {
    app.send(
      .post, target: "/api/admin/collections",
      headers: ["Content-Type": "multipart/form-data; boundary=XX"],
      body: TestCollection.form(content, id: id, name: name, more), as: admin.identity)
  }

  private func send(
    _ content: String, id: String = "houses", name: String = "list.geojson",
    _ more: [(String, String)] = []
  ) -> TestAnswer {
    send(Array(content.utf8), id: id, name: name, more)
  }

  private func kinds(_ answer: TestAnswer) throws -> [String: String] {
    let properties = try answer.json["properties"]?.arrayValue ?? []
    return Dictionary(
      uniqueKeysWithValues: properties.map {
        ($0["name"]?.stringValue ?? "", $0["kind"]?.stringValue ?? "")
      })
  }

  private var remaining: [Int64] {
    get throws {
      try app.database.read { connection in
        try ["collection", "collection_feature", "collection_feature_box"].map { table in
          try connection.integer("SELECT count(*) FROM \(table)") ?? -1
        }
      }
    }
  }

  @Test func `an added collection is there, with an entry in the audit log`() throws {
    let answer = send(TestCollection.points)
    #expect(answer.status == .created)
    #expect(answer.headers["Location"] == "/api/collections/houses")
    #expect(try answer.json["features"]?.intValue == 3)
    #expect(try answer.json["by"]?.stringValue == "root")
    #expect(
      try kinds(answer) == [
        "name": "text", "floors": "integer", "height": "number", "listed": "boolean",
        "built": "date", "seen": "timestamp", "uses": "texts",
      ])
    #expect(try app.get("/api/collections/houses/items").matched == 3)
    #expect(
      try app.audit().map { [$0[0], $0[1]] } == [["import_collection", "collection houses"]])
    let list = try app.get("/api/admin/collections", as: admin.identity).json
    #expect(list["collections"]?[0]?["id"]?.stringValue == "houses")
  }

  @Test func `a table with coordinate columns is read, with typed values`() throws {
    let table = """
      id,Lon,LAT,code,count,share,open,day,at,mixed,nothing
      1,7.5,46.9,007,12,0.5,true,2024-02-29,2024-03-01T12:00:00Z,1,
      2,-8.25,38.5,010,-3,1,FALSE,2024-03-01,2024-03-01T12:00:00.5+01:00,a,
      3,,,011,,,,,,,
      """
    let answer = send(table, name: "list.csv")
    #expect(answer.status == .created, "\(answer.text)")
    #expect(
      try kinds(answer) == [
        "id": "integer", "code": "text", "count": "integer", "share": "number", "open": "boolean",
        "day": "date", "at": "timestamp", "mixed": "text",
      ])
    let features = try app.get("/api/collections/houses/items").features
    #expect(features[1]["geometry"]?["coordinates"] == [-8.25, 38.5])
    #expect(features[0]["properties"]?["code"]?.stringValue == "007")
    #expect(features[1]["properties"]?["count"]?.intValue == -3)
    #expect(features.map { $0["properties"]?["open"]?.boolValue } == [true, false, nil])
    #expect(features[2]["geometry"] == .null)
    #expect(features[2]["properties"]?["count"] == .null)
  }

  @Test func `a table may hold well-known text`() throws {
    let table = """
      name;WKT
      line;LINESTRING(7 46, 8 47)
      hole;POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 1))
      none;
      """
    let answer = send(table, name: "list.csv")
    #expect(answer.status == .created, "\(answer.text)")
    let features = try app.get("/api/collections/houses/items").features
    #expect(
      features.map { $0["geometry"]?["type"]?.stringValue } == ["LineString", "Polygon", nil])
  }

  @Test func `unreadable rows are left out and counted`() throws {
    let answer = send(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [181, 0]}, "properties": {}},
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 1]]},
          "properties": {}},
        {"type": "Something"}, 7,
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [180, -90]},
          "properties": null}
      ]}
      """)
    #expect(answer.status == .created)
    #expect(
      try answer.json["skipped"] == [
        ["reason": "geometry", "count": 1], ["reason": "position", "count": 1],
        ["reason": "unreadable", "count": 2],
      ])
    #expect(try app.get("/api/collections/houses/items").ids == ["5"])
  }

  @Test func `ids of the file are used when each is unique and valid in a URL`() throws {
    func list(_ ids: [String]) -> String {
      let features = ids.map {
        #"{"type": "Feature", "id": \#($0), "geometry": null, "properties": {}}"#
      }
      return #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    }
    #expect(send(list([#""x?y #%é""#, "9"]), id: "fits").status == .created)
    #expect(try app.get("/api/collections/fits/items").ids == ["x?y #%é", "9"])
    let link = try #require(
      try app.send(target: "/api/collections/fits/items/x%3Fy%20%23%25%C3%A9").link("self")?[
        "href"]?.stringValue)
    #expect(app.follow(link).status == .ok)
    let longest = String(repeating: "x", count: 200)
    #expect(send(list([#""...""#, "\"\(longest)\""]), id: "longest").status == .created)
    #expect(try app.get("/api/collections/longest/items").ids == ["...", longest])
    for unfit in ["9", "x/y", #"x\\y"#, "x\\u0007", "", ".", "..", longest + "x"] {
      let answer = send(list(["\"\(unfit)\"", "9"]), id: "unfit", [("replace", "true")])
      #expect(answer.status == .created, "\(answer.text)")
      #expect(try app.get("/api/collections/unfit/items").ids == ["1", "2"], "\(unfit)")
    }
  }

  @Test func `a GeoPackage is read, and its own ids are kept`() throws {
    let answer = send(try TestGeoPackage.make(), name: "layers.gpkg")
    #expect(answer.status == .created, "\(answer.text)")
    #expect(
      try kinds(answer) == [
        #"na"me"#: "text", "people": "integer", "old": "boolean", "share": "number",
      ])
    let features = try app.get("/api/collections/houses/items").features
    #expect(features.map { $0["id"]?.stringValue } == ["5", "6"])
    #expect(features[0]["geometry"]?["type"]?.stringValue == "Polygon")
    #expect(features[0]["properties"]?["old"] == true)
    let query = [("bbox", "9,0,11,1")]
    let found = app.send(target: Request.target("/api/collections/houses/items", query))
    #expect(try found.ids == ["6"])
  }

  @Test func `a column of a GeoPackage keeps its declared type if all its values fit`() throws {
    let layer = """
      CREATE TABLE quarters (fid INTEGER PRIMARY KEY, geom BLOB, code TEXT(10), built TEXT, opened DATE,
        at DATETIME, closed DATETIME, share DOUBLE, people MEDIUMINT, odd INTEGER)
      """
    let row = """
      INSERT INTO quarters VALUES (1, NULL, '12', '2024-01-02', '2024-01-02', '2024-01-02T03:04:05.000Z',
        NULL, 3, 7, 'many')
      """
    let answer = send(try TestGeoPackage.make(layer: layer, rows: [row]), name: "layers.gpkg")
    #expect(answer.status == .created, "\(answer.text)")
    #expect(
      try kinds(answer) == [
        "code": "text", "built": "text", "opened": "date", "at": "timestamp", "closed": "timestamp",
        "share": "number", "people": "integer", "odd": "text",
      ])
    let feature = try #require(try app.get("/api/collections/houses/items").features.first)
    #expect(feature["properties"]?["code"] == "12")
    #expect(feature["properties"]?["at"] == "2024-01-02T03:04:05Z")
  }

  @Test func `a compressed file is read`() throws {
    let packed = Gzip.compress(Array(TestCollection.points.utf8), level: 5)
    #expect(send(packed, name: "list.geojson.gz").status == .created)
  }

  @Test func `the errors of a GeoPackage are reported`() throws {
    func fault(_ content: [UInt8], _ more: [(String, String)] = []) throws -> String {
      let answer = send(content, name: "layers.gpkg", more)
      return try "\(answer.status.code) \(answer.fields.joined())"
    }
    #expect(try fault(TestGeoPackage.make(system: 2_056)) == "422 file")
    #expect(try fault(TestGeoPackage.make(others: ["more"])) == "422 layer")
    #expect(try fault(TestGeoPackage.make(), [("layer", "nothing")]) == "422 layer")
    let view = "CREATE VIEW quarters AS SELECT 1 AS fid, zeroblob(1000000000) AS geom"
    #expect(try fault(TestGeoPackage.make(layer: view)) == "422 layer")
    let virtual = "CREATE VIRTUAL TABLE quarters USING fts5(geom)"
    #expect(try fault(TestGeoPackage.make(layer: virtual)) == "422 layer")
    let whole = try TestGeoPackage.make()
    #expect(try fault(Array(whole.prefix(whole.count / 2))) == "422 file")
    #expect(try fault(GeoPackageFile.mark) == "422 file")
    #expect(try remaining == [0, 0, 0])
  }

  @Test(
    arguments: [
      ("id", "Houses"), ("id", "devices"), ("id", "1a"), ("id", "a"), ("id", ""), ("title", ""),
      ("licence", ""), ("attribution", ""), ("url", "javascript:alert(1)"), ("time", "name"),
      ("time", "nothing"), ("replace", "perhaps"), ("colour", "red"),
    ])
  func `an invalid field is named, and nothing is stored`(field: String, value: String) throws {
    let answer = send(TestCollection.points, [(field, value)])
    #expect([.badRequest, .unprocessableContent].contains(answer.status))
    #expect(try answer.fields == [field])
    #expect(try remaining == [0, 0, 0])
  }

  @Test(arguments: [
    "", "hello", "[]", #"{"type": "FeatureCollection", "features": []}"#,
    #"{"elements": [{"type": "node", "id": 1, "lat": 1, "lon": 1}]}"#,
    #"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": null, "#,
  ])
  func `a file without features is refused`(content: String) throws {
    let answer = send(content)
    #expect(answer.status == .unprocessableContent, "\(answer.text)")
    #expect(try answer.fields == ["file"])
    #expect(try remaining == [0, 0, 0])
  }

  @Test func `an existing id is refused unless the request replaces it`() throws {
    #expect(send(TestCollection.points).status == .created)
    let again = send(TestCollection.points)
    #expect(again.status == .conflict)
    #expect(try again.json["type"]?.stringValue == "/problems/collection-taken")
    let table = "name,lon,lat\nnew,1,2\n"
    let answer = send(table, name: "list.csv", [("replace", "true")])
    #expect(answer.status == .created)
    #expect(try app.get("/api/collections/houses/items").ids == ["1"])
    #expect(try remaining == [1, 1, 1])
  }

  @Test func `a deleted collection is gone, and none of its rows remain`() throws {
    #expect(send(TestCollection.points).status == .created)
    let before = app.get("/api/collections")
    let path = "/api/admin/collections/houses"
    #expect(app.send(.delete, path, as: admin.identity).status == .noContent)
    #expect(app.send(.delete, path, as: admin.identity).status == .notFound)
    #expect(app.get("/api/collections/houses").status == .notFound)
    #expect(app.get("/api/collections").headers["ETag"] != before.headers["ETag"])
    #expect(try remaining == [0, 0, 0])
  }

  @Test func `an interrupted addition is invisible and gets deleted`() throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO collection (id, state, title, description, licence, attribution, file,
          properties, created_at) VALUES ('half', 'loading', 'x', '', 'x', 'x', 'x', '[]', 'x')
        """)
      try connection.execute(
        """
        INSERT INTO collection_feature (collection_rowid, key, properties)
        VALUES (?, '1', '{}')
        """, [.integer(connection.lastInsertedRowID)])
    }
    #expect(app.get("/api/collections/half/items").status == .notFound)
    try app.app.collectionImports.endBroken()
    try app.app.collectionImports.sweep()
    #expect(try remaining == [0, 0, 0])
  }

  @Test func `property names are never part of SQL statements`() throws {
    let name = "'); DROP TABLE device; --\""
    let writer = JSONValue.object([
      "type": "FeatureCollection",
      "features": [
        [
          "type": "Feature", "geometry": .null,
          "properties": .object(JSONObject([(name, "x"), ("geometry", "y"), ("limit", "z")])),
        ]
      ],
    ])
    var json = JSONWriter()
    json.value(writer)
    #expect(send(json.bytes).status == .created)
    let items = "/api/collections/houses/items"
    #expect(try app.send(target: Request.target(items, [(name, "x")])).matched == 1)
    #expect(try app.send(target: Request.target(items, [(name, "z")])).matched == 0)
    // A property with the name of a parameter can be filtered in CQL2 only.
    #expect(
      try app.send(target: Request.target(items, [("filter", "\"limit\" = 'z'")])).matched == 1)
    #expect(
      try app.send(target: Request.target(items, [("filter", "geometry IS NULL")])).matched == 1)
    #expect(try app.get(items).features[0]["properties"]?["geometry"] == "y")
  }
}
