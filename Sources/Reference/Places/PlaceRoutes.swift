import JSON
import Locking
import PrivacyMap
package import Service
package import WebServer

/// `GET /api/places?q=`: places and addresses by name, or one place by its id, without calling other services.
package struct PlaceRoutes: Feature {
  package let store: PlaceStore?
  private let addresses: AddressStore
  package let catalogue: Catalogue

  private static let defaultLimit = 8
  private static let maximumLimit = 20
  /// The positions of one request: more than the rows of a list, and short enough for an address.
  private static let maximumPositions = 50
  /// The positions that a thread that serves sockets looks up.
  private static let quickPositions = 5

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPlaces", "/api/places", tag: "Places",
        summary:
          "Places by name, in any script; streets, addresses and postcodes of the street maps.",
        parameters: [
          .query(
            "q", .text(),
            "The beginning of a name, or words of it; an address such as `10 Market Street`; a postcode."
          ),
          .query(
            "near", .text(maxLength: 100),
            "A position as `longitude,latitude`, such as the middle of a map. Of similar matches the nearest place, "
              + "street, address or postcode comes first."),
          .query("id", .text(maxLength: 20), "The id of one place, instead of a name."),
          .query(
            "limit",
            .integer(
              minimum: 1, maximum: Self.maximumLimit, byDefault: Self.defaultLimit),
            "The maximum number of places."),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [.ok("Places, the best match first.", "application/json", schema: "places")],
        places),
      Endpoint(
        "getNearestPlaces", "/api/places/nearest", tag: "Places",
        summary: "The town nearest to each of some positions.",
        parameters: [
          .query(
            "near", .repeated(.text(maxLength: 100)),
            "A position as `longitude,latitude`; repeat it, at most \(Self.maximumPositions) times.",
            isRequired: true),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [
          .ok(
            "One town for each position, in order; null if there is none within half a degree.",
            "application/json", schema: "nearestPlaces")
        ], nearest),
    ] + detailEndpoints
  }

  package var schemas: [Schema] {
    [Self.shape.component, Self.nearestShape.component] + detailSchemas
  }

  /// Places, and the credit that the licence of addresses among them requires.
  private struct Found {
    var places: [PlaceStore.Place]
    var attribution: String?
  }

  private static let shape = JSONShape<Found>(
    "places",
    .list(
      "places", of: PlaceStore.Place.shape.extended(as: nil, .flag("is_exact", \.isExact)),
      \.places),
    .text("attribution", \.attribution))

  private static let nearestShape = JSONShape<[NearestPlace?]>(
    "nearestPlaces", .init("places", NearestPlace.schema) { NearestPlace.json($0) })

  package init(_ instance: Instance) throws {
    let files: ReferenceFiles = try instance.given()
    (store, addresses, catalogue) = (files.places, files.addresses, instance.catalogue)
  }

  @Sendable private func places(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    for name in ["q", "id", "limit", "near"] where request.query.values(name).count > 1 {
      throw InvalidInput(name, Message("error.repeated"))
    }
    let language = catalogue.language(of: request)
    let found =
      try request.query["id"].map { Found(places: try place(numbered: $0, language)) }
      ?? named(request, language)
    return Self.response(found, as: Self.shape)
  }

  @Sendable private func nearest(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let texts = request.query.values("near")
    guard (1...Self.maximumPositions).contains(texts.count) else {
      throw InvalidInput(
        "near", Message("error.position_count", ["maximum": "\(Self.maximumPositions)"]))
    }
    let positions = try texts.map { try Self.position($0) }
    if positions.count > Self.quickPositions { try SocketThread.leave() }
    let found =
      try store?.nearestPlaces(to: positions, language: catalogue.language(of: request))
      ?? positions.map { _ in nil }
    return Self.response(found, as: Self.nearestShape)
  }

  private static func position(_ text: String) throws -> Coordinate {
    do { return try Coordinate(text: text) } catch {
      throw InvalidInput("near", error.message)
    }
  }

  static func response<Found>(_ found: Found, as shape: JSONShape<Found>) -> Response {
    kept(.json(found, as: shape))
  }

  /// The response, which clients may keep for an hour.
  static func kept(_ made: Response) -> Response {
    var response = made
    // Places change only when set-up runs again.
    response.headers.add("Cache-Control", "public, max-age=3600")
    response.headers.merge("Vary", "Accept-Language")
    response.etag = EntityTag(hashing: response.body.bytes ?? [])
    return response
  }

  private func place(numbered text: String, _ language: String) throws -> [PlaceStore.Place] {
    guard let id = Int64(text), let place = try store?.place(id: id, language: language) else {
      throw InvalidInput("id", Message("error.unknown_place"))
    }
    return [place]
  }

  private func named(_ request: Request, _ language: String) throws -> Found {
    guard let text = request.query["q"], text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.count <= 200
    else { throw InvalidInput("q", Message("error.text_length", ["maximum": "200"])) }
    var limit = Self.defaultLimit
    if let asked = request.query["limit"] {
      limit = try PageCursor.limit(asked, maximum: Self.maximumLimit)
    }
    let middle = try request.query["near"].map(Self.position)
    var places =
      try store?.places(named: text, limit: limit, language: language, near: middle) ?? []
    let addresses = try addresses.addresses(text, near: middle, limit: limit)
    if places.isEmpty, addresses.isEmpty {
      places =
        try store?.places(misspelt: text, limit: limit, language: language, near: middle) ?? []
    }
    return Found(
      places: Self.merged(places, addresses, limit, isNumbered: text.contains(where: \.isNumber)),
      attribution: addresses.isEmpty ? nil : self.addresses.attribution)
  }

  /// Most numbers belong to houses and postcodes, so texts with numbers mean an address first. Other texts mean a place
  /// first, and leave half of the list to streets.
  private static func merged(
    _ places: [PlaceStore.Place], _ addresses: [FoundAddress], _ limit: Int, isNumbered: Bool
  ) -> [PlaceStore.Place] {
    let streets = addresses.map(PlaceStore.Place.init)
    if isNumbered { return Array((streets + places).prefix(limit)) }
    let kept = max(limit - streets.count, (limit + 1) / 2)
    return Array((places.prefix(kept) + streets).prefix(limit))
  }
}

extension PlaceStore.Place {
  fileprivate init(_ address: FoundAddress) {
    self.init(
      id: nil, name: address.name, locality: address.locality, region: nil, country: nil,
      countryName: nil, kind: address.kind, position: address.position, box: address.box,
      population: 0)
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
