@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Reference
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct TaxonomyTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func terms(_ scheme: String, _ language: String) throws -> [JSONValue] {
    try #require(
      try app.get("/api/taxonomies/\(scheme)", ["lang": language]).json["terms"]?.arrayValue)
  }

  private var schemes: [String] {
    get throws {
      try #require(try app.get("/api/taxonomies").json["schemes"]?.arrayValue)
        .compactMap { $0["scheme"]?.stringValue }
    }
  }

  @Test func `every scheme is listed with all its terms`() throws {
    for wanted in ["categories", "data", "purposes", "choices", "legal_bases", "glossary"] {
      #expect(try schemes.contains(wanted))
    }
    for entry in try #require(try app.get("/api/taxonomies").json["schemes"]?.arrayValue) {
      let scheme = try #require(entry["scheme"]?.stringValue)
      #expect(try terms(scheme, "en").count == entry["terms"]?.intValue)
    }
  }

  @Test func `every term has a text in both languages, and they are not all equal`() throws {
    for scheme in try schemes {
      let english = try terms(scheme, "en")
      let portuguese = try terms(scheme, "pt")
      #expect(english.map { $0["code"] } == portuguese.map { $0["code"] })
      for term in english + portuguese {
        #expect(term["label"]?.stringValue?.isEmpty == false, "\(scheme)")
        #expect(term["label"] != term["code"] || scheme == "glossary", "\(scheme) \(term)")
        #expect(term["definition"]?.stringValue?.isEmpty == false, "\(scheme)")
      }
      #expect(english.map { $0["definition"] } != portuguese.map { $0["definition"] })
    }
  }

  @Test func `a category has its everyday words of all languages, in every language`() throws {
    for language in ["en", "pt"] {
      let radar = try terms("categories", language).first {
        $0["code"]?.stringValue == "traffic_enforcement"
      }
      let words = (radar?["words"]?.arrayValue ?? []).compactMap(\.stringValue)
      for word in ["speed trap", "radar de trânsito", "Speed or red-light camera"] {
        #expect(words.contains(word))
      }
      #expect(Set(words).count == words.count)
    }
  }

  @Test func `a group has several categories of the instance`() throws {
    for group in try terms("category_groups", "en") {
      let codes = (group["categories"]?.arrayValue ?? []).compactMap(\.stringValue)
      #expect(codes.count > 1)
      #expect(codes.allSatisfy { app.vocabulary.category($0) != nil })
    }
  }

  @Test func `the language is that of lang, otherwise the best for Accept-Language`() throws {
    func language(_ query: TestApp.Parameters, _ header: String?) -> String? {
      let headers: Headers = header.map { ["Accept-Language": $0] } ?? [:]
      let answer = app.get("/api/taxonomies/data", query, headers: headers)
      return answer.headers["Content-Language"]
    }
    #expect(language([:], nil) == "en")
    #expect(language([:], "pt-PT,en;q=0.5") == "pt")
    #expect(language([:], "de") == "en")
    #expect(language(["lang": "en"], "pt") == "en")
    #expect(language(["lang": "pt"], "en") == "pt")
    #expect(app.get("/api/taxonomies/data", ["lang": "de"]).status == .badRequest)
  }

  @Test func `a term without a text in a language is given in English`() throws {
    try app.database.write { connection in
      try connection.execute(
        "DELETE FROM translation WHERE scheme = 'data' AND code = 'video' AND language = 'pt'")
    }
    let english = try terms("data", "en").first { $0["code"]?.stringValue == "video" }
    let portuguese = try terms("data", "pt").first { $0["code"]?.stringValue == "video" }
    #expect(english != nil && english == portuguese)
  }

  @Test func `a category of the instance is a row and two translations`() throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
          osm, origin)
        VALUES ('lighthouse', (SELECT max(number) + 1 FROM category), 900, 'other', 0, 12, '[]',
          '[]', '[]', 'instance')
        """)
      try connection.execute(
        """
        INSERT INTO translation (scheme, code, language, label, definition) VALUES
          ('categories', 'lighthouse', 'en', 'Lighthouse', 'It shines.'),
          ('categories', 'lighthouse', 'pt', 'Farol', 'Brilha.')
        """)
    }
    try app.database.close()
    let next = try TestApp.start(
      app.folder.appendingPathComponent("farol.db"), front: TestFolder.front, clock: app.clock,
      log: app.log)
    defer { try? next.database.close() }
    #expect(next.vocabulary.category("lighthouse")?.staleMonths == 12)
    let answer = TestAnswer(
      next.router.respond(to: Request(.get, Path.items + "?category=lighthouse")))
    #expect(answer.status == .ok)
  }

  @Test func `loading the taxonomies again keeps every number`() throws {
    func numbers() throws -> [String] {
      try app.database.read { connection in
        try connection.rows(
          """
          SELECT 'categories', code, number FROM category
          UNION ALL SELECT scheme, code, number FROM term ORDER BY 1, 2
          """
        ) { "\($0.text(0)) \($0.text(1)) \($0.int(2))" }
      }
    }
    let before = try numbers()
    try app.database.write { connection in
      try connection.execute("UPDATE category SET position = 99 - position")
      try TaxonomyStore().load(
        directory: Repository.root.appendingPathComponent("seed/taxonomies"), into: connection)
    }
    #expect(try numbers() == before)
    #expect(before.count > 100)
  }

  @Test func `the index has room for every term of data and choices`() {
    for scheme in [Scheme.data, .choices] {
      let numbers = app.vocabulary.terms(of: scheme).map(\.number)
      #expect(numbers.allSatisfy { (0..<32).contains($0) })
      #expect(Set(numbers).count == numbers.count)
    }
  }

  @Test func `an invalid taxonomy file is named`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    for text in ["", "[]", #"{"scheme": "data"}"#, #"{"scheme": "data", "terms": [{}]}"#] {
      try Data(text.utf8).write(to: folder.appendingPathComponent("bad.json"))
      let fault = #expect(throws: InvalidTaxonomy.self) {
        try app.database.write { try TaxonomyStore().load(directory: folder, into: $0) }
      }
      #expect(fault?.file == "bad.json")
    }
  }
}
