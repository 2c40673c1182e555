import Foundation
import JSON
package import Service
import WebServer

/// `/api`: the landing page, the conformance classes, and the API documentation for programs and
/// people.
struct LandingRoutes {
  let name: String
  let addresses: Addresses
  let versions: AnswerVersions
  /// The OpenAPI document, and the same with paths relative to the landing page.
  let document, relativeDocument: MadeOnce<[UInt8]>
  /// The documentation as web pages, by language.
  let documentation: [String: MadeOnce<Response>]
  let pages: ResourcePages
  let languages: [String]

  static let openAPIType = "application/vnd.oai.openapi+json;version=3.0"

  /// GDAL looks for the parameters of `/collections/{collectionId}/items` there, as in the examples of the standard.
  private static let relative = Parameter.query(
    "relative", .oneOf(["true", "false"], byDefault: "false"),
    "Whether the paths are relative to the landing page, as GDAL expects.")

  /// The conformance classes that Farol meets.
  static let conformance = [
    "ogcapi-features-1/1.0/conf/core", "ogcapi-features-1/1.0/conf/oas30",
    "ogcapi-features-1/1.0/conf/geojson", "ogcapi-features-1/1.0/conf/html",
    "ogcapi-features-2/1.0/conf/crs",
    "ogcapi-features-3/1.0/conf/queryables",
    "ogcapi-features-3/1.0/conf/queryables-query-parameters",
    "ogcapi-features-3/1.0/conf/filter", "ogcapi-features-3/1.0/conf/features-filter",
    "ogcapi-features-5/1.0/conf/schemas", "ogcapi-features-5/1.0/conf/core-roles-features",
    "cql2/1.0/conf/cql2-text", "cql2/1.0/conf/cql2-json", "cql2/1.0/conf/basic-cql2",
    "cql2/1.0/conf/advanced-comparison-operators", "cql2/1.0/conf/case-insensitive-comparison",
    "cql2/1.0/conf/basic-spatial-functions", "cql2/1.0/conf/basic-spatial-functions-plus",
    "cql2/1.0/conf/spatial-functions", "cql2/1.0/conf/temporal-functions",
    "cql2/1.0/conf/array-functions", "cql2/1.0/conf/property-property",
    "cql2/1.0/conf/arithmetic",
    "ogcapi-tiles-1/1.0/conf/core", "ogcapi-tiles-1/1.0/conf/tileset",
    "ogcapi-tiles-1/1.0/conf/tilesets-list", "ogcapi-tiles-1/1.0/conf/geodata-tilesets",
    "ogcapi-tiles-1/1.0/conf/mvt",
  ].map { "http://www.opengis.net/spec/" + $0 }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getLandingPage", "/api", tag: "Interface", summary: "Links to all parts of this API.",
        parameters: [ResourcePages.formats],
        answers: [.ok("Links.", schema: "landingPage").alsoAsPage], pages.also(.json, landing)),
      Endpoint(
        "getConformance", "/api/conformance", tag: "Interface",
        summary: "The standards this interface follows.", parameters: [ResourcePages.formats],
        answers: [.ok("Their classes.", schema: "conformance").alsoAsPage],
        pages.also(.json, conformance)),
      Endpoint(
        "getOpenAPI", "/api/openapi.json", tag: "Interface",
        summary: "This API as an OpenAPI document.", parameters: [Self.relative],
        answers: [.ok("An OpenAPI document.", Self.openAPIType, schema: "openapi")], openAPI),
      Endpoint(
        "getDocumentation", "/api/docs", tag: "Interface", summary: "This API as a web page.",
        parameters: [.language(languages)],
        answers: [.ok("A page.", "text/html")], readDocumentation),
    ]
  }

  @Sendable private func landing(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      let links = [
        Link("self", addresses.url("/api"), type: "application/json", title: "This page"),
        Link("alternate", addresses.url("/"), type: "text/html", title: "The map"),
        // GDAL takes the first of this type.
        Link(
          "service-desc", addresses.url("/api/openapi.json?relative=true"), type: Self.openAPIType,
          title: "The interface as OpenAPI 3.0, with paths relative to this page"),
        Link(
          "service-desc", addresses.url("/api/openapi.json"), type: Self.openAPIType,
          title: "The interface as OpenAPI 3.0"),
        Link(
          "service-doc", addresses.url("/api/docs"), type: "text/html",
          title: "The API as a web page"),
        Link(
          "conformance", addresses.url("/api/conformance"), type: "application/json",
          title: "Standards followed"),
        Link(
          "data", addresses.url("/api/collections"), type: "application/json",
          title: "The collections"),
        Link(
          "http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes",
          addresses.url("/api/tileMatrixSets/WebMercatorQuad"), type: "application/json",
          title: "The tiling scheme"),
      ]
      var response = Response.json((name, links), as: OpenAPISchemas.landingPage)
      Link.add(links, to: &response)
      return response
    }
  }

  @Sendable private func conformance(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      .json(Self.conformance, as: OpenAPISchemas.conformance)
    }
  }

  @Sendable private func openAPI(_ request: Request) throws -> Response {
    try ContentNegotiation([
      ContentNegotiation.Offer("json", "application/vnd.oai.openapi+json"),
      ContentNegotiation.Offer("json", "application/json"),
    ]).check(request)
    let asked = request.query["relative"] ?? "false"
    guard ["true", "false"].contains(asked) else {
      throw InvalidInput.unknownCode("relative", asked)
    }
    return try versions.answer(request) {
      .json(
        asked == "true" ? relativeDocument.value : document.value, contentType: Self.openAPIType)
    }
  }

  @Sendable private func readDocumentation(_ request: Request) throws -> Response {
    if let asked = request.query["lang"], !languages.contains(asked) {
      throw InvalidInput.unknownCode("lang", asked)
    }
    return try versions.answer(request) {
      guard let page = documentation[versions.catalogue.language(of: request)] else {
        throw NotFound(Message("error.detail.404"))
      }
      return page.value
    }
  }
}

