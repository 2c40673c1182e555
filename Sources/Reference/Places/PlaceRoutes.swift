import JSON
import PrivacyMap
package import Service
package import WebServer

/// `GET /api/places?q=`: places by name, or one by its id, without calling other services.
package struct PlaceRoutes: Feature {
  package let store: PlaceStore?
  package let catalogue: Catalogue

  private static let defaultLimit = 8
  private static let maximumLimit = 20

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPlaces", "/api/places", tag: "Places", summary: "Places by name, in any script.",
        parameters: [
          .query("q", .text(), "The beginning of a name, or words of it."),
          .query("id", .text(maxLength: 20), "The id of one place, instead of a name."),
          .query(
            "limit",
            .integer(
              minimum: 1, maximum: Self.maximumLimit, byDefault: Self.defaultLimit),
            "The maximum number of places."),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [.ok("Places, the best match first.", "application/json", schema: "places")],
        places)
    ]
  }

  package var schemas: [Schema] {
    typealias Schema = OpenAPISchemas
    return [
      (
        "places",
        Schema.object(["places": Schema.array(Schema.anyObject)], required: ["places"])
      )
    ]
  }

  package init(store: PlaceStore?, catalogue: Catalogue) {
    self.store = store
    self.catalogue = catalogue
  }

  @Sendable private func places(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    for name in ["q", "id", "limit"] where request.query.values(name).count > 1 {
      throw InvalidInput(name, Message("error.repeated"))
    }
    let language = catalogue.language(of: request)
    let found =
      try request.query["id"].map { try place(numbered: $0, language) }
      ?? named(request, language)
    var json = JSONWriter()
    json.beginObject()
    json.key("places")
    json.beginArray()
    for place in found { Self.write(place, to: &json) }
    json.endArray()
    json.endObject()
    var response = Response.json(json.bytes)
    // Places change only when set-up runs again.
    response.headers.add("Cache-Control", "public, max-age=3600")
    response.headers.merge("Vary", "Accept-Language")
    response.etag = EntityTag(hashing: json.bytes)
    return response
  }

  private func place(numbered text: String, _ language: String) throws -> [PlaceStore.Place] {
    guard let id = Int64(text), let place = try store?.place(id: id, language: language) else {
      throw InvalidInput("id", Message("error.unknown_place"))
    }
    return [place]
  }

  private func named(_ request: Request, _ language: String) throws -> [PlaceStore.Place] {
    guard let text = request.query["q"], text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.count <= 200
    else { throw InvalidInput("q", Message("error.text_length", ["maximum": "200"])) }
    var limit = Self.defaultLimit
    if let asked = request.query["limit"] {
      limit = try PageCursor.limit(asked, maximum: Self.maximumLimit)
    }
    return try store?.places(named: text, limit: limit, language: language) ?? []
  }

  private static func write(_ place: PlaceStore.Place, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", "\(place.id)")
    json.member("name", place.name)
    json.member("kind", place.kind)
    for (name, text) in [
      ("region", place.region), ("country", place.country), ("country_name", place.countryName),
    ] {
      json.key(name)
      if let text { json.string(text) } else { json.null() }
    }
    json.key("longitude")
    json.coordinate(place.position.longitude)
    json.key("latitude")
    json.coordinate(place.position.latitude)
    json.key("bbox")
    json.beginArray()
    for edge in [place.box.west, place.box.south, place.box.east, place.box.north] {
      json.coordinate(edge)
    }
    json.endArray()
    json.key("population")
    json.integer(place.population)
    json.endObject()
  }
}

extension Catalogue {
  /// Refuses a `lang` that Farol does not support.
  package func checkLanguage(_ request: Request) throws {
    if let asked = request.query["lang"], !languages.contains(asked) {
      throw InvalidInput.unknownCode("lang", asked)
    }
  }
}
