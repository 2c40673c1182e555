@testable import App
import Foundation
import JSON
import Testing
import WebServer

/// The OpenAPI document describes the server exactly.
@Suite struct OpenAPITests {
  let app: TestApp
  let document: JSONValue

  init() throws {
    app = try TestApp()
    document = try app.get("/api/openapi.json").json
  }

  private struct Operation {
    let path: String
    let method: String
    let value: JSONValue

    var parameters: [JSONValue] { value["parameters"]?.arrayValue ?? [] }

    func names(_ location: String) -> [String] {
      parameters.filter { $0["in"]?.stringValue == location }.compactMap { $0["name"]?.stringValue }
    }
  }

  private var operations: [Operation] {
    (document["paths"]?.objectValue?.members ?? []).flatMap { path in
      (path.value.objectValue?.members ?? []).map {
        Operation(path: path.key, method: $0.key.uppercased(), value: $0.value)
      }
    }
  }

  /// Routes of pages and files, which are not part of the interface.
  private static func isPage(_ route: Route) -> Bool {
    let template = route.template
    return !template.hasPrefix("/api") && !template.hasPrefix("/basemap/")
      && !template.hasPrefix("/streets/") && !template.hasPrefix("/street-graphs/")
      && !["/healthz", "/readyz", "/metrics", "/.well-known/gpc.json"].contains(template)
  }

  @Test func `every route is in the document and every path of it is routed`() {
    let routed = app.app.router.routes.filter { !Self.isPage($0) }
      .map { "\($0.method.rawValue) \($0.template)" }
    let declared = operations.map { "\($0.method) \($0.path)" }
    #expect(Set(routed) == Set(declared))
    #expect(routed.count == Set(routed).count)
    #expect(declared.count == Set(declared).count)
  }

