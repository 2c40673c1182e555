import JSON
import PrivacyMap
import Service
import WebServer

/// A place with its border, the places in it and its neighbours.
struct PlaceDetails {
  /// The border itself, and its origin.
  struct Border {
    let squareKilometres: Double?
    let attribution: String
    let date: String?
  }

  let place: PlaceStore.Place
  let border: Border?
  let parts, neighbours: [PlaceStore.Place]

  /// The number of places that are listed.
  static let maxParts = 250
  static let maxNeighbours = 6

  /// Nil if the place does not exist.
  init?(_ id: Int64, _ store: PlaceStore, _ language: String) throws {
    guard let place = try store.place(id: id, language: language) else { return nil }
    self.place = place
    border = try store.borders.source(of: id).map { source in
      Border(
        squareKilometres: try store.borders.region(of: id)?.squareKilometres,
        attribution: source.attribution, date: source.date)
    }
    parts = try store.parts(of: id, limit: Self.maxParts, language: language)
    neighbours = try store.neighbours(of: place, limit: Self.maxNeighbours, language: language)
  }

  static let shape = PlaceStore.Place.shape.within(\PlaceDetails.place).extended(
    as: "placeDetails",
    .object(
      "border",
      JSONShape<Border>(
        nil, .number("square_kilometres", \.squareKilometres),
        .text("attribution", \.attribution), .text("date", \.date)), \.border),
    .list("parts", of: PlaceStore.Place.shape, \.parts),
    .list("neighbours", of: PlaceStore.Place.shape, \.neighbours))
}

/// The border of a place as a feature of GeoJSON (RFC 7946).
enum BorderFeature {
  static func json(_ shape: RegionShape, of place: PlaceStore.Place) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "Feature")
    json.member("id", place.id.map { "\($0)" } ?? "")
    json.key("bbox")
    json.value(
      .array(
        [place.box.west, place.box.south, place.box.east, place.box.north].map { .double($0) }))
    json.key("properties")
    json.beginObject()
    json.member("name", place.name)
    json.endObject()
    json.key("geometry")
    json.beginObject()
    json.member("type", "MultiPolygon")
    json.key("coordinates")
    json.beginArray()
    for rings in shape.polygons {
      json.beginArray()
      for (number, ring) in rings.enumerated() {
        json.beginArray()
        for corner in turned(ring, isOuter: number == 0) {
          json.beginArray()
          json.double(corner.longitudeDegrees)
          json.double(corner.latitudeDegrees)
          json.endArray()
        }
        json.endArray()
      }
      json.endArray()
    }
    json.endArray()
    json.endObject()
    json.endObject()
    return json
  }

  /// A closed ring: an outer one counterclockwise, an inner one clockwise (RFC 7946, §3.1.6).
  private static func turned(_ ring: RegionShape.Ring, isOuter: Bool) -> RegionShape.Ring {
    // Twice the area, which is positive for a counterclockwise ring.
    var twice = 0.0
    for (one, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      twice += Double(one.longitude) * Double(next.latitude)
      twice -= Double(next.longitude) * Double(one.latitude)
    }
    let corners = (twice > 0) == isOuter ? ring : ring.reversed()
    return corners + corners.prefix(1)
  }

  static let schema = JSONSchema.object([
    ("type", .text), ("id", .text), ("bbox", .box), ("properties", .object), ("geometry", .object),
  ])
}

extension PlaceRoutes {
  /// The zooms of drawings.
  private static let zooms = 0...22

  var detailEndpoints: [Endpoint] {
    let id = Parameter.path("id", .text(maxLength: 20), "The id of a place, as in `/api/places`.")
    return [
      Endpoint(
        "getPlace", "/api/places/{id}", tag: "Places",
        summary: "A place with its border, the places in it and those beside it.",
        parameters: [id, .language(catalogue.languages), .format(["json"])],
        answers: [.ok("The place.", "application/json", schema: "placeDetails")], details),
      Endpoint(
        "getPlaceBorder", "/api/places/{id}/border", tag: "Places",
        summary: "The border of a place, simplified for a map.",
        parameters: [
          id,
          .query(
            "zoom",
            .integer(
              minimum: Self.zooms.lowerBound, maximum: Self.zooms.upperBound,
              byDefault: Self.zooms.upperBound),
            "The zoom of the map that draws it; without it, the exact border."),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [
          .ok("A multipolygon.", "application/geo+json", schema: "placeBorder")
        ], border),
    ]
  }

  var detailSchemas: [Schema] {
    [PlaceDetails.shape.component, ("placeBorder", BorderFeature.schema.value)]
  }

  private func number(_ request: Request) throws -> Int64 {
    guard let id = Int64(request.parameter("id")) else {
      throw NotFound(Message("error.not_found.place"))
    }
    return id
  }

  @Sendable private func details(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let id = try number(request)
    guard let store,
      let found = try PlaceDetails(id, store, catalogue.language(of: request))
    else { throw NotFound(Message("error.not_found.place")) }
    return Self.response(found, as: PlaceDetails.shape)
  }

  @Sendable private func border(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let id = try number(request)
    var zoom = Self.zooms.upperBound
    if let text = request.query["zoom"] {
      guard let number = Int(text), Self.zooms.contains(number) else {
        throw InvalidInput("zoom", Message("error.number", ["value": PlainText.clipped(text)]))
      }
      zoom = number
    }
    guard let store, let place = try store.place(id: id, language: catalogue.language(of: request)),
      let shape = try store.drawing(of: id, atZoom: zoom)
    else { throw NotFound(Message("error.not_found.border")) }
    return Self.kept(
      .json(BorderFeature.json(shape, of: place).bytes, contentType: "application/geo+json"))
  }
}
