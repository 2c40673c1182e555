import Foundation
import JSON
@testable import Service
import Testing

/// A page that names its own sentences gets those that its scripts and its markup can use.
@Suite struct OwnWordsTests {
  private static func words(script: String, mark: String = " data-words-of=\"main\"") throws -> Set<
    String
  >? {
    let files = try FrontFiles.assembled([
      "index.html": Array(
        "<html\(mark)><p data-text=\"a.fixed\"></p>{{script js/main.js}}".utf8),
      "parts/foot.html": Array("<p data-label=\"b.foot\"></p>".utf8),
      "js/main.js": Array(
        "import { a } from './a.js';\nconst b = () => import('./later.js');".utf8),
      "js/a.js": Array("export const a = 1;\n\(script)".utf8),
      "js/later.js": Array("translate('z.later');".utf8),
      "locale/en.json": Array(
        """
        {"a.fixed": "1", "b.foot": "2", "map": "3", "map.closer": "4", "rows.one": "5", "rows.other": "6",
        "term.a.what": "7", "term.b": "8", "z.later": "9"}
        """.utf8),
    ])
    guard let bytes = files["together/main.en.json"] else { return nil }
    return Set(try #require(try JSONValue(parsing: bytes).objectValue).members.map(\.key))
  }

  @Test func `the page has the sentences of its markup`() throws {
    #expect(try Self.words(script: "") == ["a.fixed", "b.foot"])
  }

  @Test(
    arguments: [
      ("translate('map')", ["map"]), ("plural('rows', 2)", ["rows.one", "rows.other"]),
      ("translate(`term.${code}`)", ["term.a.what", "term.b"]),
      ("translate('term.' + code)", ["term.a.what", "term.b"]),
      ("const key = 'term.a'; translate(`${key}.what`)", ["term.a.what"]),
    ] as [(String, Set<String>)])
  func `the page has the sentences of its scripts`(script: String, added: Set<String>) throws {
    #expect(try Self.words(script: script) == added.union(["a.fixed", "b.foot"]))
  }

  @Test func `other pages have no file of their own`() throws {
    #expect(try Self.words(script: "translate('map')", mark: "") == nil)
  }

  @Test func `a text that is not a catalogue has no part`() {
    #expect(CatalogueKeys.part(of: Array("[]".utf8), for: []) == nil)
    #expect(CatalogueKeys.part(of: Array("{\"a\": 1}".utf8), for: ["a"]) == nil)
  }
}
