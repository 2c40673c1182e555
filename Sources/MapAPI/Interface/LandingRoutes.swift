import JSON
import WebServer

/// `/api`: the landing page, conformance, and the interface described for programs and people.
struct LandingRoutes {
  let name: String
  let addresses: Addresses
  let versions: AnswerVersions
  /// The OpenAPI document, made once at start.
  let document: [UInt8]
  /// The same for people, made once at start.
  let page: [UInt8]

  static let openAPIType = "application/vnd.oai.openapi+json;version=3.0"

  /// The conformance classes that Farol passes.
  static let conformance = [
    "ogcapi-features-1/1.0/conf/core", "ogcapi-features-1/1.0/conf/oas30",
    "ogcapi-features-1/1.0/conf/geojson", "ogcapi-features-2/1.0/conf/crs",
    "ogcapi-features-3/1.0/conf/queryables",
    "ogcapi-tiles-1/1.0/conf/core", "ogcapi-tiles-1/1.0/conf/tileset",
    "ogcapi-tiles-1/1.0/conf/tilesets-list", "ogcapi-tiles-1/1.0/conf/geodata-tilesets",
    "ogcapi-tiles-1/1.0/conf/mvt",
  ].map { "http://www.opengis.net/spec/" + $0 }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getLandingPage", "/api", tag: "Interface", summary: "Where everything is.",
        parameters: [.format(["json"])],
        answers: [.ok("Links.", "application/json", schema: "landingPage")], landing),
      Endpoint(
        "getConformance", "/api/conformance", tag: "Interface",
        summary: "The standards this interface follows.", parameters: [.format(["json"])],
        answers: [.ok("Their classes.", "application/json", schema: "conformance")], conformance),
      Endpoint(
        "getOpenAPI", "/api/openapi.json", tag: "Interface",
        summary: "This interface for programs.",
        answers: [.ok("An OpenAPI document.", Self.openAPIType, schema: "openapi")], openAPI),
      Endpoint(
        "getDocumentation", "/api/docs", tag: "Interface", summary: "This interface for people.",
        answers: [.ok("A page.", "text/html")], documentation),
    ]
  }

  @Sendable private func landing(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      let links = [
        Link("self", addresses.url("/api"), type: "application/json", title: "This page"),
        Link("alternate", addresses.url("/"), type: "text/html", title: "The map"),
        Link(
          "service-desc", addresses.url("/api/openapi.json"), type: Self.openAPIType,
          title: "The interface as OpenAPI 3.0"),
        Link(
          "service-doc", addresses.url("/api/docs"), type: "text/html",
          title: "The interface, to be read"),
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
      var json = JSONWriter()
      json.beginObject()
      json.member("title", name)
      json.member(
        "description", "An open map of the connected devices around us and what they collect.")
      json.links(links)
      json.endObject()
      var response = Response.json(json.bytes)
      for link in links { response.headers.add("Link", link.headerValue) }
      return response
    }
  }

  @Sendable private func conformance(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("conformsTo")
      json.strings(Self.conformance)
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func openAPI(_ request: Request) throws -> Response {
    try ContentNegotiation([
      ContentNegotiation.Offer("json", "application/vnd.oai.openapi+json"),
      ContentNegotiation.Offer("json", "application/json"),
    ]).check(request)
    return try versions.answer(request) {
      .json(document, contentType: Self.openAPIType)
    }
  }

  @Sendable private func documentation(_ request: Request) throws -> Response {
    try versions.answer(request) {
      .bytes(page, contentType: "text/html; charset=utf-8")
    }
  }
}

extension LandingRoutes {
  /// All operations: `others` and those of this page, which describes them all, itself included.
  static func complete(
    _ others: [Endpoint], settings: InstanceSettings, addresses: Addresses,
    versions: AnswerVersions
  ) -> [Endpoint] {
    func routes(document: [UInt8], page: [UInt8]) -> LandingRoutes {
      LandingRoutes(
        name: settings.name, addresses: addresses, versions: versions, document: document,
        page: page)
    }
    // What the document says of an operation does not depend on what the operation answers.
    let all = routes(document: [], page: []).endpoints + others
    let document = OpenAPIDocument(
      title: settings.name,
      description: "An open map of the connected devices around us: what each is, which personal "
        + "data it collects, who answers for it and what one can choose.",
      server: addresses.base, contact: settings.contact, licence: settings.licence)
    let page = DocumentationPage(title: settings.name, server: addresses.base).bytes(of: all)
    return routes(document: document.bytes(of: all), page: page).endpoints + others
  }
}
