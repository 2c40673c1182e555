@testable import App
import Foundation
import JSON
import SpatialDatabase
import Testing
import WebServer

/// Requests while the database cannot be reached: refused with 503, never failed with 500.
@Suite struct OutageTests {
  let app: TestApp
  let ana: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.device(by: ana, name: "Gate")
  }

  /// The path of a route, with values that exist where a value is looked up.
  private func path(of route: Route) -> String {
    let parts = route.template.split(separator: "/", omittingEmptySubsequences: false)
    return parts.map { part in
      guard let start = part.firstIndex(of: "{"), let end = part.firstIndex(of: "}") else {
        return String(part)
      }
      let value =
        switch part[part.index(after: start)..<end] {
        case "id": device.id
        case "username": "ana"
        case "category": "alpr"
        case "collection": "devices"
        case "file": "0.xml"
        default: "1"
        }
      return "\(part[..<start])\(value)\(part[part.index(after: end)...])"
    }.joined(separator: "/")
  }

  @Test func `no request fails with an internal error`() throws {
    try app.database.close()
    for route in app.app.router.routes {
      for identity in [Identity.visitor, ana.identity] {
        var headers = Headers()
        for (name, value) in identity.headers { headers.add(name, value) }
        let answer = app.app.router.respond(
          to: Request(route.method, path(of: route), headers: headers))
        let words = "\(route.method.rawValue) \(route.template): \(answer.status.code)"
        #expect(answer.status != .internalServerError, "\(words)")
        if answer.status == .serviceUnavailable {
          #expect(answer.headers["Retry-After"] != nil, "\(words)")
        }
      }
    }
    #expect(!app.log.lines.contains { $0.contains("unexpected error") })
  }

  @Test func `pages, site maps, feeds and lists are unavailable`() throws {
    let paths = [
      "/devices/\(device.id)", "/devices/\(device.id)/history", "/people/ana",
      "/operators/\(ana.id)", "/learn", "/learn/alpr", "/sitemap.xml", "/sitemaps/0.xml",
      "/api/feeds/devices.atom",
      "/api/collections/devices/items",
    ]
    for path in paths {
      #expect(app.get(path, as: ana.identity).status != .serviceUnavailable, "\(path)")
    }
    try app.database.close()
    for path in paths {
      for identity in [Identity.visitor, ana.identity] {
        let answer = app.get(path, as: identity)
        #expect(answer.status == .serviceUnavailable, "\(path)")
        #expect(answer.headers["Retry-After"] == "5", "\(path)")
        #expect(answer.headers["Cache-Control"] == "no-store", "\(path)")
        #expect(answer.headers["ETag"] == nil, "\(path)")
      }
    }
    let page = app.get(
      paths[0], headers: ["Accept": "text/html", "Accept-Language": "en"], as: ana.identity)
    #expect(page.status == .serviceUnavailable && page.headers["Retry-After"] == "5")
    #expect(page.text.contains("The database is not responding."))
    #expect(
      app.get(paths[0], headers: ["Accept": "text/html", "Accept-Language": "pt"]).text
        .contains("A base de dados não está a responder."))
  }

  @Test func `pages without data are complete`() throws {
    try app.database.close()
    for path in ["/", "/about", "/robots.txt", "/statistics", "/sitemaps/pages.xml"] {
      #expect(app.get(path, as: ana.identity).status == .ok, "\(path)")
    }
    let missing = app.get("/nothing", headers: ["Accept": "text/html"], as: ana.identity)
    #expect(missing.status == .notFound)
  }

  @Test func `a search and an upload are refused as reads and writes are`() throws {
    try app.database.close()
    let search = app.send(.post, "/api/collections/devices/search", json: [:])
    #expect(search.status == .serviceUnavailable && search.headers["Retry-After"] == "5")
    let change = app.send(
      .post, "/api/collections/devices/items", json: ["properties": [:]], as: ana.identity)
    #expect(change.status == .serviceUnavailable && change.headers["Retry-After"] == "30")
    #expect(try change.json["type"] == "/problems/saving-impossible")
  }
}
