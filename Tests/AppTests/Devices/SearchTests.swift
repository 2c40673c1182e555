@testable import App
import CQL2
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// `POST …/search`: lists whose parameters are longer than an address can be.
@Suite struct SearchTests {
  let app: TestApp
  private static let path = Path.collection + "/search"

  init() throws {
    app = try TestApp()
    let categories: [CategoryCode] = [.cameraFixed, .alpr, .webcam]
    for (number, category) in categories.enumerated() {
      try app.device(
        category, name: category.rawValue, longitude: Double(number), latitude: 10)
    }
  }

  private func search(_ body: JSONValue) -> TestAnswer { app.send(.post, Self.path, json: body) }

  /// A filter of this many bytes that finds the device named `alpr`.
  private static func filter(bytes: Int) -> String {
    let filter = "name = 'alpr' OR name = ''"
    return filter.dropLast() + String(repeating: "x", count: bytes - filter.utf8.count) + "'"
  }

  @Test func `members have the meaning of the parameters`() throws {
    #expect(try search([:]).names == ["camera_fixed", "alpr", "webcam"])
    #expect(try search(["category": ["alpr", "webcam"], "limit": 1]).names == ["alpr"])
    #expect(try search(["bbox": [0.5, 9, 1.5, 11.0]]).names == ["alpr"])
    #expect(try search(["filter": "name = 'webcam'", "filter-lang": nil]).names == ["webcam"])
    #expect(try search(["name": ["webcam", "alpr"]]).names == ["alpr", "webcam"])
    let properties = try search(["properties": "*"]).features.first?["properties"]
    #expect(properties?["licence"] != nil)
  }

  @Test func `a filter can be CQL2 JSON itself, or as a text`() throws {
    let filter: JSONValue = ["op": "=", "args": [["property": "name"], "webcam"]]
    #expect(try search(["filter": filter]).names == ["webcam"])
    let text = JSONValue.string(filter.text)
    #expect(try search(["filter": text, "filter-lang": "cql2-json"]).names == ["webcam"])
    #expect(try search(["filter": text]).fields == ["filter"])
  }

  @Test func `a search takes longer filters than an address, up to its own limit`() throws {
    let limit = FilterLimits().length
    for bytes in [limit + 1, FilterLimits.ofSearch.length] {
      let filter = JSONValue.string(Self.filter(bytes: bytes))
      #expect(try search(["filter": filter]).names == ["alpr"])
    }
    let tooLong = JSONValue.string(Self.filter(bytes: FilterLimits.ofSearch.length + 1))
    #expect(try search(["filter": tooLong]).fields == ["filter"])
  }

  @Test(arguments: [Path.items, "/api/exports/devices.csv", "/api/statistics", Path.tile(0, 0, 0)])
  func `every address takes a filter of the same length`(path: String) throws {
    let limit = FilterLimits().length
    #expect(app.get(path, ["filter": Self.filter(bytes: limit)]).status == .ok)
    let tooLong = app.get(path, ["filter": Self.filter(bytes: limit + 1)])
    #expect(tooLong.status == .badRequest)
    #expect(try tooLong.fields == ["filter"])
  }

  @Test func `the next page has the same body with the cursor of its link`() throws {
    var body: JSONObject = ["limit": 2, "filter": "name <> 'none'"]
    let first = search(.object(body))
    let links = try #require(try first.json["links"]?.arrayValue)
    let next = try #require(links.first { $0["rel"] == "next" })
    #expect(next["href"]?.stringValue == TestApp.address + Self.path)
    #expect(next["method"] == "POST" && next["merge"] == true)
    #expect(first.headers.values("Link").allSatisfy { !$0.contains("next") })
    for member in next["body"]?.objectValue?.members ?? [] { body[member.key] = member.value }
    let second = search(.object(body))
    #expect(try first.names + second.names == ["camera_fixed", "alpr", "webcam"])
    #expect(try second.json["links"]?.arrayValue?.contains { $0["rel"] == "next" } == false)
    body["filter"] = "name <> 'other'"
    #expect(try search(.object(body)).fields == ["cursor"])
  }

  @Test func `the response is not stored`() throws {
    let answer = search([:])
    #expect(answer.headers["Cache-Control"] == "no-store")
    #expect(answer.headers["ETag"] == nil)
    let tag = try #require(app.get(Path.items).headers["ETag"])
    let again = app.send(.post, Self.path, headers: ["If-None-Match": tag], json: [:])
    #expect(again.status == .ok)
  }

  @Test func `unknown members and values of other types are refused by name`() throws {
    #expect(try search(["nothing": 1]).fields == ["nothing"])
    #expect(try search(["f": "html"]).fields == ["f"])
    #expect(try search(["bbox": ["a": 1]]).fields == ["bbox"])
    #expect(try search(["category": ["nothing"]]).fields == ["category"])
    #expect(search([1]).status == .badRequest)
    let form = app.send(
      .post, target: Self.path, headers: ["Content-Type": "text/plain"], body: Array("{}".utf8))
    #expect(form.status == .unsupportedMediaType)
  }

  @Test func `an address with a long filter is complete in the body, and short in the head`() throws
  {
    let answer = app.get(Path.items, ["filter": Self.filter(bytes: 6_000)])
    #expect(answer.headers.values("Link").allSatisfy { $0.utf8.count <= 4_096 })
    let links = try #require(try answer.json["links"]?.arrayValue)
    #expect(links.contains { ($0["href"]?.stringValue?.utf8.count ?? 0) > 6_000 })
  }
}
