@testable import App
import JSON
@testable import Lists
@testable import Operations
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Every endpoint accepts a body of its greatest length, and refuses one byte more.
@Suite struct BodyLimitTests {
  /// JSON bodies that may be longer than 64 KiB, because they hold lists, filters or whole devices.
  private static let long: [String: Int] = [
    "POST /api/collections/devices/items": 256 << 10,
    "PUT /api/collections/devices/items/{id}": 256 << 10,
    "PATCH /api/collections/devices/items/{id}": 256 << 10,
    "POST /api/coordinate-conversions": 256 << 10,
    "POST /api/choices": 256 << 10, "PATCH /api/choices/{id}": 256 << 10,
    "POST /api/choices/import": 1 << 20,
    "POST /api/admin/import-schedules": 512 << 10,
    "PATCH /api/admin/import-schedules/{id}": 512 << 10,
    "POST /api/collections/devices/search": 1 << 20,
    "POST /api/collections/{collectionId}/search": 1 << 20,
  ]

  private static func isJSON(_ body: Endpoint.Body) -> Bool { body.type.hasSuffix("json") }

  @Test func `bodies of JSON are short, unless they hold lists, filters or whole devices`() throws {
    for endpoint in try TestApp().app.endpoints {
      guard let body = endpoint.body, Self.isJSON(body) else { continue }
      let name = "\(endpoint.method.rawValue) \(endpoint.path)"
      let wanted = Self.long[name] ?? Endpoint.Body.usualLimit
      #expect(Self.long[name] == nil ? body.limit <= wanted : body.limit == wanted, "\(name)")
    }
  }

  @Test func `no value of the OpenAPI document's enumerations is listed twice`() throws {
    var repeated: [String] = []
    func look(_ json: JSONValue, _ path: String) {
      for element in json["enum"]?.arrayValue.map({ [$0] }) ?? [] {
        let values = element.map { "\($0)" }
        if Set(values).count < values.count { repeated.append(path) }
      }
      for member in json.objectValue?.members ?? [] { look(member.value, "\(path)/\(member.key)") }
      for (place, element) in (json.arrayValue ?? []).enumerated() {
        look(element, "\(path)/\(place)")
      }
    }
    look(try TestApp().get("/api/openapi.json").json, "")
    #expect(repeated.isEmpty)
  }

  @Test func `the OpenAPI document states the limit of each body`() throws {
    let app = try TestApp()
    let document = try app.get("/api/openapi.json").json
    for endpoint in app.app.endpoints {
      guard let body = endpoint.body else { continue }
      let operation = document["paths"]?[endpoint.path]?[endpoint.method.rawValue.lowercased()]
      #expect(
        operation?["requestBody"]?["description"]?.stringValue == "At most \(body.limit) bytes.",
        "\(endpoint.path)")
    }
  }

  @Test(arguments: WritingCase.all)
  func `the longest body is read and a longer one is refused`(_ written: WritingCase) throws {
    let app = try TestApp { folder in
      try TestPlaces.make(in: folder)
      try TestTiles.make(in: folder)
    }
    _ = try app.account("root", role: .admin)
    let endpoint = try #require(
      app.app.endpoints.first { "\($0.method.rawValue) \($0.path)" == written.endpoint })
    guard let limit = endpoint.body?.limit, endpoint.body.map(Self.isJSON) == true else { return }
    // White space after the value is part of a JSON text.
    var sent = try written.request(app)
    let good = sent.body ?? Array("{}".utf8)
    sent.body = good + [UInt8](repeating: 32, count: limit + 1 - good.count)
    #expect(app.respond(to: sent).status == .contentTooLarge)
    sent.body?.removeLast()
    let status = app.respond(to: sent).status
    #expect(status.code < 500 && status != .contentTooLarge, "\(status)")
    if !good.isEmpty { #expect(status != .badRequest, "\(status)") }
    app.app.imports.worker.rest()
  }

  @Test func `a body cannot be parsed while other writes wait`() throws {
    let app = try TestApp()
    let request = Request(
      .post, "/", headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
    _ = try RequestBody(request, [])
    #expect(throws: RequestBody.ParsedTooLate.self) {
      try app.database.write { _ in try RequestBody(request, []) }
    }
  }
}
