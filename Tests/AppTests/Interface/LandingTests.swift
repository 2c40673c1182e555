@testable import App
import JSON
@testable import Service
import Testing
import WebServer

@Suite struct LandingTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `the landing page leads to all resources by typed links`() throws {
    let page = app.get("/api")
    #expect(page.status == .ok)
    #expect(page.headers["Content-Type"] == "application/json")
    let links = try #require(try page.json["links"]?.arrayValue)
    for link in links {
      for member in ["href", "rel", "type", "title"] {
        #expect(link[member]?.stringValue?.isEmpty == false)
      }
      #expect(link["href"]?.stringValue?.hasPrefix(TestApp.address) == true)
    }
    let relations = Set(links.compactMap { $0["rel"]?.stringValue })
    #expect(
      relations.isSuperset(of: [
        "self", "alternate", "service-desc", "service-doc", "conformance", "data",
      ]))
    #expect(page.headers.values("Link").count == links.count)
  }

  @Test func `only the root may have a trailing slash, and is the same page`() throws {
    #expect(try app.get("/api/").json["links"] == app.get("/api").json["links"])
    #expect(app.get("/api/", ["f": "json"]).status == .ok)
    #expect(app.get("/api/", ["nothing": "1"]).status == .badRequest)
    #expect(app.get("/api/collections/").status == .notFound)
    #expect(app.get("/api//").status == .notFound)
  }

  @Test func `every link of the landing page and the collection has its stated type`() throws {
    for start in ["/api", "/api/collections/devices"] {
      for link in try #require(try app.get(start).json["links"]?.arrayValue) {
        let href = try #require(link["href"]?.stringValue)
        guard href.hasPrefix(TestApp.address) else {
          #expect(link["rel"] == "license", "\(href)")
          continue
        }
        let answer = app.follow(href)
        #expect(answer.status == .ok, "\(href)")
        let type = answer.headers["Content-Type"]?.split(separator: ";charset").first.map(
          String.init)
        let wanted = try #require(link["type"]?.stringValue)
        #expect(type?.hasPrefix(wanted) == true, "\(href)")
      }
    }
  }

  @Test func `conformance names classes of published standards`() throws {
    let classes = try #require(
      try app.get("/api/conformance").json["conformsTo"]?.arrayValue
    ).compactMap(\.stringValue)
    #expect(Set(classes).count == classes.count)
    #expect(classes.allSatisfy { $0.hasPrefix("http://www.opengis.net/spec/") })
    for wanted in ["core", "oas30", "geojson"] {
      #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/" + wanted))
    }
  }

  @Test func `the HTML page names every path`() throws {
    let page = app.get("/api/docs").text
    for endpoint in app.app.endpoints {
      #expect(page.contains("id=\"\(endpoint.id)\""), "\(endpoint.path)")
    }
  }
}
