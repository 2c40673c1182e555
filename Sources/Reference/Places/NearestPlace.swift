package import JSON
package import PrivacyMap
package import Service

/// The town nearest to a position, with its distance in metres.
package struct NearestPlace {
  package let place: PlaceStore.Place
  package let distance: Int64

  package init?(_ place: PlaceStore.Place?, to position: Coordinate) {
    guard let place else { return nil }
    self.place = place
    distance = Int64(place.position.distance(to: position).rounded())
  }

  private static let shape = PlaceStore.Place.shape.within(\NearestPlace.place)
    .extended(as: nil, .count("distance", \.distance))

  /// The schema of ``json(_:)``.
  package static let schema = JSONSchema.list(of: shape.schema.orNull)

  /// One town for each position, null without one.
  package static func json(_ places: [NearestPlace?]) -> JSONValue {
    .array(places.map { $0.map(shape.json) ?? .null })
  }
}

extension PlaceStore.Place {
  /// As responses write it.
  static let shape = JSONShape<PlaceStore.Place>(
    nil, .text("id") { $0.id.map { "\($0)" } }, .text("name", \.name), .text("kind", \.kind),
    .text("locality", \.locality), .text("region", \.region), .text("country", \.country),
    .text("country_name", \.countryName),
    .degrees("longitude", \.position.longitude), .degrees("latitude", \.position.latitude),
    .init("bbox", .box, \.box), .flag("bordered", \.hasBorder),
    .count("population", \.population))
}
