package import PrivacyMap

/// The area that a filter with a place selects.
package enum PlaceArea: Hashable, Sendable {
  /// The inside of a border, and the box around it.
  case region(Region, box: BoundingBox)
  /// A country, whose devices the map of countries determines (docs/explanation/countries.md). ISO 3166-1 alpha-2.
  case country(String)
  /// The surroundings of a place without a known border.
  case box(BoundingBox)

  /// The box around the area. Nil for a country, whose devices have its code.
  package var box: BoundingBox? {
    switch self {
    case .region(_, let box), .box(let box): box
    case .country: nil
    }
  }
}