  @Test func `accepted and declared query parameters are the same`() throws {
    for operation in operations {
      let route = try #require(
        app.app.router.routes.first {
          $0.template == operation.path && $0.method.rawValue == operation.method
        })
      let names = operation.names("query")
      // Where the accepted parameters depend on the database, the handler checks them.
      if let accepted = route.query {
        #expect(Set(names) == accepted, "\(operation.path)")
      }
      #expect(names.count == Set(names).count, "\(operation.path)")
    }
  }

  @Test func `path parameters are those of the template`() {
    for operation in operations {
      let named = operation.path.split(separator: "{").dropFirst().map { part in
        String(part.prefix { $0 != "}" })
      }
      #expect(operation.names("path").sorted() == named.sorted(), "\(operation.path)")
      for parameter in operation.parameters where parameter["in"]?.stringValue == "path" {
        #expect(parameter["required"]?.boolValue == true)
      }
    }
  }

  @Test func `every parameter has a schema, a style and a description`() {
    for operation in operations {
      for parameter in operation.parameters {
        #expect(parameter["schema"]?["type"]?.stringValue != nil)
        #expect(parameter["style"]?.stringValue != nil)
        #expect(parameter["explode"]?.boolValue != nil)
        #expect(parameter["description"]?.stringValue?.hasSuffix(".") == true)
      }
    }
  }

  @Test func `operations have unique ids, tags, summaries and responses`() {
    let ids = operations.compactMap { $0.value["operationId"]?.stringValue }
    #expect(ids.count == operations.count)
    #expect(Set(ids).count == ids.count)
    for operation in operations {
      #expect(operation.value["summary"]?.stringValue?.isEmpty == false)
      #expect(operation.value["tags"]?.arrayValue?.count == 1)
      let answers = operation.value["responses"]?.objectValue?.members ?? []
      #expect(
        answers.contains { $0.key.hasPrefix("2") || $0.key == "303" }
          || operation.path.hasSuffix("{collectionId}"))
      for answer in answers { #expect(answer.value["description"]?.stringValue != nil) }
    }
  }

  @Test func `references stay inside the document and have a target`() throws {
    var found = 0
    func look(_ value: JSONValue) {
      if let text = value["$ref"]?.stringValue {
        found += 1
        let name = text.split(separator: "/").last.map(String.init) ?? ""
        #expect(text == "#/components/schemas/\(name)")
        #expect(document["components"]?["schemas"]?[name] != nil, "\(text)")
      }
      for member in value.objectValue?.members ?? [] { look(member.value) }
      for element in value.arrayValue ?? [] { look(element) }
    }
    look(document)
    #expect(found > 20)
  }

  @Test func `every schema is referred to`() throws {
    let text = app.get("/api/openapi.json").text
    for schema in document["components"]?["schemas"]?.objectValue?.members ?? [] {
      #expect(text.contains("#/components/schemas/\(schema.key)\""), "\(schema.key)")
    }
  }

  @Test func `the document is of version 3.0 and its server is a prefix of every address`() throws {
    #expect(document["openapi"]?.stringValue?.hasPrefix("3.0.") == true)
    #expect(document["servers"]?[0]?["url"]?.stringValue == TestApp.address)
    for member in ["title", "version"] {
      #expect(document["info"]?[member]?.stringValue?.isEmpty == false)
    }
  }

  @Test func `items declare box, limit and time as the OGC suite asserts`() throws {
    let items = try #require(operations.first { $0.path == Path.items && $0.method == "GET" })
    func parameter(_ name: String) throws -> JSONValue {
      try #require(items.parameters.first { $0["name"]?.stringValue == name })
    }
    for name in ["bbox", "limit", "datetime"] {
      let declared = try parameter(name)
      #expect(declared["in"]?.stringValue == "query")
      #expect(declared["required"]?.boolValue == false)
      #expect(declared["style"]?.stringValue == "form")
      #expect(declared["explode"]?.boolValue == false)
    }
    let box = try parameter("bbox")["schema"]
    #expect(box?["type"]?.stringValue == "array")
    #expect(box?["minItems"]?.intValue == 4)
    #expect(box?["maxItems"]?.intValue == 6)
    #expect(box?["items"]?["type"]?.stringValue == "number")
    let limit = try parameter("limit")["schema"]
    #expect(limit?["type"]?.stringValue == "integer")
    #expect(limit?["minimum"]?.intValue == 1)
    #expect(limit?["maximum"]?.intValue == 10_000)
    #expect(limit?["default"]?.intValue == 10)
    #expect(try parameter("datetime")["schema"]?["type"]?.stringValue == "string")
  }

  @Test func `the document has its own media type, also on request`() {
    let type = "application/vnd.oai.openapi+json;version=3.0"
    #expect(app.get("/api/openapi.json").headers["Content-Type"] == type)
    let asked = app.get("/api/openapi.json", headers: ["Accept": type])
    #expect(asked.status == .ok)
    #expect(asked.headers["Content-Type"] == type)
  }

  @Test func `paths relative to the landing page describe the same operations`() throws {
    let answer = app.get("/api/openapi.json", ["relative": "true"])
    let relative = try answer.json
    let base = TestApp.address
    #expect(relative["servers"] == [["url": .string(base + "/api")]])
    let paths = try #require(relative["paths"]?.objectValue)
    #expect(paths["/collections/devices/items"] != nil && paths["/"] != nil)
    let whole = paths.members.map { path, item in
      item["servers"] == nil ? "/api" + (path == "/" ? "" : path) : path
    }
    #expect(whole == document["paths"]?.objectValue?.members.map(\.key))
    #expect(paths["/healthz"]?["servers"] == [["url": .string(base)]])
    #expect(app.get("/api/openapi.json", ["relative": "1"]).status == .badRequest)
    // GDAL takes the first link of this relation.
    let links = try app.get("/api").json["links"]?.arrayValue ?? []
    let first = links.first { $0["rel"] == "service-desc" }
    #expect(first?["href"]?.stringValue == base + "/api/openapi.json?relative=true")
  }

  @Test func `successful responses have declared media types`() throws {
    let device = try app.device(longitude: 1, latitude: 1)
    let values = ["id": device.id, "scheme": "data", "z": "0", "x": "0", "y": "0"]
    for operation in operations where operation.method == "GET" {
      var path = operation.path
      for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
      for name in ["tileMatrix", "tileRow", "tileCol"] {
        path = path.replacing("{\(name)}", with: "0")
      }
      let query: TestApp.Parameters = operation.path == "/api/places" ? ["q": "a"] : [:]
      let answer = app.get(path, query)
      guard answer.status == .ok else { continue }
      let declared = operation.value["responses"]?["200"]?["content"]?.objectValue?.members ?? []
      let type = try #require(answer.headers["Content-Type"])
      #expect(declared.contains { type == $0.key || type.hasPrefix($0.key + ";") }, "\(path)")
    }
  }
}
