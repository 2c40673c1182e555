import Foundation
import JSON
import PrivacyMap
@testable import Service
@testable import Site
import SpatialDatabase
import Testing
import WebServer

@Suite struct PageTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let attack = #"<img src=x onerror="alert(1)">'&{{content}}"#

  @Test func `user input never becomes markup of a page`() throws {
    let device = try app.device(name: Self.attack) {
      $0.description = Self.attack
      $0.answersFor = .init(name: Self.attack, kind: .company)
    }
    let page = app.get("/devices/\(device.id)")
    #expect(page.status == .ok)
    #expect(!page.text.contains("<img src=x"))
    #expect(!page.text.contains(#"onerror="alert"#))
    #expect(
      page.text.contains("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;{{content}}"))
  }

  @Test func `a device page names the device and marks unknown values`() throws {
    let device = try app.device(name: "Gate camera") { $0.dataCollected = ["video"] }
    let page = app.get("/devices/\(device.id)", headers: ["Accept-Language": "en"])
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.headers["Content-Language"] == "en")
    #expect(page.text.contains("<html lang=\"en\""))
    #expect(page.text.contains("<title>Gate camera – Farol</title>"))
    #expect(page.text.contains("<dd>unknown</dd>"))
    let portuguese = app.get("/devices/\(device.id)", headers: ["Accept-Language": "pt"]).text
    #expect(portuguese.contains("<html lang=\"pt\""))
    #expect(portuguese.contains("<dd>desconhecido</dd>"))
  }

  @Test(arguments: [
    "01935f6e-0000-7000-8000-000000000000", "nothing", "1", "%3Cscript%3E", "..%2f", "%C3%A9",
  ])
  func `the page of a missing device is a 404 in the reader's language`(id: String) {
    for (language, words) in [
      ("en", "There is no such device."), ("pt", "Não existe esse aparelho."),
    ] {
      let page = app.send(target: "/devices/" + id, headers: ["Accept-Language": language])
      if page.headers["Content-Type"]?.hasPrefix("text/html") == true {
        #expect(page.status == .notFound)
        #expect(page.text.contains(words))
      } else {
        #expect(page.status == .badRequest || page.status == .notFound)
      }
      #expect(!page.text.contains("<script>"))
    }
  }

  @Test func `every page is complete in both languages`() {
    for (path, _) in PageRoutes.pages {
      for language in ["en", "pt"] {
        let page = app.get(path, headers: ["Accept-Language": language])
        #expect(page.status == .ok)
        #expect(page.text.contains("<html lang=\"\(language)\""))
        #expect(!page.text.contains("{{") && !page.text.contains(">page."), "\(path)")
        #expect(page.text.contains("JavaScript") || ["/about", "/terms"].contains(path))
      }
    }
  }

  @Test func `only confirmed users have a page`()
    throws
  {
    _ = try app.account("ana.maria")
    _ = try app.account("not.yet", isConfirmed: false)
    let page = app.get("/people/Ana.Maria", headers: ["Accept-Language": "en"])
    #expect(page.status == .ok)
    #expect(page.text.contains("<title>ana.maria – Farol</title>"))
    for nobody in ["not.yet", "nobody", "%3Cscript%3E"] {
      let page = app.send(target: "/people/" + nobody, headers: ["Accept-Language": "en"])
      #expect(page.status == .notFound, "\(nobody)")
      #expect(page.text.contains("There is no account with this name."))
      #expect(!page.text.contains("<script>"))
    }
  }

  @Test func `an operator has a page under its name once it is approved`() throws {
    let id = try app.approved("City of <b>").id
    let page = app.get("/operators/\(id)", headers: ["Accept-Language": "en"])
    #expect(page.status == .ok)
    #expect(page.text.contains("<title>City of &lt;b&gt; – Farol</title>"))
    _ = app.register("Waiting", "waiting.example", as: try app.account("waiting").identity)
    let waiting = try #require(
      try app.database.read { try $0.text("SELECT id FROM organisation WHERE name = 'Waiting'") })
    for nobody in [waiting, "01935f6e-0000-7000-8000-000000000000", "%3Cscript%3E"] {
      let page = app.send(target: "/operators/" + nobody, headers: ["Accept-Language": "pt"])
      #expect(page.status == .notFound, "\(nobody)")
      #expect(!page.text.contains("Waiting") && !page.text.contains("<script>"))
    }
  }

  @Test func `the terms are readable without scripts, with the values of the instance`()
    throws
  {
    var settings = InstanceSettings()
    settings.name = "Mapa & <c>"
    settings.contact = "mailto:privacy@example.org"
    settings.licence = "CC0-1.0"
    let page = try TestApp(settings: settings).get("/terms", headers: ["Accept-Language": "pt"])
    #expect(page.text.contains("<h2 id=\"terms-rights\">Os seus direitos</h2>"))
    #expect(page.text.contains("Mapa &amp; &lt;c&gt; é um mapa aberto"))
    #expect(page.text.contains(": privacy@example.org</p>"))
    #expect(page.text.contains("com a licença CC0-1.0,"))
    #expect(!page.text.contains("{") && !page.text.contains("mailto:"))
    let without = app.get("/terms", headers: ["Accept-Language": "en"])
    #expect(without.text.contains("no contact has been given here yet"))
  }

  @Test func `pages ignore unknown query parameters of links`() {
    #expect(app.get("/", ["utm_source": "x", "z": "3"]).status == .ok)
  }

  @Test func `the name of the instance is in its places, escaped`() throws {
    var settings = InstanceSettings()
    settings.name = "A & B <c>"
    let app = try TestApp(settings: settings)
    let page = app.get("/")
    #expect(page.text.contains("A &amp; B &lt;c&gt;"))
    #expect(!page.text.contains("<c>"))
    #expect(try app.get("/api").json["title"]?.stringValue == "A & B <c>")
    let manifest = try app.get("/manifest.webmanifest").json
    #expect(manifest["name"]?.stringValue == "A & B <c>")
  }

  @Test(arguments: ["public", "data/front"])
  func `all files of the front end are served, and pages name only existing files`(
    front: String
  ) throws {
    let whole = try TestApp(front: Repository.root.appendingPathComponent(front))
    let device = try whole.device()
    let address = "/devices/\(device.id)"
    for path in ["/", "/about", "/report", address, address + "/edit", address + "/history"] {
      let page = whole.get(path)
      let pieces = page.text.components(separatedBy: "=\"/assets/").dropFirst()
      #expect(!pieces.isEmpty)
      for piece in pieces {
        let file = "/assets/" + piece.prefix { $0 != "\"" }
        #expect(whole.send(target: file).status == .ok, "\(path) \(file)")
      }
    }
    let worker = whole.get("/service-worker.js")
    #expect(worker.status == .ok)
    #expect(!worker.text.contains("{{"))
    #expect(whole.get("/manifest.webmanifest").status == .ok)
    #expect(whole.get("/favicon.svg").status == .ok)
  }

  @Test func `shared parts are inserted, and later placeholders are kept`() throws {
    let page = try #require(PageSource(files: try Self.front()).page("page.html"))
    #expect(page.contains("<title>{{title}}</title>"))
    #expect(!page.contains("{{head}}"))
    #expect(page.contains("{{content}}"))
    #expect(PageSource(files: try Self.front()).page("other.html") == nil)
  }

  @Test func `without a build, a page requests its script and style sheets`() throws {
    let page = try #require(PageSource(files: try Self.front()).page("page.html"))
    #expect(page.contains("<script type=\"module\" src=\"{{assets}}/js/people/page.js\"></script>"))
    #expect(
      page.contains("<link rel=\"modulepreload\" href=\"{{assets}}/js/people/later.js\" "))
    #expect(page.contains("{{assets}}/css/one.css") && page.contains("{{assets}}/css/two.css"))
  }

  private static func front() throws -> StaticFiles {
    let sources = [
      "page.html": """
      {{head}}
      <link rel="stylesheet" href="{{assets}}/css/one.css">
      <link rel="stylesheet" href="{{assets}}/css/two.css">
      {{script js/people/page.js}}{{preload js/people/later.js}}{{content}}
      """,
      "parts/head.html": "<title>{{title}}</title>",
      "css/one.css": "a {}", "css/two.css": "b {}",
      "js/people/page.js": "",
    ]
    return StaticFiles(contents: sources.mapValues { Array($0.utf8) })
  }
}
