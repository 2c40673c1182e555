import PrivacyMap
import SpatialDatabase

/// The streets, house numbers and postcodes of one OpenStreetMap extract (`setup/addresses.py`).
struct AddressFile: Sendable {
  /// The credit that its licence requires.
  let attribution: String

  private let file: ReadOnlyFile
  private let abbreviations: [String: [String]]

  /// More matches than this are not all compared; then the streets around the map's middle are searched.
  static let maxCompared = 2_000
  /// The grids around the middle, from about ten to a hundred kilometres.
  private static let levels = [11, 8]
  /// The nearest streets in which a house number is looked up.
  private static let maxLookedUp = 40

  /// - Throws: a database error if there is no such file.
  init(path: String) throws {
    file = try ReadOnlyFile(path: path)
    (attribution, abbreviations) = try file.read { connection in
      let credit = try connection.first(
        "SELECT value FROM metadata WHERE name = 'attribution'", []
      ) { $0.text(0) }
      let pairs = try connection.rows("SELECT short, word FROM abbreviation", []) {
        ($0.text(0), $0.text(1))
      }
      return (credit ?? "", Dictionary(grouping: pairs) { $0.0 }.mapValues { $0.map(\.1) })
    }
  }

  /// The possible meanings of a text here, in any order.
  func addresses(
    _ query: AddressQuery, near middle: Coordinate?, limit: Int
  ) throws -> [FoundAddress] {
    try file.read { connection in
      var found = try postcodes(query, near: middle, connection)
      for reading in query.readings {
        let streets = try streets(reading, near: middle, limit: limit, connection)
        guard let number = reading.number else {
          found += streets.prefix(limit).map { $0.found(as: .street) }
          continue
        }
        for street in streets.prefix(Self.maxLookedUp) {
          found.append(
            try house(number, of: street, connection) ?? street.found(as: .streetWithoutNumber))
        }
      }
      return found
    }
  }

  // Streets

  private static let columns =
    "street.id, street.name, street.place, street.postcode, street.number_first, street.houses, "
    + "street.x, street.y, street.west, street.south, street.east, street.north"

  /// The streets of a part of the curve that match (text, first id, last id, limit).
  static let matching = """
    SELECT \(columns) FROM street_text CROSS JOIN street ON street.id = street_text.rowid
    WHERE street_text MATCH ?1 AND street_text.rowid BETWEEN ?2 AND ?3 LIMIT ?4
    """

  /// The first street from a place on the curve on.
  static let firstOnCurve = "SELECT id FROM street WHERE curve >= ? ORDER BY curve, id LIMIT 1"

  /// The matching streets, the nearest first; without a middle, the streets with the most houses first.
  private func streets(
    _ reading: AddressQuery.Reading, near middle: Coordinate?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [Street] {
    let match = reading.match(abbreviations)
    let all = try streets(match, in: 0..<Int64.max, connection)
    guard let middle else { return all.sorted { $0.houses > $1.houses } }
    guard all.count >= Self.maxCompared else { return all.sortedByDistance(from: middle) }
    for level in Self.levels {
      let block = StreetCurve.block(around: middle, level: level)
      var around: [Street] = []
      for range in block.ranges {
        around += try streets(match, in: ids(of: range, connection), connection)
      }
      let near = around.filter { $0.isWithin(block.reach, of: middle) }
      if near.count >= limit { return near.sortedByDistance(from: middle) }
    }
    return all.sortedByDistance(from: middle)
  }

  private func streets(
    _ match: String, in ids: Range<Int64>, _ connection: borrowing Connection
  ) throws -> [Street] {
    guard !ids.isEmpty else { return [] }
    return try connection.rows(
      Self.matching,
      [
        .text(match), .integer(ids.lowerBound), .integer(ids.upperBound - 1),
        SQLValue(Self.maxCompared),
      ]
    ) { Street($0) }.compactMap { $0 }
  }

  private func ids(
    of curve: Range<Int64>, _ connection: borrowing Connection
  ) throws -> Range<Int64> {
    let ends = try [curve.lowerBound, curve.upperBound].map { place in
      try connection.first(Self.firstOnCurve, [.integer(place)]) { $0.int(0) } ?? Int64.max
    }
    return ends[0]..<max(ends[0], ends[1])
  }

  // Houses

  /// The houses of a street with a number or with a letter or range after it: 12, 12a and 12-14, but not 120
  /// (street, number, text after all that begin with it).
  static let numbered = """
    SELECT number, x, y, postcode FROM house
    WHERE street = ?1 AND number >= ?2 AND number < ?3
      AND substr(number, length(?2) + 1, 1) NOT BETWEEN '0' AND '9'
    LIMIT 100
    """

  private func house(
    _ number: HouseNumber, of street: Street, _ connection: borrowing Connection
  ) throws -> FoundAddress? {
    let houses = try connection.rows(
      Self.numbered,
      [.integer(street.id), .text(number.digits), .text(number.digits + "\u{10FFFF}")]
    ) { row in
      (number: row.text(0), position: Street.position(row, 1), postcode: row.optionalText(3))
    }
    let exact = houses.first { $0.number == number.text }
    guard let house = exact ?? houses.first,
      let position = house.position
    else { return nil }
    return street.found(
      as: exact != nil ? .address : .addressOfSimilarNumber, number: house.number, at: position,
      postcode: house.postcode)
  }

  // Postcodes

  /// The postcodes that begin with a text (text, first text after them).
  static let coded = """
    SELECT code, shown, place, search, x, y, west, south, east, north FROM postcode
    WHERE code >= ?1 AND code < ?2 ORDER BY code LIMIT 200
    """

  private func postcodes(
    _ query: AddressQuery, near middle: Coordinate?, _ connection: borrowing Connection
  ) throws -> [FoundAddress] {
    try query.postcodes.flatMap { code, others in
      try connection.rows(
        Self.coded, [.text(code), .text(code + "\u{10FFFF}")]
      ) { row -> FoundAddress? in
        let words = row.text(3).split(separator: " ")
        let isNamed = others.allSatisfy { other in words.contains { $0.hasPrefix(other) } }
        guard isNamed, let position = Street.position(row, 4), let box = Street.box(row, 6)
        else { return nil }
        let isWhole = row.text(0) == code
        return FoundAddress(
          match: isWhole ? .postcode : .beginningOfPostcode, name: row.text(1),
          locality: row.optionalText(2), position: position, box: box)
      }.compactMap { $0 }
    }
  }
}
