import PrivacyMap
import SpatialDatabase

/// A file of borders that set-up makes (`setup/borders.py`; docs/how-to/setup.md has its tables).
struct BorderFile: Sendable {
  /// The credit that its licence requires.
  let attribution: String
  /// The day of the newest data in it, if known.
  let date: String?

  private let file: ReadOnlyFile
  /// Files of earlier versions have no parts of countries.
  private let hasParts: Bool

  /// - Throws: a database error if there is no such file.
  init(path: String) throws {
    file = try ReadOnlyFile(path: path)
    (attribution, date, hasParts) = try file.readQuickly { connection in
      let values = try connection.rows("SELECT name, value FROM metadata", []) {
        ($0.text(0), $0.text(1))
      }
      let metadata = Dictionary(values) { first, _ in first }
      let parts = try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'part'")
      return (metadata["attribution"] ?? "", metadata["date"], parts == 1)
    }
  }

  /// The places that have a border here.
  func places() throws -> [Int64] {
    try file.readQuickly { try $0.rows("SELECT place FROM border", []) { $0.int(0) } }
  }

  /// The box of each border.
  func boxes() throws -> [(place: Int64, box: BoundingBox)] {
    try file.read { connection in
      try connection.rows("SELECT place, west, south, east, north FROM border", []) { row in
        (try? BoundingBox(
          west: row.double(1), south: row.double(2), east: row.double(3), north: row.double(4)))
          .map { (row.int(0), $0) }
      }.compactMap { $0 }
    }
  }

  private static let columns =
    "border.place, border.kind, border.name, border.name_pt, border.region, border.country, border.longitude, "
    + "border.latitude, border.west, border.south, border.east, border.north"

  func border(of place: Int64, _ language: String) throws -> Border? {
    try file.readQuickly { connection in
      try connection.first(
        "SELECT \(Self.columns) FROM border WHERE place = ?", [.integer(place)]
      ) { Self.border($0, language) } ?? nil
    }
  }

  /// The exact polygons. Nil for a country that only has drawings.
  func shape(of place: Int64) throws -> RegionShape? {
    try file.readQuickly { connection in
      try connection.first(
        "SELECT shape FROM border WHERE place = ? AND shape IS NOT NULL", [.integer(place)]
      ) { RegionShape(bytes: $0.blob(0)) } ?? nil
    }
  }

  /// The country of which a place is a part, and the positions that are nearer to it than to the other parts.
  func part(of place: Int64) throws -> (country: String, nearest: RegionShape)? {
    guard hasParts else { return nil }
    return try file.readQuickly { connection in
      try connection.first(
        "SELECT country, nearest FROM part WHERE place = ?", [.integer(place)]
      ) { row in RegionShape(bytes: row.blob(1)).map { (row.text(0), $0) } } ?? nil
    }
  }

  /// The polygons simplified for a zoom. These are the polygons of the first zoom from this one on, otherwise the exact
  /// polygons, otherwise the most exact ones of a country without exact polygons.
  func drawing(of place: Int64, atZoom zoom: Int) throws -> RegionShape? {
    let simplified = "zoom >= ? ORDER BY zoom"
    let drawn = try drawing(of: place, simplified, [SQLValue(zoom)]) ?? shape(of: place)
    return try drawn ?? drawing(of: place, "TRUE ORDER BY zoom DESC", [])
  }

  private func drawing(
    of place: Int64, _ choice: String, _ arguments: [SQLValue]
  ) throws -> RegionShape? {
    try file.readQuickly { connection in
      try connection.first(
        "SELECT shape FROM drawing WHERE place = ? AND \(choice) LIMIT 1",
        [.integer(place)] + arguments
      ) { RegionShape(bytes: $0.blob(0)) } ?? nil
    }
  }

  /// The places directly inside a place, by name.
  func parts(of place: Int64, _ language: String, limit: Int) throws -> [Border] {
    try list("border.parent = ? ORDER BY border.name, border.place LIMIT ?", place, limit, language)
  }

  /// The places with the same place around them and of the same level, the nearest first.
  func neighbours(of place: Int64, _ language: String, limit: Int) throws -> [Border] {
    try list(
      """
      border.place IN (
        SELECT other.place FROM border AS this
        JOIN border AS other ON other.parent IS this.parent AND other.level = this.level
          AND other.place <> this.place
        WHERE this.place = ?
        ORDER BY (other.longitude - this.longitude) * (other.longitude - this.longitude)
          * (1 - this.latitude * this.latitude / 8100.0)
          + (other.latitude - this.latitude) * (other.latitude - this.latitude), other.place LIMIT ?)
      ORDER BY border.name, border.place
      """, place, limit, language)
  }

  /// The places of this file that the gazetteer does not have and whose name begins with a text, in the form of
  /// ``PlainWords``.
  func named(_ text: String, _ language: String, limit: Int) throws -> [Border] {
    try file.readQuickly { connection in
      try connection.rows(
        """
        SELECT \(Self.columns) FROM border_name JOIN border ON border.place = border_name.place
        WHERE border_name.name >= ? AND border_name.name < ? ORDER BY border_name.name LIMIT ?
        """, [.text(text), .text(text + "\u{10FFFF}"), SQLValue(limit)]
      ) { Self.border($0, language) }.compactMap { $0 }
    }
  }

  private func list(
    _ condition: String, _ place: Int64, _ limit: Int, _ language: String
  ) throws -> [Border] {
    try file.readQuickly { connection in
      try connection.rows(
        "SELECT \(Self.columns) FROM border WHERE \(condition)", [.integer(place), SQLValue(limit)]
      ) { Self.border($0, language) }.compactMap { $0 }
    }
  }

  private static func border(_ row: Row, _ language: String) -> Border? {
    guard let position = try? Coordinate(longitude: row.double(6), latitude: row.double(7)),
      let box = try? BoundingBox(
        west: row.double(8), south: row.double(9), east: row.double(10), north: row.double(11))
    else { return nil }
    return Border(
      place: row.int(0), kind: row.text(1),
      name: language == "pt" ? row.optionalText(3) ?? row.text(2) : row.text(2),
      region: row.optionalText(4), country: row.optionalText(5), position: position, box: box)
  }
}

/// The border of a place, without its polygons.
struct Border: Sendable {
  let place: Int64
  let kind, name: String
  let region, country: String?
  let position: Coordinate
  let box: BoundingBox
}
