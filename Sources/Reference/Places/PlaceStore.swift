package import PrivacyMap
import Service
import SpatialDatabase

/// The offline gazetteer made at set-up (`data/places.db`): cities, regions and countries by name.
package struct PlaceStore: Sendable {
  /// A named place.
  package struct Place {
    let id: Int64
    package let name: String
    let region: String?
    package let country: String?
    package let countryName: String?
    let kind: String
    let position: Coordinate
    package let box: BoundingBox
    let population: Int64
  }

  private let file: ReadOnlyFile

  /// - Throws: a database error if there is no such file.
  package init(path: String) throws {
    file = try ReadOnlyFile(path: path)
  }

  private static let columns =
    "place.id, place.name, place.name_pt, place.region, place.country, place.country_name_en, "
    + "place.country_name_pt, place.kind, place.longitude, place.latitude, place.west, "
    + "place.south, place.east, place.north, place.population"

  package func place(id: Int64, language: String = Catalogue.defaultLanguage) throws -> Place? {
    try file.read { connection in
      try connection.first(
        "SELECT \(Self.columns) FROM place WHERE id = ?", [.integer(id)]
      ) { Self.place($0, language) } ?? nil
    }
  }

  /// The best matches for a search text.
  package func places(named text: String, limit: Int, language: String) throws -> [Place] {
    guard let query = PlaceQuery(text) else { return [] }
    return try file.read { connection in
      try connection.rows(
        Self.search(),
        query.terms.map { .text($0) } + [SQLValue(limit)]
      ) { Self.place($0, language) }.compactMap { $0 }
    }
  }

  /// Exact names come first, then exact names in another language, then prefixes of both, then words of
  /// name, region and country. Each bonus weighs as much as that many powers of ten of population, so
  /// "lisb" finds Lisbon before Huambo, which was once Nova Lisboa.
  private static func search() -> String {
    let tiers = [
      ("place_name", "3.0"), ("place_name", "2.0"), ("place_name", "1.5"), ("place_name", "0.8"),
      ("place_word", "0.0"),
    ].map { table, bonus in
      "SELECT * FROM (SELECT rowid, \(bonus) FROM \(table) WHERE \(table) MATCH ? "
        + "ORDER BY rowid LIMIT 20)"
    }
    return """
      WITH found (rank, bonus) AS (\(tiers.joined(separator: " UNION ALL ")))
      SELECT \(columns)
      FROM (SELECT rank, max(bonus) AS bonus FROM found GROUP BY rank) AS best
      JOIN place ON place.rank = best.rank
      ORDER BY best.bonus + place.weight DESC, place.rank LIMIT ?
      """
  }

  /// Half the size of the box searched for a town, in degrees.
  private static let reach = 0.5

  /// The town in a box (west, east, south, north) nearest to a position (latitude, longitude), by
  /// distance in degrees with longitudes shortened towards the poles. The R*Tree `place_point` contains
  /// only towns.
  static let nearest = """
    SELECT \(columns) FROM place_point CROSS JOIN place ON place.id = place_point.id
    WHERE place_point.east >= ?1 AND place_point.west <= ?2
      AND place_point.north >= ?3 AND place_point.south <= ?4
    ORDER BY (latitude - ?5) * (latitude - ?5)
      + (longitude - ?6) * (longitude - ?6) * (1 - ?5 * ?5 / 8100.0)
    LIMIT 1
    """

  /// The nearest town within half a degree, or nil.
  package func nearest(to position: Coordinate, language: String) throws -> Place? {
    try file.read { connection in
      try connection.first(
        Self.nearest,
        [
          .real(position.longitude - Self.reach), .real(position.longitude + Self.reach),
          .real(position.latitude - Self.reach), .real(position.latitude + Self.reach),
          .real(position.latitude), .real(position.longitude),
        ]
      ) { Self.place($0, language) } ?? nil
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
