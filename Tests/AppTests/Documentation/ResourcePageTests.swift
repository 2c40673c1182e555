@testable import App
import JSON
@testable import Reading
@testable import Service
@testable import Site
import Testing
import WebServer

/// The OGC API resources as HTML pages, and the page of the whole interface.
@Suite struct ResourcePageTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let addresses = [
    "/api", "/api/conformance", "/api/collections", "/api/collections/devices",
    "/api/collections/devices/queryables", "/api/collections/devices/schema",
    "/api/collections/devices/feature-schema", Path.items,
    "/api/collections/devices/tiles",
    "/api/collections/devices/tiles/WebMercatorQuad", "/api/tileMatrixSets/WebMercatorQuad",
  ]
  /// The Accept header of a browser.
  private static let browser: Headers = [
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
  ]

  @Test func `each resource is a page for clients that request HTML, and JSON otherwise`() throws {
    for address in Self.addresses {
      for page in [app.get(address, ["f": "html"]), app.get(address, headers: Self.browser)] {
        #expect(page.status == .ok, "\(address)")
        #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true, "\(address)")
        #expect(page.text.contains("<h1>"), "\(address)")
        #expect(page.headers["Vary"]?.contains("Accept") == true, "\(address)")
      }
      for json in [app.get(address), app.get(address, ["f": "json"], headers: Self.browser)] {
        #expect(json.headers["Content-Type"]?.contains("json") == true, "\(address)")
      }
      #expect(app.get(address, ["f": "xml"]).status == .badRequest, "\(address)")
      #expect(app.get(address, headers: ["Accept": "image/png"]).status == .notAcceptable)
    }
  }

  @Test func `a page and its JSON are separate versions`() throws {
    for address in Self.addresses {
      let page = app.get(address, ["f": "html"])
      let json = app.get(address)
      let tag = try #require(page.headers["ETag"])
      #expect(json.headers["ETag"] != tag, "\(address)")
      let again = app.get(address, ["f": "html"], headers: ["If-None-Match": tag])
      #expect(again.status == .notModified, "\(address)")
      let known = try #require(json.headers["ETag"])
      #expect(
        app.get(address, ["f": "html"], headers: ["If-None-Match": known]).status == .ok,
        "\(address)")
    }
  }

  @Test func `an error is a page for clients that ask for a page, and JSON otherwise`() throws {
    for (address, status) in [
      ("/api/collections/nothing", 404), (Path.items + "/nothing", 404),
      ("/api/collections/devices/items?limit=0", 400), ("/api/nothing", 404),
    ] {
      let joint = address.contains("?") ? "&" : "?"
      let page = app.send(target: address + joint + "f=html")
      #expect(page.status.code == status, "\(address)")
      #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true, "\(address)")
      #expect(page.text.contains("<h1"), "\(address)")
      for json in [app.send(target: address), app.send(target: address, headers: Self.browser)] {
        #expect(json.status.code == status, "\(address)")
        #expect(json.headers["Content-Type"] == "application/problem+json", "\(address)")
      }
    }
  }

  @Test func `devices are in a table with pages`() throws {
    for number in 1...5 {
      _ = try app.device(name: "Camera <\(number)>", longitude: 1, latitude: Double(number))
    }
    let first = app.get(Path.items, ["f": "html", "limit": "2"]).text
    #expect(first.contains("Camera &lt;1&gt;"))
    #expect(!first.contains("<1>"))
    #expect(first.contains("2 of 5"))
    let json = try app.get(Path.items, ["limit": "2"]).json
    let next = try #require(
      json["links"]?.arrayValue?.first { $0["rel"] == "next" }?["href"]?.stringValue)
    let second = app.follow(next + "&f=html").text
    #expect(second.contains("Camera &lt;3&gt;"))
    #expect(!second.contains("Camera &lt;1&gt;"))
  }

  @Test func `a device page has all known values, and a hidden device returns 404`() throws {
    let device = try app.device(name: "Gate \"camera\"", longitude: 8.5, latitude: 47.5)
    let path = "\(Path.items)/\(device.id)"
    let page = app.get(path, ["f": "html"])
    #expect(page.status == .ok)
    #expect(page.text.contains("Gate &quot;camera&quot;"))
    #expect(page.text.contains("8.5, 47.5"))
    try app.hide(device)
    #expect(app.get(path, ["f": "html"]).status == .notFound)
  }

  @Test func `pages of devices link to the feeds of their content`() throws {
    let type = "<link rel=\"alternate\" type=\"application/"
    for form in FeedRoutes.Form.allCases {
      let feed = "href=\"\(TestApp.address)\(FeedRoutes.path(form))"
      let all = app.get("/api/collections/devices", ["f": "html"]).text
      #expect(all.contains("\(feed)\">"))
      let some = app.get(
        Path.items, ["f": "html", "q": "<gate>", "limit": "3", "sortby": "name"]
      ).text
      let chosen = try #require(some.firstRange(of: "\(feed)?q="))
      let href = some[chosen.upperBound...].prefix { $0 != "\"" }
      #expect(!href.contains("&") && !href.contains("<"))
      #expect(app.send(target: "\(FeedRoutes.path(form))?q=\(href)").status == .ok)
      #expect(app.get("/").text.contains("href=\"\(FeedRoutes.path(form))\">"))
    }
    #expect(app.get("/").text.contains("title=\"Farol: new and changed devices\""))
    for path in ["/api", "/api/collections/devices/tiles"] {
      #expect(!app.get(path, ["f": "html"]).text.contains(type))
    }
  }

  @Test func `pages use the reader's language`() throws {
    let page = app.get(Path.items, ["f": "html"], headers: ["Accept-Language": "pt"])
    #expect(page.headers["Content-Language"] == "pt")
    #expect(page.text.contains("Aparelhos"))
    let docs = app.get("/api/docs", ["lang": "pt"])
    #expect(docs.headers["Content-Language"] == "pt")
    #expect(docs.text.contains("Primeiros passos"))
    #expect(app.get("/api/docs", ["lang": "xx"]).status == .badRequest)
  }

  @Test func `the page of the interface has each operation, parameter and schema`() throws {
    let page = app.get("/api/docs").text
    #expect(page.contains("string · required</span>") && !page.contains("HTML("))
    for endpoint in app.app.endpoints {
      #expect(page.contains("id=\"\(endpoint.id)\""), "\(endpoint.id)")
      for parameter in endpoint.parameters {
        #expect(page.contains("<code>\(parameter.name)</code>"), "\(parameter.name)")
      }
    }
    let schemas = app.app.features.flatMap { $0.schemas }
    let shapes =
      OpenAPISchemas.components(schemas)["schemas"]?.objectValue?.members.map(\.key) ?? []
    for shape in shapes { #expect(page.contains("id=\"shape-\(shape)\""), "\(shape)") }
    // Every link within the page has a target.
    for piece in page.split(separator: "href=\"#").dropFirst() {
      let anchor = piece.prefix { $0 != "\"" }
      #expect(page.contains("id=\"\(anchor)\""), "\(anchor)")
    }
    #expect(!page.contains("<script>"))
    #expect(!page.contains(" style=\""))
  }
}
