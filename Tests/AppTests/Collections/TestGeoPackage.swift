import Foundation
import PrivacyMap
import SpatialDatabase

/// A GeoPackage with one layer of two polygons, optionally with a fault.
enum TestGeoPackage {
  /// `system` is the EPSG code of its coordinates; `layer` is SQL that creates the layer `quarters`
  /// instead of a table; `rows` are statements that fill it; `others` are names of further layers.
  static func make(
    system: Int64 = 4_326, layer: String? = nil, rows: [String] = [], others: [String] = []
  ) throws
    -> [UInt8]
  {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("layers.gpkg")
    let database = try Database(path: file.path)
    try database.write { connection in
      for statement in schema { try connection.execute(statement) }
      try connection.execute(
        layer ?? """
          CREATE TABLE quarters (fid INTEGER PRIMARY KEY, geom BLOB, "na""me" TEXT, people INTEGER,
            old BOOLEAN, share REAL)
          """)
      for name in ["quarters"] + others { try add(name, system, connection) }
      for statement in rows { try connection.execute(statement) }
      guard layer == nil else { return }
      for (number, low) in [0.0, 10].enumerated() {
        try connection.execute(
          "INSERT INTO quarters VALUES (?, ?, ?, ?, ?, ?)",
          [
            SQLValue(number + 5), .blob(blob(low)), .text("Quarter \(number)"),
            SQLValue(number * 1_000), SQLValue(number == 0), .real(0.5),
          ])
      }
    }
    try database.close()
    return [UInt8](try Data(contentsOf: file))
  }

  private static func add(
    _ name: String, _ system: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO gpkg_contents VALUES (?, 'features', ?)", [.text(name), .integer(system)])
    try connection.execute(
      "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'POLYGON', ?, 0, 0)",
      [.text(name), .integer(system)])
    if name != "quarters" {
      try connection.execute("CREATE TABLE \(name) (fid INTEGER, geom BLOB)")
    }
  }

  /// A square of two degrees, preceded by an envelope, as most programs write it.
  private static func blob(_ low: Double) -> [UInt8] {
    let corners = [(low, 0.0), (low + 2, 0), (low + 2, 2), (low, 2), (low, 0)]
    let ring = corners.map { Geometry.Position($0.0, $0.1) }
    let envelope = [UInt8](repeating: 0, count: 32)
    return Array("GP".utf8) + [0, 0b11, 0xE6, 0x10, 0, 0] + envelope
      + Geometry.polygon([ring]).wellKnownBinary
  }

  private static let schema = [
    """
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
      organization TEXT, organization_coordsys_id INTEGER)
    """,
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326),
      ('Mercator', 3857, 'EPSG', 3857), ('LV95', 2056, 'EPSG', 2056)
    """,
    "CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, srs_id INTEGER)",
    """
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT,
      geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER)
    """,
  ]
}
