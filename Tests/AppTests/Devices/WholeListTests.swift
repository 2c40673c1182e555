@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// Lists with all properties, for programs that have no setting for properties.
@Suite struct WholeListTests {
  let app: TestApp
  private static let gis: Headers = ["Accept": "application/geo+json, application/json"]

  init() throws {
    app = try TestApp()
    try app.device(longitude: 7.4, latitude: 46.9) { fields in
      fields.manufacturer = "Axis"
    }
  }

  private func names(
    _ query: TestApp.Parameters = [:], _ headers: Headers = [:]
  ) throws -> [String] {
    let answer = app.get(Path.items, query, headers: headers)
    #expect(answer.status == .ok)
    let properties = try answer.features.first?["properties"]?.objectValue
    return properties?.members.map(\.key) ?? []
  }

  @Test func `a request that names GeoJSON gets all properties, like an asterisk`() throws {
    let all = DeviceProperty.all.map(\.name)
    #expect(try names([:], Self.gis) == all)
    #expect(try names([:], ["Accept": "text/html;q=0.1, Application/Geo+JSON"]) == all)
    #expect(try names(["properties": "*"]) == all)
    #expect(
      try app.get(Path.items, headers: Self.gis).features
        == app.get(Path.items, ["properties": "*"]).features)
  }

  @Test(arguments: [
    nil, "*/*", "application/*", "application/json", "application/geo+json;q=0, application/json",
  ])
  func `any other request gets the short list`(accept: String?) throws {
    var headers = Headers()
    if let accept { headers["Accept"] = accept }
    #expect(try names([:], headers) == DeviceProperty.ofLists.map(\.name))
  }

  @Test func `named properties are added to the short list, whatever the Accept header`() throws {
    let wanted = Set(DeviceProperty.ofLists.map(\.name) + ["licence"])
    #expect(try Set(names(["properties": "licence"], Self.gis)) == wanted)
    #expect(try Set(names(["properties": "licence"])) == wanted)
  }

  @Test func `both lists are separate versions`() throws {
    let short = app.get(Path.items)
    let tag = try #require(short.headers["ETag"])
    #expect(short.headers["Vary"]?.contains("Accept") == true)
    var headers = Self.gis
    headers["If-None-Match"] = tag
    let whole = app.get(Path.items, headers: headers)
    #expect(whole.status == .ok)
    headers["If-None-Match"] = whole.headers["ETag"]
    #expect(app.get(Path.items, headers: headers).status == .notModified)
    #expect(app.get(Path.items, headers: ["If-None-Match": tag]).status == .notModified)
  }

  @Test func `the schema names all properties, and those that the server sets`() throws {
    let answer = app.get(Path.collection + "/schema")
    #expect(answer.headers["Content-Type"] == "application/schema+json")
    let schema = try answer.json
    #expect(schema["$id"]?.stringValue == TestApp.address + Path.collection + "/schema")
    let properties = try #require(schema["properties"]?.objectValue)
    #expect(
      properties.members.map(\.key) == ["id", "geometry"] + DeviceProperty.all.map(\.name))
    #expect(properties["geometry"]?["x-ogc-role"]?.stringValue == "primary-geometry")
    #expect(properties["id"]?["x-ogc-role"]?.stringValue == "id")
    #expect(properties["licence"]?["readOnly"]?.boolValue == true)
    #expect(properties["manufacturer"]?["readOnly"] == nil)
    let links = try app.get(Path.collection).json["links"]?.arrayValue ?? []
    let schemas = links.filter {
      $0["rel"]?.stringValue == "http://www.opengis.net/def/rel/ogc/1.0/schema"
    }
    #expect(schemas.map { $0["href"] } == [schema["$id"]])
  }

  @Test func `the schema has the limits, units and codes of what people set`() throws {
    let properties = try app.get(Path.collection + "/schema").json["properties"]
    #expect(
      properties?["height"] == [
        "type": "number", "minimum": .double(-500), "maximum": .double(9_000), "x-ogc-unit": "m",
      ])
    #expect(
      properties?["field_of_view"] == [
        "type": "number", "maximum": .double(360), "x-ogc-unit": "deg",
        "exclusiveMinimum": .double(0),
      ])
    #expect(properties?["units"] == ["type": "integer", "minimum": 1, "maximum": 10_000])
    #expect(properties?["manufacturer"]?["maxLength"] == 120)
    #expect(properties?["setting"]?["enum"] == ["public", "outdoor", "indoor"])
    let codes = try #require(properties?["mount"]?["x-ogc-codelistUri"]?.stringValue)
    #expect(codes == TestApp.address + "/api/taxonomies/mounts")
    #expect(app.get("/api/taxonomies/mounts").status == .ok)
    let queryables = try app.get(Path.collection + "/queryables").json["properties"]
    #expect(queryables?["height"] == properties?["height"])
  }

  @Test func `a device has the licence of its source, or else that of the instance`() throws {
    try app.importCSV("id,name,lon,lat\n1,Listed,8,47\n")
    let features = try app.get(Path.items, ["properties": "licence"]).features
    let licences = features.map { $0["properties"]?["licence"]?.stringValue }
    #expect(licences == [InstanceSettings().licence, "CC0-1.0"])
    let links = try app.get(Path.collection).json["links"]?.arrayValue ?? []
    let named = links.filter { $0["rel"]?.stringValue == "license" }
      .map { $0["title"]?.stringValue }
    #expect(named == [InstanceSettings().licence, "CC0-1.0"])
  }
}
