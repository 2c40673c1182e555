private import Glibc

/// The square of Web Mercator (EPSG:3857) that tiles divide: 0…1 from west to east and from north
/// to south.
///
/// The square ends at 85.0511°. Points beyond are drawn on its edge, so that they remain visible,
/// counted and selectable.
package enum WebMercator {
  /// The place of a point in the square.
  package static func place(of point: Coordinate) -> (x: Double, y: Double) {
    (
      x(longitudeUnits: point.longitude * FixedPosition.unitsPerDegree),
      y(latitudeUnits: point.latitude * FixedPosition.unitsPerDegree)
    )
  }

  /// The point at a place of the square.
  package static func point(x: Double, y: Double) -> Coordinate {
    .clamped(longitude: (x - 0.5) * 360, latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi)
  }

  /// 0…1, west to east.
  package static func x(longitudeUnits: Double) -> Double {
    longitudeUnits / 3_600_000_000 + 0.5
  }

  /// 0…1, north to south.
  package static func y(latitudeUnits: Double) -> Double {
    let latitude = latitudeUnits / FixedPosition.unitsPerDegree * .pi / 180
    let sine = sin(latitude)
    // At a pole the logarithm is infinite. The clamp handles that.
    return min(1, max(0, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)))
  }

  /// The least longitude at or east of `x`, in units of ``FixedPosition``, where `x` is `part` of
  /// `parts`.
  ///
  /// It uses only integers, so that neighbouring tiles agree on their common edge.
  static func firstLongitude(part: Int, of parts: Int) -> Int32 {
    // The easternmost meridian belongs to the last tile, so the end edge lies beyond it.
    if part >= parts { return FixedBox.world.east + 1 }
    let (quotient, remainder) = (part * 3_600_000_000).quotientAndRemainder(dividingBy: parts)
    return Int32(truncatingIfNeeded: quotient + (remainder > 0 ? 1 : 0) - 1_800_000_000)
  }

  /// The greatest latitude at or south of `y`, in units of ``FixedPosition``, where `y` is `part`
  /// of `parts`, a power of two.
  static func lastLatitude(part: Int, of parts: Int) -> Int32 {
    if part <= 0 { return FixedBox.world.north }
    if part >= parts { return FixedBox.world.south - 1 }
    // Division by a power of two is exact, so the same edge gives the same number at every zoom.
    let y = Double(part) / Double(parts)
    let latitude = atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
    return Int32(exactly: (latitude * FixedPosition.unitsPerDegree).rounded(.down)) ?? 0
  }
}
