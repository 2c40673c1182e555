@testable import App
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

@Suite struct CollectionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `the collection is the same in the list and by itself`() throws {
    _ = try RandomWorld(app, count: 20)
    let listed = try app.get("/api/collections").json["collections"]
    #expect(listed?.arrayValue?.count == 1)
    #expect(try listed?[0] == app.get(Path.collection).json)
  }

  @Test func `the extent covers every feature`() throws {
    let world = try RandomWorld(app, count: 80)
    app.clock.advance(by: .seconds(3_600))
    try app.device(longitude: 179.99, latitude: -89)
    let extent = try app.get(Path.collection).json["extent"]
    let box = try #require(extent?["spatial"]?["bbox"]?[0]?.arrayValue).compactMap(\.numberValue)
    for entry in world.entries {
      #expect((box[0]...box[2]).contains(entry.point.longitude))
      #expect((box[1]...box[3]).contains(entry.point.latitude))
    }
    #expect(box[1] == -89)
    #expect(box[2] == 179.99)
    let interval = try #require(extent?["temporal"]?["interval"]?[0]?.arrayValue)
    #expect(interval.map(\.stringValue) == ["2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z"])
  }

  @Test func `the extent of an empty collection is the world, without times`() throws {
    let extent = try app.get(Path.collection).json["extent"]
    #expect(extent?["spatial"]?["bbox"] == [[-180, -90, 180, 90]])
    #expect(extent?["temporal"]?["interval"] == [[nil, nil]])
  }

  @Test func `a hidden device affects neither the box nor the time of the extent`() throws {
    try app.device(longitude: 1, latitude: 1)
    app.clock.advance(by: .seconds(86_400))
    let hidden = try app.device(longitude: 50, latitude: 50)
    try app.hide(hidden)
    let extent = try app.get(Path.collection).json["extent"]
    #expect(extent?["spatial"]?["bbox"] == [[1, 1, 1, 1]])
    #expect(
      extent?["temporal"]?["interval"] == [["2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"]])
  }

  @Test func `reference systems start with CRS84 and include the storage one`() throws {
    let collection = try app.get(Path.collection).json
    let systems = try #require(collection["crs"]?.arrayValue).compactMap(\.stringValue)
    #expect(systems.first == "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
    #expect(systems.contains("http://www.opengis.net/def/crs/EPSG/0/4326"))
    #expect(systems.contains("http://www.opengis.net/def/crs/EPSG/0/3857"))
    #expect(systems.contains(try #require(collection["storageCrs"]?.stringValue)))
    #expect(collection["itemType"]?.stringValue == "feature")
  }

  @Test func `queryables are a closed schema of typed properties and one point`() throws {
    let answer = app.get(Path.collection + "/queryables")
    #expect(answer.headers["Content-Type"] == "application/schema+json")
    let schema = try answer.json
    #expect(schema["$schema"]?.stringValue == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$id"]?.stringValue == TestApp.address + Path.collection + "/queryables")
    #expect(schema["type"]?.stringValue == "object")
    #expect(schema["additionalProperties"]?.boolValue == false)
    let properties = try #require(schema["properties"]?.objectValue)
    for property in properties.members {
      if property.key == "geometry" {
        #expect(property.value == ["format": "geometry-point"])
      } else {
        #expect(property.value["type"]?.stringValue != nil, "\(property.key)")
        #expect(property.value["nullable"] == nil)
      }
    }
    #expect(properties["geometry"] != nil)
    #expect(properties["category"] != nil)
  }

  @Test func `each queryable that is promised as a parameter is one`() throws {
    let promised =
      "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters"
    let classes = try app.get("/api/conformance").json["conformsTo"]?.arrayValue ?? []
    guard classes.contains(.string(promised)) else { return }
    let items = try #require(app.app.endpoints.first { $0.path == Path.items })
    let schema = try app.get(Path.collection + "/queryables").json
    for property in try #require(schema["properties"]?.objectValue).members
    where property.key != "geometry" {
      #expect(items.queryNames.contains(property.key), "\(property.key)")
    }
  }

  @Test(arguments: ["/api/collections/nothing", "/api/collections/nothing/items", "/api/nothing"])
  func `an unknown collection or path returns 404`(path: String) throws {
    #expect(app.get(path).status == .notFound)
    #expect(app.get("/api/collections/nothing", ["f": "json"]).status == .notFound)
  }
}
