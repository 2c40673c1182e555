import PrivacyMap
import SpatialDatabase

/// The gazetteer made at set-up (`data/places.db`): cities, regions and countries by name, offline.
package struct PlaceStore: Sendable {
  /// A place with a name.
  struct Place {
    let id: Int64
    let name: String
    let region: String?
    let country: String?
    let countryName: String?
    let kind: String
    let position: Coordinate
    let box: BoundingBox
    let population: Int64
  }

  private let file: ReadOnlyFile

  /// - Throws: an error of the database when there is no such file.
  package init(path: String) throws {
    file = try ReadOnlyFile(path: path)
  }

  private static let columns =
    "id, name, name_pt, region, country, country_name_en, country_name_pt, kind, longitude, "
    + "latitude, west, south, east, north, population"

  func place(id: Int64, language: String = Catalogue.defaultLanguage) throws -> Place? {
    try file.read { connection in
      try connection.first(
        "SELECT \(Self.columns) FROM place WHERE id = ?", [.integer(id)]
      ) { Self.place($0, language) } ?? nil
    }
  }

  /// Places whose names have every word of `text`, the last one also by its beginning.
  ///
  /// A match on the main name comes before one on another name, then the more people the better:
  /// "lisb" finds Lisbon before Huambo, which was once Nova Lisboa.
  func places(named text: String, limit: Int, language: String) throws -> [Place] {
    try file.read { connection in
      guard let query = connection.searchText(SearchText.indexed(text)) else { return [] }
      return try connection.rows(
        PlaceQuery.search, [.text(query), .text(query), SQLValue(limit)]
      ) { Self.place($0, language) }.compactMap { $0 }
    }
  }

  private static func place(_ row: Row, _ language: String) -> Place? {
    guard let position = try? Coordinate(longitude: row.double(8), latitude: row.double(9)),
      let box = try? BoundingBox(
        west: row.double(10), south: row.double(11), east: row.double(12), north: row.double(13))
    else { return nil }
    let isPortuguese = language == "pt"
    return Place(
      id: row.int(0), name: isPortuguese ? row.optionalText(2) ?? row.text(1) : row.text(1),
      region: row.optionalText(3), country: row.optionalText(4),
      countryName: row.optionalText(isPortuguese ? 6 : 5), kind: row.text(7),
      position: position, box: box, population: row.int(14))
  }
}
