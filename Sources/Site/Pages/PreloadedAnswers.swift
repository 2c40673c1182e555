import JSON
internal import Locking
import Reading
import Reference
package import Service
import WebServer

/// API responses that the map page always needs, and its sentences if it is built, embedded in the page. On a slow
/// connection each request costs a round trip, and only six run at a time.
///
/// They are in a `script` element of type JSON, which the content security policy allows because browsers
/// do not execute it. `public/js/given.js` reads them. A reader whose language differs from the one
/// requested from the server finds no texts in them, and the page requests the responses instead.
package final class PreloadedAnswers: Sendable {
  private let settings: SettingsRoutes
  private let tiles: TileRoutes
  private let taxonomies: TaxonomyRoutes
  private let versions: AnswerVersions

  /// The schemes whose terms are used by lists, filters and the search.
  static let schemes = [
    "categories", "category_groups", "statuses", "precisions", "data", "operator_kinds", "choices",
    "freshness", "settings",
  ]

  private struct Made {
    let version: String
    let element: HTML
  }

  /// By language.
  private let made = Locked<[String: Made]>([:])

  package init(_ instance: Instance) throws {
    (settings, tiles, taxonomies) = try (instance.part(), instance.part(), instance.part())
    versions = instance.versions
  }

  /// The element for a language, generated once per version of the public data. `files` are the files of the web front,
  /// with the sentences of the page.
  func element(_ language: String, files: StaticFiles) throws -> HTML {
    let version = versions.version
    if let known = made.withLock({ $0[language] }), known.version == version {
      return known.element
    }
    var json = JSONWriter(capacity: 64 * 1_024)
    json.beginObject()
    json.key(SettingsRoutes.path)
    json.raw(try settings.json())
    json.key(TileRoutes.path)
    json.raw(try tiles.tileJSON(Query()))
    for scheme in Self.schemes {
      guard let terms = try taxonomies.json(scheme, language) else { continue }
      json.key("/api/taxonomies/\(scheme)?lang=\(language)")
      json.raw(terms)
    }
    let words = "words/main.\(language).json"
    if let file = files.current(words) {
      json.key(files.url(words))
      json.raw(file.bytes)
    }
    json.endObject()
    let element: HTML =
      "<script type=\"application/json\" id=\"given\">\(HTML(data: json.bytes))</script>"
    made.withLock { $0[language] = Made(version: version, element: element) }
    return element
  }
}

extension HTML {
  /// JSON that is safe inside a `script` element: it has no `<` that could end the element or open a
  /// comment.
  init(data json: [UInt8]) {
    self.init(
      stringLiteral: String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c"))
  }
}
