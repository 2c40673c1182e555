import Foundation
import PrivacyMap
import SpatialDatabase
import Testing

/// A migration moves public points of the time before the three nested grids to the program's
/// present grid.
@Suite struct GridMigrationTests {
  @Test func `the migration computes the grid exactly as the program does`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try EarlierDatabase.make(in: folder, before: "0009")
    let places = Self.places
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
          osm, origin) VALUES ('toy', 0, 0, 'toy', 1, 24, '[]', '[]', '{}', 'seed')
        """)
      for (number, (place, precision)) in places.enumerated() {
        try connection.execute(
          """
          INSERT INTO device (rowid, id, name, category, longitude, latitude, precision, stale_on,
            created_at, updated_at, public_point)
          VALUES (?, printf('%036d', ?), 'A toy', 'toy', 1, 2, ?, '2028-01-01',
            '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', \(connection.makePoint))
          """,
          [SQLValue(number + 1), SQLValue(number), .text(precision.rawValue), .real(1), .real(2)])
        try connection.execute(
          "INSERT INTO device_location VALUES (?, ?, ?)",
          [SQLValue(number + 1), .real(place.longitude), .real(place.latitude)])
      }
    }
    _ = try database.migrate(directory: EarlierDatabase.migrations.path)
    let moved = try database.read { connection in
      try connection.rows(
        """
        SELECT longitude, latitude, ST_X(public_point), ST_Y(public_point), west, south
        FROM device JOIN device_box USING (rowid) ORDER BY device.rowid
        """
      ) { row in (0..<6).map { row.double($0) } }
    }
    for ((place, precision), seen) in zip(places, moved) {
      let point =
        precision == .exact
        ? try Coordinate(longitude: 1, latitude: 2) : precision.publicPoint(for: place)
      #expect(seen[0] == point.longitude && seen[1] == point.latitude, "\(precision) \(place)")
      #expect(seen[2] == seen[0] && seen[3] == seen[1])
      #expect(abs(seen[4] - seen[0]) < 1e-3 && abs(seen[5] - seen[1]) < 1e-3)
    }
    #expect(moved.count == places.count)
    try database.close()
  }

  private static let places: [(Coordinate, Precision)] = {
    var numbers = SeededNumbers(seed: 4)
    var places: [(Coordinate, Precision)] = []
    for precision in Precision.allCases {
      for (longitude, latitude) in [(180.0, 90.0), (-180, -90), (0, 0), (179.9999999, 45)] {
        places.append((.clamped(longitude: longitude, latitude: latitude), precision))
      }
      for _ in 0..<400 {
        let longitude = Double.random(in: -180...180, using: &numbers)
        let latitude = Double.random(in: -90...90, using: &numbers)
        places.append((.clamped(longitude: longitude, latitude: latitude), precision))
      }
    }
    return places
  }()
}
