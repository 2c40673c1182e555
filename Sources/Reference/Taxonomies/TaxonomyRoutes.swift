import JSON
package import Service
package import SpatialDatabase
import WebServer

/// `/api/taxonomies`: the terms in the requested language.
package struct TaxonomyRoutes: Feature {
  package let database: Database
  package let catalogue: Catalogue
  package let versions: AnswerVersions
  private let store = TaxonomyStore()

  package init(_ instance: Instance) {
    (database, catalogue, versions) = (instance.database, instance.catalogue, instance.versions)
  }

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getTaxonomies", "/api/taxonomies", tag: "Taxonomies",
        summary: "The schemes of terms, with the number of terms in each.",
        parameters: [.language(catalogue.languages), .format(["json"])],
        answers: [.ok("The schemes.", "application/json", schema: "taxonomies")], schemes),
      Endpoint(
        "getTaxonomy", "/api/taxonomies/{scheme}", tag: "Taxonomies",
        summary: "The terms of one scheme, with names and definitions in plain words.",
        parameters: [
          .path("scheme", .text(), "Such as `categories`, `data` or `choices`."),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [.ok("The terms.", "application/json", schema: "taxonomy")], terms),
    ]
  }

  package var schemas: [Schema] { [Self.shapeOfAll.component, Self.shape.component] }

  private static let shapeOfAll = JSONShape<[(scheme: String, terms: Int64)]>(
    "taxonomies", .list("schemes", of: scheme, \.self))
  private static let scheme = JSONShape<(scheme: String, terms: Int64)>(
    nil, .text("scheme") { $0.scheme }, .count("terms") { $0.terms })

  private typealias Terms = (scheme: String, language: String, terms: [TaxonomyStore.Term])

  private static let shape = JSONShape<Terms>(
    "taxonomy", .text("scheme") { $0.scheme }, .text("language") { $0.language },
    // The members of one scheme, such as `household` of the categories, are not listed.
    .init(
      "terms", .list(of: term.schema.with("additionalProperties", JSONSchema.any.value))
    ) { $0.terms.map(json) })

  private static let term = JSONShape<TaxonomyStore.Term>(
    nil, .text("code", \.code), .text("label", \.label), .text("plural", \.plural),
    .text("definition", \.definition), .text("parent", \.parent), .text("icon", \.icon),
    .init("dpv", .any) { (try? JSONValue(parsing: $0.dpv)) ?? .null },
    .init("osm", .any) { (try? JSONValue(parsing: $0.osm)) ?? .null })

  /// A term with the members that only its scheme has.
  private static func json(_ term: TaxonomyStore.Term) -> JSONObject {
    let more = (try? JSONValue(parsing: term.more).objectValue?.members) ?? []
    return JSONObject(Self.term.object(term).members + more)
  }

  @Sendable private func schemes(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    return try versions.answer(request) {
      .json(try database.readQuickly { try store.schemes($0) }, as: Self.shapeOfAll)
    }
  }

  @Sendable private func terms(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let scheme = request.parameter("scheme")
    let language = catalogue.language(of: request)
    return try versions.answer(
      request, where: { try database.readQuickly { try store.has(scheme, $0) } }
    ) {
      guard let json = try json(scheme, language) else { throw NotFound.scheme }
      var response = Response.json(json)
      response.headers.add("Content-Language", language)
      return response
    }
  }

  /// The terms of a scheme in a language; nil if the scheme has no terms.
  package func json(_ scheme: String, _ language: String) throws -> [UInt8]? {
    let terms = try database.readQuickly { try store.terms(of: scheme, in: language, $0) }
    guard !terms.isEmpty else { return nil }
    var json = JSONWriter(capacity: 16 * 1_024)
    Self.shape.write((scheme, language, terms), to: &json)
    return json.bytes
  }
}