/// The landing page of the interface and its documentation.
package struct Documentation: Feature {
  let routes: LandingRoutes

  package var endpoints: [Endpoint] { routes.endpoints }
}

extension Documentation {
  /// Describes the operations of all features.
  package init(_ instance: Instance) throws {
    let features = try instance.features.filter { $0 != Self.self }.map {
      try instance.part($0) as any Feature
    }
    let schemas = MadeOnce { features.flatMap { $0.schemas } }
    let (frame, pages, versions) = (instance.frame, instance.pages, instance.versions)
    let (settings, addresses, catalogue) = (frame.settings, frame.addresses, frame.catalogue)
    func landing(
      document: MadeOnce<[UInt8]>, relative: MadeOnce<[UInt8]>,
      documentation: [String: MadeOnce<Response>]
    ) -> LandingRoutes {
      LandingRoutes(
        name: settings.name, addresses: addresses, versions: versions, document: document,
        relativeDocument: relative, documentation: documentation, pages: pages,
        languages: catalogue.languages)
    }
    // The description of an operation does not depend on the content of its responses.
    let none = MadeOnce<[UInt8]> { [] }
    let all =
      landing(document: none, relative: none, documentation: [:]).endpoints
      + features.flatMap { $0.endpoints }
    let document = OpenAPIDocument(
      title: settings.name,
      description: "An open map of the connected devices around us: the kind of each device, the "
        + "personal data it collects, its operator and the choices it offers.",
      server: addresses.base, contact: settings.contact, licence: settings.licence)
    let template = try frame.template("docs.html")
    let snippets = try ClientSnippets(
      directory: instance.folders.seed.appendingPathComponent("clients"), base: addresses.base
    ).snippets
    var documentation: [String: MadeOnce<Response>] = [:]
    for language in catalogue.languages {
      documentation[language] = MadeOnce {
        let page = DocumentationPage(
          endpoints: all, schemas: schemas.value, server: addresses.base, snippets: snippets,
          catalogue: catalogue, language: language, name: settings.name)
        return frame.answer(
          template,
          [
            "title": "\(frame.text("page.docs.title", language))",
            "description": "\(frame.text("page.docs.description", language))",
            "content": page.content, "links": frame.links("/api/docs", language),
          ], language, .ok)
      }
    }
    routes = landing(
      document: MadeOnce { document.bytes(of: all, schemas: schemas.value) },
      relative: MadeOnce {
        document.bytes(of: all, schemas: schemas.value, relativeTo: "/api")
      },
      documentation: documentation
    )
  }
}
