import Foundation
@testable import Service
@testable import Site
import SpatialDatabase
import Testing
import WebServer

@Suite struct LearnPageTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let languages = ["en", "pt"]

  private func page(_ path: String, _ language: String = "en") -> TestAnswer {
    app.get(path, headers: ["Accept-Language": language])
  }

  private var categories: [String] {
    get throws {
      try app.database.read { try $0.rows("SELECT code FROM category") { $0.text(0) } }
    }
  }

  @Test(arguments: languages)
  func `every category has a page, with every section and its sources`(language: String) throws {
    let codes = try categories
    #expect(codes.count == 24)
    for code in codes {
      let page = page("/learn/\(code)", language)
      #expect(page.status == .ok)
      #expect(page.headers["Content-Language"] == language)
      #expect(page.text.contains("<html lang=\"\(language)\""))
      for section in ["what", "recognise", "mistaken", "collects", "do", "sources"] {
        #expect(page.text.contains("<h2 id=\"\(section)\">"), "\(code) \(section)")
      }
      #expect(page.text.contains("rel=\"noopener noreferrer\">"), "\(code)")
      for leftover in ["](", "{{", "learn.", "<p></p>"] {
        #expect(!Self.main(page.text).contains(leftover), "\(code): \(leftover)")
      }
    }
  }

  @Test(arguments: languages)
  func `the help has ten things with pictures, and a film with captions`(language: String) throws {
    let page = page("/help", language)
    #expect(page.status == .ok)
    #expect(page.headers["Content-Language"] == language)
    let main = Self.main(page.text)
    #expect(main.split(separator: "<figure class=\"help-picture\">").count == 11)
    #expect(main.split(separator: "/film").count == 4)
    for leftover in ["](", "{{", "help.film", "alt=\"\""] {
      #expect(!main.contains(leftover), "\(leftover)")
    }
    let start = try #require(main.firstRange(of: "<source src=\"")?.upperBound)
    let film = app.get(
      String(main[start...].prefix { $0 != "\"" }), headers: ["Range": "bytes=0-3"])
    #expect(film.status == .partialContent)
    #expect(film.headers["Content-Type"] == "video/webm")
  }

  @Test func `a page has its own title, description and addresses in each language`() throws {
    let english = page("/learn/alpr").text
    let portuguese = page("/learn/alpr", "pt").text
    #expect(english.contains("<title>Number-plate reader – Farol</title>"))
    #expect(portuguese.contains("<title>Leitor de matrículas – Farol</title>"))
    #expect(portuguese.contains("<meta name=\"description\" content=\"Uma câmara com um programa"))
    let address = TestApp.address + "/learn/alpr"
    for language in Self.languages {
      let link =
        "<link rel=\"alternate\" hreflang=\"\(language)\" href=\"\(address)?lang=\(language)\">"
      #expect(english.contains(link) && portuguese.contains(link))
    }
    #expect(portuguese.contains("<link rel=\"canonical\" href=\"\(address)?lang=pt\">"))
    #expect(english.contains("hreflang=\"x-default\" href=\"\(address)\""))
    #expect(app.get("/learn/alpr", ["lang": "pt"]).text.contains("<html lang=\"pt\""))
  }

  @Test func `an unchanged page returns 304, in another language 200`() throws {
    for path in ["/learn", "/learn/glossary", "/learn/toy"] {
      let tag = try #require(page(path).headers["ETag"])
      let again: Headers = ["Accept-Language": "en", "If-None-Match": tag]
      #expect(app.get(path, headers: again).status == .notModified)
      let other: Headers = ["Accept-Language": "pt", "If-None-Match": tag]
      #expect(app.get(path, headers: other).status == .ok)
    }
  }

  @Test(arguments: ["nothing", "ALPR", "%3Cscript%3E", "..", "glossary%20"])
  func `the page of an unknown category is a 404 in the reader's language`(code: String) {
    for (language, words) in [
      ("en", "There is no such kind of device."), ("pt", "Não existe esse tipo de aparelho."),
    ] {
      let page = app.send(
        target: "/learn/" + code, headers: ["Accept-Language": language, "Accept": "text/html"])
      #expect(page.status == .notFound)
      #expect(page.text.contains(words) || code == "..", "\(code)")
      #expect(!page.text.contains("<script>"))
    }
  }

  @Test(arguments: languages)
  func `the glossary has every term once, in the order of its names`(language: String) throws {
    let text = page("/learn/glossary", language).text
    let names = text.components(separatedBy: "<dt>").dropFirst().map { piece in
      String(piece.prefix { $0 != "<" })
    }
    let codes = try app.database.read { connection in
      try connection.rows("SELECT code FROM term WHERE scheme = 'glossary'") { $0.text(0) }
    }
    #expect(codes.count >= 60)
    #expect(names.count == codes.count)
    for code in codes {
      #expect(text.components(separatedBy: "id=\"term-\(code)\"").count == 2, "\(code)")
    }
    let folded = names.map {
      $0.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    }
    let firsts = folded.map { $0.prefix(1) }
    #expect(firsts == firsts.sorted())
    #expect(text.contains("<h2 id=\"letter-A\">A</h2>"))
  }

  @Test(arguments: languages)
  func `every link inside the pages has a target`(language: String) throws {
    let paths = ["/learn", "/learn/glossary"] + (try categories).map { "/learn/\($0)" }
    let glossary = page("/learn/glossary", language).text
    var links: Set<String> = []
    for path in paths {
      let text = page(path, language).text
      for piece in Self.main(text).components(separatedBy: "href=\"").dropFirst() {
        let link = String(piece.prefix { $0 != "\"" })
        if link.hasPrefix("#") {
          #expect(text.contains("id=\"\(link.dropFirst())\""), "\(path) \(link)")
        } else if link.hasPrefix("/") {
          links.insert(link)
        } else {
          #expect(link.hasPrefix("https://"), "\(path) \(link)")
        }
      }
    }
    #expect(links.count > 60)
    for link in links {
      let parts = link.split(separator: "#")
      #expect(app.send(target: String(parts[0])).status == .ok, "\(link)")
      if parts.count == 2 { #expect(glossary.contains("id=\"\(parts[1])\""), "\(link)") }
    }
  }

  @Test func `a category of the instance has a page without a text`() throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
          osm, origin)
        VALUES ('lighthouse', (SELECT max(number) + 1 FROM category), 900, 'other', 0, 12,
          '["video"]', '[]', '[]', 'instance')
        """)
      try connection.execute(
        """
        INSERT INTO translation (scheme, code, language, label, definition)
        VALUES ('categories', 'lighthouse', 'en', '<b>Light</b>', 'It & shines.')
        """)
    }
    let page = page("/learn/lighthouse", "pt")
    #expect(page.status == .ok)
    #expect(page.text.contains("Ainda não há texto sobre este tipo."))
    #expect(page.text.contains("&lt;b&gt;Light&lt;/b&gt;") && !page.text.contains("<b>"))
    #expect(page.text.contains("It &amp; shines."))
    #expect(page.text.contains("<dt>Vídeo</dt>"))
  }

  @Test func `every page links to the learn pages, without scripts too`() {
    for (path, _) in PageRoutes.pages where path != "/" {
      let page = page(path, "pt").text
      #expect(page.contains("<a href=\"/learn\""), "\(path)")
      #expect(page.contains(">Privacidade e aparelhos ligados</a>"), "\(path)")
    }
    #expect(page("/").text.contains("<a href=\"/learn\""))
  }

  /// The content of the page, without header and footer.
  private static func main(_ page: String) -> Substring {
    guard let start = page.firstRange(of: "<main"), let end = page.firstRange(of: "</main>") else {
      return ""
    }
    return page[start.lowerBound..<end.lowerBound]
  }
}

@Suite struct LearnMarkupTests {
  @Test func `links in texts lead to the glossary, to a category and to a page`() {
    #expect(
      LearnMarkup.html("A [fair word](glossary:purpose), *here*.").source
        == "A <a href=\"/learn/glossary#term-purpose\" data-term=\"purpose\">fair word</a>, "
        + "<em>here</em>.")
    #expect(
      LearnMarkup.html("[Toys](categories:toy) on [the map](/)").source
        == "<a href=\"/learn/toy\">Toys</a> on <a href=\"/\">the map</a>")
  }

  @Test(arguments: [
    ("a < b & \"c\"", "a &lt; b &amp; &quot;c&quot;"),
    (
      "[<b>](glossary:\"x)",
      "<a href=\"/learn/glossary#term-&quot;x\" data-term=\"&quot;x\">"
        + "<!-- raw HTML omitted --></a>"
    ),
    ("<script>", "<!-- raw HTML omitted -->"), ("&lt;b&gt; \\<b>", "&lt;b&gt; &lt;b&gt;"),
    ("[words](javascript:alert)", "words"),
    ("[*words*](//elsewhere.example)", "<em>words</em>"),
    ("[words](/\\elsewhere.example)", "words"), ("[words](https://elsewhere.example)", "words"),
    ("<https://elsewhere.example>", "https://elsewhere.example"),
    ("![words](/photo.jpg)", "words"), ("[![words](/photo.jpg)](//elsewhere.example)", "words"),
    ("[open", "[open"), ("[open](glossary:x", "[open](glossary:x"), ("2 * 3", "2 * 3"),
    ("", ""), ("*", "*"), ("**", "**"), ("- a", "- a"), ("# a #", "# a #"),
    ("a\nb\r\n- c", "a b - c"),
    ("1\\", "1\\"),
  ])
  func `other targets, images, raw HTML and blocks do not become markup`(text: String, html: String)
  {
    #expect(LearnMarkup.html(text).source == html)
  }
}

@Suite struct LearnTextTests {
  @Test(arguments: ["", "[]", "{}", #"{"en": {}}"#, #"{"pt": {"what": ["x"]}}"#])
  func `a file without an English text is named`(text: String) throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let kinds = folder.appendingPathComponent("categories")
    try FileManager.default.createDirectory(at: kinds, withIntermediateDirectories: true)
    let good = Data(#"{"en": {"what": ["x"]}}"#.utf8)
    for name in ["introduction.json", "help.json"] {
      try good.write(to: folder.appendingPathComponent(name))
    }
    try good.write(to: kinds.appendingPathComponent("fine.json"))
    #expect(try LearnTexts(directory: folder).categories.keys.sorted() == ["fine"])
    try Data(text.utf8).write(to: kinds.appendingPathComponent("bad.json"))
    let fault = #expect(throws: InvalidLearnText.self) { try LearnTexts(directory: folder) }
    #expect(fault?.file == "bad.json")
  }
}
