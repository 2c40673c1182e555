import Foundation
import JSON
@testable import Service
@testable import Site
import Testing

/// Every sentence of the program is in the catalogue, in every language.
@Suite struct MessageTests {
  let catalogue: Catalogue
  let texts: [String: JSONObject]

  init() throws {
    catalogue = try Catalogue(folders: Repository.words)
    texts = try Dictionary(
      uniqueKeysWithValues: catalogue.languages.map { language in
        let members = try Repository.words.flatMap { folder in
          let file = folder.appendingPathComponent(language + ".json")
          let json = try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
          return try #require(json.objectValue).members
        }
        return (language, JSONObject(members))
      })
  }

  /// Texts in quotes of the sources that look like keys of the catalogue.
  private static func keys() throws -> Set<String> {
    var keys: Set<String> = []
    let folder = Repository.root.appendingPathComponent("Sources").resolvingSymlinksInPath()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      for piece in source.split(separator: "\"", omittingEmptySubsequences: false) {
        let isKey = piece.hasPrefix("error.") || piece.hasPrefix("page.")
        let isPlain = piece.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
        let isFile = piece.hasSuffix(".html") || piece.hasSuffix(".")
        if isKey, isPlain, !isFile { keys.insert(String(piece)) }
      }
    }
    for (_, file) in PageRoutes.pages + PageRoutes.choicePages
      + [("/mapping-days/{id}", "mapping-day.html")]
    {
      for end in ["title", "description"] {
        keys.insert("page.\(file.prefix { $0 != "." }).\(end)")
      }
    }
    for (_, file) in PageRoutes.devicePages where file != "device.html" {
      keys.insert("page.\(file.prefix { $0 != "." }).title")
    }
    for status in [400, 404, 405, 406, 413, 500, 503] { keys.insert("error.title.\(status)") }
    return keys
  }

  @Test func `every key that the program uses has a text in every language`() throws {
    let keys = try Self.keys()
    #expect(keys.count > 25)
    for language in catalogue.languages {
      for key in keys.sorted() { #expect(catalogue.has(key, in: language), "\(language) \(key)") }
    }
  }

  @Test func `the catalogue has no unused texts of errors and pages`() throws {
    let said = try Self.keys()
    for (language, texts) in texts {
      for key in texts.members.map(\.key) where key.hasPrefix("error.") || key.hasPrefix("page.") {
        let isByStatus = key.hasPrefix("error.title.") || key.hasPrefix("error.detail.")
        #expect(said.contains(key) || isByStatus || Self.ofTheFront(key), "\(language) \(key)")
      }
    }
  }

  /// Keys that the web front end uses.
  private static func ofTheFront(_ key: String) -> Bool {
    let folder = Repository.root.appendingPathComponent("public").resolvingSymlinksInPath()
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.contains { path in
      guard path.hasPrefix("js/") || path.hasSuffix(".html"),
        let text = try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      else { return false }
      return text.contains(key)
    }
  }

  @Test func `sentences have the same placeholders in every language`() throws {
    for (language, texts) in texts {
      for (key, value) in texts.members {
        let gaps = Self.gaps(value.stringValue)
        // A language may have plural forms that English lacks.
        guard self.texts["en"]?[key] != nil else { continue }
        #expect(gaps == Self.gaps(self.texts["en"]?[key]?.stringValue), "\(language) \(key)")
      }
    }
  }

  private static func gaps(_ text: String?) -> Set<String> {
    Set(
      (text ?? "").split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
        String($0.prefix { $0 != "}" })
      })
  }

  @Test(
    arguments: [
      (nil, "en"), ("", "en"), ("pt", "pt"), ("pt-BR", "pt"), ("PT-pt", "pt"),
      ("en-GB,pt;q=0.9", "en"),
      ("fr, pt;q=0.5, en;q=0.4", "pt"), ("fr", "en"), ("*", "en"), ("pt;q=0", "en"),
      ("pt;q=2", "en"),
      ("pt;q=nan", "en"), (";;;,,", "en"), ("en;q=0.1, pt;q=0.2", "pt"),
      ("fr, *;q=0.3, pt;q=0.2", "en"),
    ] as [(String?, String)])
  func `the best language is chosen by weight`(header: String?, language: String) {
    #expect(catalogue.language(accepting: header) == language)
  }

  @Test func `a missing sentence is given in English, or by its key`() {
    let catalogue = Catalogue(sentences: ["en": ["a": "One {x}"], "pt": ["b": "Dois"]])
    #expect(catalogue.text(Message("a", ["x": "{y}"]), in: "pt") == "One {y}")
    #expect(catalogue.text(Message("c"), in: "pt") == "c")
  }
}
