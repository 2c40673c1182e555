@testable import App
@testable import Service
import Testing
import WebServer

@Suite struct NegotiationTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private var paths: [String] {
    app.app.endpoints.filter {
      $0.method == .get && $0.queryNames.contains("f") && !$0.path.contains("{")
    }.map(\.path)
      + ["/api/taxonomies/data"]
  }

  @Test func `an unsupported encoding is a bad request`() throws {
    for path in paths {
      for format in ["xml", "", "JSON", "html,json"] {
        let answer = app.get(path, ["f": format])
        #expect(answer.status == .badRequest, "\(path) \(format)")
        #expect(try answer.fields == ["f"])
      }
    }
  }

  @Test func `an Accept without any offered type returns 406`() throws {
    for path in paths where path != "/api/places" {
      let answer = app.get(path, headers: ["Accept": "application/xml, image/*;q=0.8"])
      #expect(answer.status == .notAcceptable, "\(path)")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(app.get(path, headers: ["Accept": "application/json;q=0"]).status == .notAcceptable)
    }
  }

  @Test func `f takes precedence over an unacceptable Accept`() throws {
    // The catalogue has two vocabularies instead of JSON and pages.
    for path in paths where !path.hasPrefix("/api/places") && path != "/api/catalogue" {
      let answer = app.get(path, ["f": "json"], headers: ["Accept": "application/xml"])
      #expect(answer.status == .ok, "\(path)")
    }
  }

  @Test(arguments: [
    "*/*", "application/*", "application/json", "application/geo+json", "text/html;q=0.1, */*",
    "APPLICATION/GEO+JSON", "application/geo+json, text/html;q=0.2",
  ])
  func `items are sent for every Accept that includes GeoJSON or JSON`(accept: String) {
    let answer = app.get(Path.items, headers: ["Accept": accept])
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "application/geo+json")
  }
}
