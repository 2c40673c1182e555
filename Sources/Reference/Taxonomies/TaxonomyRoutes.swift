import JSON
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// `/api/taxonomies`: the terms in the requested language.
package struct TaxonomyRoutes: Feature {
  package let database: Database
  package let catalogue: Catalogue
  package let versions: AnswerVersions
  private let store = TaxonomyStore()

  package init(database: Database, catalogue: Catalogue, versions: AnswerVersions) {
    self.database = database
    self.catalogue = catalogue
    self.versions = versions
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

  package var schemas: [Schema] {
    [("taxonomies", OpenAPISchemas.anyObject), ("taxonomy", OpenAPISchemas.anyObject)]
  }

  @Sendable private func schemes(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("schemes")
      json.beginArray()
      for (scheme, count) in try database.read({ try store.schemes($0) }) {
        json.beginObject()
        json.member("scheme", scheme)
        json.key("terms")
        json.integer(count)
        json.endObject()
      }
      json.endArray()
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func terms(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let scheme = request.parameter("scheme")
    let language = catalogue.language(of: request)
    return try versions.answer(request, where: { try database.read { try store.has(scheme, $0) } })
    {
      guard let json = try json(scheme, language) else { throw NotFound.scheme }
      var response = Response.json(json)
      response.headers.add("Content-Language", language)
      return response
    }
  }

  /// The terms of a scheme in a language; nil if the scheme has no terms.
  package func json(_ scheme: String, _ language: String) throws -> [UInt8]? {
    var json = JSONWriter(capacity: 16 * 1_024)
    json.beginObject()
    json.member("scheme", scheme)
    json.member("language", language)
    json.key("terms")
    json.beginArray()
    let terms = try database.read { try store.terms(of: scheme, in: language, $0) }
    for term in terms { Self.write(term, to: &json) }
    json.endArray()
    json.endObject()
    return terms.isEmpty ? nil : json.bytes
  }

  private static func write(_ term: TaxonomyStore.Term, to json: inout JSONWriter) {
    json.beginObject()
    json.member("code", term.code)
    for (name, text) in [
      ("label", term.label), ("plural", term.plural), ("definition", term.definition),
      ("parent", term.parent), ("icon", term.icon),
    ] {
      json.key(name)
      if let text { json.string(text) } else { json.null() }
    }
    json.key("dpv")
    json.raw(term.dpv)
    json.key("osm")
    json.raw(term.osm)
    if let more = try? JSONValue(parsing: term.more).objectValue {
      for member in more.members {
        json.key(member.key)
        json.value(member.value)
      }
    }
    json.endObject()
  }
}
