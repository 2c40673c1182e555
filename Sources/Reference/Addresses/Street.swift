import PrivacyMap
import SpatialDatabase

/// One street of one town.
struct Street {
  let id: Int64
  let name: String
  let place: String?
  let postcode: String?
  /// Whether the house number comes before the name.
  let isNumberFirst: Bool
  let houses: Int64
  let position: Coordinate
  let box: BoundingBox

  /// - Returns: nil if a position is not valid.
  init?(_ row: Row) {
    guard let position = Self.position(row, 6), let box = Self.box(row, 8) else { return nil }
    id = row.int(0)
    name = row.text(1)
    place = row.optionalText(2)
    postcode = row.optionalText(3)
    isNumberFirst = row.int(4) != 0
    houses = row.int(5)
    self.position = position
    self.box = box
  }

  /// The file stores degrees as integers of 10⁻⁶ degree.
  private static func degrees(_ row: Row, _ column: Int) -> Double {
    Double(row.int(column)) / 1_000_000
  }

  static func position(_ row: Row, _ first: Int) -> Coordinate? {
    try? Coordinate(longitude: degrees(row, first), latitude: degrees(row, first + 1))
  }

  static func box(_ row: Row, _ first: Int) -> BoundingBox? {
    try? BoundingBox(
      west: degrees(row, first), south: degrees(row, first + 1), east: degrees(row, first + 2),
      north: degrees(row, first + 3))
  }

  func isWithin(_ reach: (longitude: Double, latitude: Double), of middle: Coordinate) -> Bool {
    abs(position.longitude - middle.longitude) <= reach.longitude
      && abs(position.latitude - middle.latitude) <= reach.latitude
  }

  func found(as match: FoundAddress.Match) -> FoundAddress {
    FoundAddress(
      match: match, name: name, locality: locality(postcode), position: position, box: box)
  }

  /// A house of this street.
  func found(
    as match: FoundAddress.Match, number: String, at house: Coordinate, postcode own: String?
  ) -> FoundAddress {
    FoundAddress(
      match: match, name: isNumberFirst ? "\(number) \(name)" : "\(name) \(number)",
      locality: locality(own ?? postcode), position: house, box: Self.surroundings(of: house))
  }

  /// Where people write the number first, the postcode follows the town.
  private func locality(_ postcode: String?) -> String? {
    let parts = [postcode, place].compactMap { $0 }
    return parts.isEmpty ? nil : (isNumberFirst ? parts.reversed() : parts).joined(separator: " ")
  }

  /// About fifty metres in each direction, the area that a map shows for one house.
  private static func surroundings(of house: Coordinate) -> BoundingBox {
    let half = 0.000_5
    let (west, east) = (max(-180, house.longitude - half), min(180, house.longitude + half))
    let (south, north) = (max(-90, house.latitude - half), min(90, house.latitude + half))
    return (try? BoundingBox(west: west, south: south, east: east, north: north)) ?? .world
  }
}

extension [Street] {
  func sortedByDistance(from middle: Coordinate) -> [Street] {
    map { ($0, $0.position.distance(to: middle)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
