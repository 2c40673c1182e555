import JSON
internal import Locking
import WebServer

/// Answers of the interface that the map page needs whenever it opens, put into the page itself: on a
/// slow line each question costs a way there and back, and six fit on it at a time.
///
/// They stand in a `script` element of data, which the content security policy lets pass because no
/// browser runs it. `public/js/given.js` reads them; who reads in another language than the server was
/// asked for finds no words there and asks.
final class GivenAnswers: Sendable {
  private let settings: SettingsRoutes
  private let tiles: TileRoutes
  private let taxonomies: TaxonomyRoutes
  private let versions: AnswerVersions

  /// What lists, filters and the search name things by.
  static let schemes = [
    "categories", "statuses", "precisions", "data", "operator_kinds", "choices", "freshness",
    "settings",
  ]

  private struct Made {
    let version: String
    let element: HTML
  }

  /// By language.
  private let made = Locked<[String: Made]>([:])

  init(
    settings: SettingsRoutes, tiles: TileRoutes, taxonomies: TaxonomyRoutes,
    versions: AnswerVersions
  ) {
    self.settings = settings
    self.tiles = tiles
    self.taxonomies = taxonomies
    self.versions = versions
  }

  /// The element for a reader's language, made once for each version of everything public.
  func element(_ language: String) throws -> HTML {
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
    json.endObject()
    let element: HTML =
      "<script type=\"application/json\" id=\"given\">\(HTML(data: json.bytes))</script>"
    made.withLock { $0[language] = Made(version: version, element: element) }
    return element
  }
}

extension HTML {
  /// JSON as it may stand in a `script` element: no `<` is left that could end it or open a comment.
  init(data json: [UInt8]) {
    self.init(
      stringLiteral: String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c"))
  }
}
