internal import CSpatiaLite
package import PrivacyMap

/// SQLite's function `farol_inside(longitude, latitude, shape)`: 1 if a position in degrees is inside a border,
/// otherwise 0.
///
/// The border is in the form of ``RegionShape``. SQLite caches the parsed region while the statement runs with the same
/// value.
enum BorderFunction {
  static func add(to handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "farol_inside", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let values, let longitude = values[0], let latitude = values[1],
          let position = FixedPosition(
            longitude: sqlite3_value_double(longitude), latitude: sqlite3_value_double(latitude)),
          let region = BorderFunction.region(context, values[2])
        else { return sqlite3_result_int(context, 0) }
        sqlite3_result_int(context, region.contains(position) ? 1 : 0)
      }, nil, nil, nil)
  }

  /// The region of the third argument, from the cache of the statement or parsed now.
  private static func region(_ context: OpaquePointer?, _ value: OpaquePointer?) -> Region? {
    if let kept = sqlite3_get_auxdata(context, 2) {
      return Unmanaged<Region>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let bytes = sqlite3_value_blob(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    let shape = RegionShape(
      bytes: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
    guard let region = shape.flatMap(Region.init) else { return nil }
    sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(region).toOpaque()) { kept in
      if let kept { Unmanaged<Region>.fromOpaque(kept).release() }
    }
    return region
  }
}

extension Connection {
  /// A condition: the `longitude` and `latitude` of the row are inside a border, by the rule of ``Region``.
  ///
  /// PostGIS compares whole units. The last part of the condition decides positions on the border.
  package func inside(
    _ region: Region, _ table: String
  ) -> (sql: String, arguments: [SQLValue]) {
    switch engine {
    case .sqlite:
      return (
        "farol_inside(\(table).longitude, \(table).latitude, ?) = 1", [.blob(region.shape.bytes)]
      )
    case .postgresql:
      let shape = "(SELECT ST_GeomFromWKB(?))"
      let x = "CAST(round(\(table).longitude * 10000000) AS BIGINT)"
      let y = "CAST(round(\(table).latitude * 10000000) AS BIGINT)"
      let point = "ST_MakePoint(\(x), \(y))"
      let sql = """
        CASE WHEN NOT ST_Intersects(\(shape), \(point)) THEN FALSE
        WHEN ST_Contains(\(shape), \(point)) THEN TRUE
        ELSE (
          SELECT count(*) % 2 = 1
          FROM (
            SELECT CAST(ST_X(low) AS BIGINT) AS low_x, CAST(ST_Y(low) AS BIGINT) AS low_y,
              CAST(ST_X(high) AS BIGINT) AS high_x, CAST(ST_Y(high) AS BIGINT) AS high_y
            FROM (
              SELECT CASE WHEN is_up THEN one ELSE other END AS low,
                CASE WHEN is_up THEN other ELSE one END AS high
              FROM (
                SELECT ST_StartPoint(geom) AS one, ST_EndPoint(geom) AS other,
                  ST_Y(ST_StartPoint(geom)) < ST_Y(ST_EndPoint(geom)) AS is_up
                FROM ST_DumpSegments(\(shape))) AS side) AS upward) AS line
          WHERE low_y <= \(y) AND \(y) < high_y
            AND (\(x) - low_x) * (high_y - low_y) < (\(y) - low_y) * (high_x - low_x)) END
        """
      let value = SQLValue.blob(region.shape.wellKnownBinary)
      return (sql, [value, value, value])
    }
  }
}
