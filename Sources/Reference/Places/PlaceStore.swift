package import PrivacyMap
import Service
import SpatialDatabase

/// The offline gazetteer made at set-up (`data/places.db`): cities, regions and countries by name.
package struct PlaceStore: Sendable {
  /// A named place, or an address.
  package struct Place {
    /// Nil for an address.
    package let id: Int64?
    package let name: String
    /// Postcode and town of an address.
    var locality: String? = nil
    package let region: String?
    package let country: String?
    package let countryName: String?
    package let kind: String
    package let position: Coordinate
    /// The box around its border, or a square of the size that its population needs.
    package internal(set) var box: BoundingBox
    let population: Int64
    /// Whether its border is known.
    package internal(set) var hasBorder = false
    /// Whether the whole searched text is one of the names of this place.
    var isExact = false
  }

  let file: ReadOnlyFile
  package let borders: BorderStore

  /// - Parameters:
  ///   - path: the gazetteer.
  ///   - borders: the borders of its places, and further places with borders.
  /// - Throws: a database error if there is no such file.
  package init(path: String, borders: BorderStore = BorderStore()) throws {
    file = try ReadOnlyFile(path: path)
    self.borders = borders
  }

  private static let columns =
    "place.id, place.name, place.name_pt, place.region, place.country, place.country_name_en, "
    + "place.country_name_pt, place.kind, place.longitude, place.latitude, place.west, "
    + "place.south, place.east, place.north, place.population"

  /// The place with an id: of the gazetteer, or one that only has a border.
  package func place(id: Int64, language: String = Catalogue.defaultLanguage) throws -> Place? {
    let known = try file.readQuickly { connection in
      try connection.first(
        "SELECT \(Self.columns) FROM place WHERE id = ?", [.integer(id)]
      ) { Self.place($0, language) } ?? nil
    }
    return try bordered(known, id, language)
  }

  /// The number of each place, and its box, which is its border's box if that is known. Places of the gazetteer come
  /// first, then other places with borders, both in the order of their numbers.
  package func boxes() throws -> [(id: Int64, box: BoundingBox, hasBorder: Bool)] {
    var borders = try borders.boxes()
    let known = try file.read { connection in
      try connection.rows("SELECT id, west, south, east, north FROM place ORDER BY id") { row in
        (try? BoundingBox(
          west: row.double(1), south: row.double(2), east: row.double(3), north: row.double(4)))
          .map { (row.int(0), $0) }
      }.compactMap { $0 }
    }
    let places = known.map { id, box in
      let border = borders.removeValue(forKey: id)
      return (id: id, box: border ?? box, hasBorder: border != nil)
    }
    return places + borders.sorted { $0.key < $1.key }.map { ($0.key, $0.value, true) }
  }

  /// The best matches for a search text. Of similar matches, the nearest to `near`, the middle of the map, comes first.
  package func places(
    named text: String, limit: Int, language: String, near: Coordinate? = nil
  ) throws -> [Place] {
    let found = PlaceRanking(near: near, language: language)
      .best(try candidates(named: text, language), limit: limit)
    return try withBorders(found, and: text, limit: limit, language: language)
  }

  func candidates(named text: String, _ language: String) throws -> [PlaceRanking.Candidate] {
    guard let query = PlaceQuery(text) else { return [] }
    return try file.read { connection in
      try connection.rows(Self.search, query.terms.map { .text($0) }) { row in
        Self.place(row, language).map { place in
          var place = place
          place.isExact = row.double(15) >= PlaceRanking.exactAlternate
          return PlaceRanking.Candidate(
            place: place, names: [row.text(1)] + (row.optionalText(2).map { [$0] } ?? []),
            bonus: row.double(15))
        }
      }.compactMap { $0 }
    }
  }

  /// Exact names come first, then exact names in another language, then prefixes of both, then words of
  /// name, region and country. Each bonus weighs as much as that many powers of ten of population, so
  /// "lisb" finds Lisbon before Huambo, which was once Nova Lisboa. A short text has many matches, of which the
  /// largest places are candidates.
  private static let search: String = {
    let tiers = [
      ("place_name", "\(PlaceRanking.exactName)", 60),
      ("place_name", "\(PlaceRanking.exactAlternate)", 40),
      ("place_name", "1.5", 20), ("place_name", "0.8", 20), ("place_word", "0.0", 20),
    ].map { table, bonus, maximum in
      "SELECT * FROM (SELECT rowid, \(bonus) FROM \(table) WHERE \(table) MATCH ? "
        + "ORDER BY rowid LIMIT \(maximum))"
    }
    return """
      WITH found (rank, bonus) AS (\(tiers.joined(separator: " UNION ALL ")))
      SELECT \(columns), best.bonus
      FROM (SELECT rank, max(bonus) AS bonus FROM found GROUP BY rank) AS best
      JOIN place ON place.rank = best.rank
      ORDER BY place.rank
      """
  }()

  /// Half the sizes of the boxes searched for a town, in degrees, tried in this order. The first holds a
  /// few towns of a city, so the search reads one tenth of the rows of the second.
  private static let reaches = [0.05, 0.5]

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
    try nearest(to: [position], language: language)[0]
  }

  /// The nearest town of each position, with its distance.
  package func nearestPlaces(
    to positions: [Coordinate], language: String
  ) throws -> [NearestPlace?] {
    zip(try nearest(to: positions, language: language), positions).map { NearestPlace($0, to: $1) }
  }

  /// For each position the nearest town within half a degree, or nil.
  package func nearest(to positions: [Coordinate], language: String) throws -> [Place?] {
    let found = try file.readQuickly { connection in
      try positions.map { position in
        var found: Place?
        for reach in Self.reaches {
          found = try Self.nearest(to: position, within: reach, language, connection)
          if let found, Self.isNearest(found, to: position, within: reach) { break }
        }
        return found
      }
    }
    // Positions of a list often have the same town.
    var known: [Int64: Place] = [:]
    return try found.map { place in
      guard let place, let id = place.id else { return place }
      if let bordered = known[id] { return bordered }
      known[id] = try bordered(place, id, language)
      return known[id]
    }
  }

  /// The towns of a country in a box that are nearest to a position; see ``nearest``.
  private static let nearestOfCountry =
    nearest.replacing("ORDER BY", with: "AND place.country = ?7 ORDER BY")
    .replacing("LIMIT 1", with: "LIMIT ?8")

  /// The towns of a country within half a degree that are nearest to a position, nearest first.
  package func nearest(
    to position: Coordinate, in country: String, count: Int, language: String
  ) throws -> [Place] {
    let reach = Self.reaches.last ?? 0
    return try file.read { connection in
      try connection.rows(
        Self.nearestOfCountry,
        Self.box(around: position, within: reach) + [.text(country), SQLValue(count)]
      ) { Self.place($0, language) }.compactMap { $0 }
    }
  }

  /// The regions of the towns of a country that are nearest to a position, one for each of `count`
  /// towns, nearest first.
  package func regions(
    near position: Coordinate, in country: String, count: Int
  ) throws -> [String] {
    try nearest(
      to: position, in: country, count: count, language: Catalogue.defaultLanguage
    ).compactMap(\.region)
  }

  /// The towns of one read of ``towns()``.
  private static let portion = 20_000

  /// All towns, to find the nearest ones of many positions.
  package func towns() throws -> TownIndex {
    var towns: [TownIndex.Town] = []
    var count: Int
    repeat {
      let found = try file.read { connection in
        try connection.rows(
          """
          SELECT place.id, place.longitude, place.latitude
          FROM place CROSS JOIN place_point ON place_point.id = place.id
          WHERE place.id > ? ORDER BY place.id LIMIT ?
          """, [.integer(towns.last?.id ?? -1), SQLValue(Self.portion)]
        ) { TownIndex.Town(id: $0.int(0), longitude: $0.double(1), latitude: $0.double(2)) }
      }
      towns += found
      count = found.count
    } while count == Self.portion
    return TownIndex(towns)
  }

  /// The values of ``nearest``.
  private static func box(around position: Coordinate, within reach: Double) -> [SQLValue] {
    [
      .real(position.longitude - reach), .real(position.longitude + reach),
      .real(position.latitude - reach), .real(position.latitude + reach),
      .real(position.latitude), .real(position.longitude),
    ]
  }

  private static func nearest(
    to position: Coordinate, within reach: Double, _ language: String,
    _ connection: borrowing Connection
  ) throws -> Place? {
    try connection.first(Self.nearest, box(around: position, within: reach)) {
      Self.place($0, language)
    } ?? nil
  }

  /// Whether no town outside the box can be nearer: a town in a corner of the box may be farther away
  /// than one beyond its edge.
  private static func isNearest(
    _ place: Place, to position: Coordinate, within reach: Double
  ) -> Bool {
    let shortening = 1 - position.latitude * position.latitude / 8_100
    let east = place.position.longitude - position.longitude
    let north = place.position.latitude - position.latitude
    return north * north + east * east * shortening <= reach * reach * shortening
  }

  static func place(_ row: Row, _ language: String) -> Place? {
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
