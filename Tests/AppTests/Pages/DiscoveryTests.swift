@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// Addresses for search engines, browsers and other programs: robots.txt, the site map, the description of
/// the search, and llms.txt.
@Suite struct DiscoveryTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// The texts of all `loc` elements.
  private func places(_ path: String) throws -> [String] {
    let answer = app.get(path)
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "application/xml")
    #expect(answer.text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<"))
    return answer.text.split(separator: "<loc>").dropFirst().compactMap { part in
      part.firstRange(of: "</loc>").map { String(part[..<$0.lowerBound]) }
    }
  }

  @Test func `robots are kept from pages of one person, and told the site map`() throws {
    let lines = app.get("/robots.txt").text.split(separator: "\n")
    #expect(lines.first == "User-agent: *")
    for path in ["/account", "/choices", "/api/", "/moderation", "/people/"] {
      #expect(lines.contains("Disallow: \(path)"), "\(path)")
    }
    #expect(lines.contains("Allow: /api/catalogue"))
    #expect(!lines.contains { $0.hasPrefix("Disallow: /devices/{") || $0 == "Disallow: /" })
    #expect(lines.last == "Sitemap: \(TestApp.address)/sitemap.xml")
  }

  @Test func `the site map has the pages and each device on the map`() throws {
    let shown = try app.device(name: "Shown")
    try app.hide(try app.device(name: "Hidden"))
    try app.device(name: "Gone") { $0.status = .removed }
    let files = try places("/sitemap.xml")
    #expect(
      files == ["pages", "0"].map { "\(TestApp.address)/sitemaps/\($0).xml" })
    let pages = try places("/sitemaps/pages.xml")
    #expect(pages.contains(TestApp.address + "/learn/alpr"))
    for page in pages {
      let path = String(page.dropFirst(TestApp.address.count))
      #expect(app.get(path.isEmpty ? "/" : path).status == .ok, "\(page)")
    }
    #expect(try places("/sitemaps/0.xml") == ["\(TestApp.address)/devices/\(shown.id)"])
    #expect(app.get("/sitemaps/0.xml").text.contains("<lastmod>2026-11-21T12:00:00Z</lastmod>"))
  }

  @Test(arguments: [
    "nothing.xml", "places.xml", "places-.xml", "places-01.xml", "places--1.xml",
    "places-1000000.xml", "-1.xml", "1000000.xml", "99999999999999999999.xml", "pages2.xml",
    "01.xml",
    "+1.xml", "0", "pages", "pages.txt", ".xml",
  ])
  func `an unknown site map is not found`(name: String) {
    #expect(app.get("/sitemaps/\(name)").status == .notFound)
    #expect(app.get("/sitemaps/999999.xml").status == .ok)
  }

  @Test func `the site map has the places with devices, and only those`() throws {
    let app = try TestApp { try TestPlaces.make(in: $0) }
    let file = "/sitemaps/places-0.xml"
    #expect(!app.get("/sitemap.xml").text.contains("places"))
    #expect(!app.get(file).text.contains("<loc>"))
    // Zürich is a city in a region of the same name.
    let device = try app.device(longitude: 8.5, latitude: 47.4)
    try app.device(name: "Gone", longitude: -9.1, latitude: 38.7) { $0.status = .removed }
    #expect(app.get("/sitemap.xml").text.contains("<loc>\(TestApp.address)\(file)</loc>"))
    let listed = app.get(file).text
    #expect(listed.components(separatedBy: "<loc>").count == 3)
    for id in 1...7 {
      let address = "\(TestApp.address)/places/\(id)"
      let count = try app.get(Path.items, ["place": "\(id)"]).matched
      #expect(listed.contains("<loc>\(address)</loc>") == (count > 0), "\(address)")
      #expect(app.get("/places/\(id)").status == .ok)
    }
    #expect(!app.get("/sitemaps/places-1.xml").text.contains("<loc>"))
    // A device that leaves the map takes its places with it.
    try app.hide(device)
    #expect(!app.get(file).text.contains("<loc>"))
  }

  @Test func `the site map of an empty map has the pages only`() throws {
    #expect(try places("/sitemap.xml") == ["\(TestApp.address)/sitemaps/pages.xml"])
  }

  @Test func `the introduction for language models has links that work`() throws {
    let answer = app.get("/llms.txt")
    #expect(answer.headers["Content-Type"] == "text/markdown; charset=utf-8")
    #expect(answer.text.hasPrefix("# "))
    let links = answer.text.split(separator: "](").dropFirst().compactMap { part in
      part.firstIndex(of: ")").map { String(part[..<$0]) }
    }
    #expect(links.count > 5)
    for link in links { #expect(app.follow(link).status == .ok, "\(link)") }
  }

  @Test func `the search is described, and every page links to the description`() throws {
    let answer = app.get("/opensearch.xml")
    #expect(answer.headers["Content-Type"] == "application/opensearchdescription+xml")
    #expect(answer.text.contains("template=\"\(TestApp.address)/?q={searchTerms}\""))
    for path in ["/", "/about", "/learn"] {
      #expect(app.get(path).text.contains("href=\"/opensearch.xml\""), "\(path)")
    }
  }
}
