@testable import Service
@testable import Site
import Testing
import WebServer

@Suite struct EmbedTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let policy = "Content-Security-Policy"

  @Test(arguments: ["/embed", "/embed?chart=category", "/embed?lang=pt", "/embed?x=%3Cscript%3E"])
  func `any site may frame the embedded page`(path: String) {
    let page = app.send(target: path)
    #expect(page.status == .ok)
    #expect(page.headers.values(Self.policy).count == 1)
    #expect(page.headers[Self.policy]?.contains("frame-ancestors *") == true)
    #expect(page.headers[Self.policy]?.contains("form-action 'none'") == true)
    #expect(page.headers[Self.policy]?.contains("unsafe") == false)
    #expect(page.headers["X-Frame-Options"] == nil)
    #expect(page.headers["Cross-Origin-Resource-Policy"] == "cross-origin")
    #expect(page.headers["Permissions-Policy"]?.contains("geolocation=()") == true)
  }

  @Test func `no site may frame another page`() throws {
    let device = try app.device()
    let paths =
      PageRoutes.pages.map(\.0)
      + [
        "/devices/\(device.id)", "/learn", "/embed/x", "/embeds", "/api/docs", "/api/settings",
        "/choices/1", "/service-worker.js",
      ]
    for path in paths {
      let policy = app.send(target: path).headers[Self.policy] ?? ""
      #expect(policy.contains("frame-ancestors 'none'"), "\(path)")
      #expect(!policy.contains("frame-ancestors *"), "\(path)")
    }
  }

  @Test func `a 304 keeps the policy that allows frames`() throws {
    let first = app.send(target: "/embed")
    let tag = try #require(first.headers["ETag"])
    let again = app.send(target: "/embed", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
    #expect(again.headers[Self.policy] == first.headers[Self.policy])
  }

  @Test func `the embedded page neither reads nor sets a cookie`() throws {
    let account = try app.account("ana.maria")
    let visitor = app.send(target: "/embed")
    let owner = app.send(target: "/embed", as: account.identity)
    #expect(owner.text == visitor.text)
    #expect(owner.headers["Set-Cookie"] == nil && visitor.headers["Set-Cookie"] == nil)
    #expect(owner.headers["ETag"] == visitor.headers["ETag"])
    #expect(owner.headers["Vary"]?.contains("Cookie") != true)
  }

  @Test(arguments: [
    ("light", "light"), ("dark", "dark"), ("auto", ""), ("\"><script>", ""), ("", ""),
  ])
  func `only a known theme becomes part of the page`(wanted: String, written: String) {
    let page = app.get("/embed", ["theme": wanted]).text
    #expect(page.contains("data-theme=\"\(written)\""))
    #expect(!page.contains("<script>"))
  }

  @Test func `without scripts the page links to the whole map or statistics`() {
    let map = app.get("/embed", ["category": "alpr", "theme": "dark"]).text
    #expect(map.contains("href=\"\(TestApp.address)/?category=alpr\""))
    let chart = app.get("/embed", ["chart": "category", "q": "\"a&b"]).text
    #expect(chart.contains("href=\"\(TestApp.address)/statistics?q=%22a%26b\""))
    #expect(app.get("/embed").text.contains("href=\"\(TestApp.address)/\""))
  }

  @Test func `the page is in the language of its address, then of the browser`() {
    #expect(app.get("/embed", ["lang": "pt"]).text.contains("<html lang=\"pt\""))
    let page = app.send(target: "/embed", headers: ["Accept-Language": "pt"]).text
    #expect(page.contains("<html lang=\"pt\""))
    #expect(page.contains("Abrir em Farol"))
  }

  @Test func `the origin of an external map stays permitted`() throws {
    var settings = InstanceSettings()
    settings.foreignTiles = .init(
      url: "https://tiles.example.org/{z}/{x}/{y}.png", host: "tiles.example.org",
      origin: "https://tiles.example.org", attribution: "© Example")
    let policy = try TestApp(settings: settings).get("/embed").headers[Self.policy] ?? ""
    #expect(policy.contains("connect-src 'self' https://tiles.example.org"))
    #expect(policy.contains("frame-ancestors *"))
  }
}
