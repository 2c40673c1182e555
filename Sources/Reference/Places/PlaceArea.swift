package import PrivacyMap

/// The area that a filter with a place selects: each condition narrows it.
package struct PlaceArea: Hashable, Sendable {
  /// The public point is in each of these: inside the border of the place, or nearer to it than to the other parts of
  /// the same country.
  package var regions: [Region] = []
  /// The device has this code (docs/explanation/countries.md). ISO 3166-1 alpha-2.
  package var country: String?
  /// The box around the area. Nil for a country.
  package var box: BoundingBox?
  /// The size inside the border. Nil for a country, whose size the map of countries knows, and without a border.
  package var squareKilometres: Double?

  /// A country, whose devices the map of countries determines.
  package static func country(_ code: String) -> PlaceArea { PlaceArea(country: code) }

  /// Whether it is a whole country.
  package var isCountry: Bool { country != nil && regions.isEmpty }
}
