import PrivacyMap

/// The closed line around a polygon, on the plane of longitude and latitude.
enum Ring {
  /// The reason why corners do not form a polygon.
  enum Fault: Error, Equatable {
    case tooFewCorners
    /// Two equal corners, or a side that runs back over the one before it.
    case repeated
    case crossesItself
    case crossesAntimeridian
    case touchesPole
  }

  /// Checks that the corners make a simple polygon.
  ///
  /// - Parameter corners: at most a few hundred, because every side is compared with every other.
  /// - Throws: the first ``Fault``.
  static func check(_ corners: [Coordinate]) throws(Fault) {
    guard corners.count >= 3 else { throw .tooFewCorners }
    guard !corners.contains(where: { abs($0.latitude) == 90 }) else { throw .touchesPole }
    guard Set(corners).count == corners.count else { throw .repeated }
    let sides = Self.sides(corners)
    // The shorter way between two corners this far apart is across the antimeridian.
    guard sides.allSatisfy({ abs($0.from.longitude - $0.to.longitude) <= 180 }) else {
      throw .crossesAntimeridian
    }
    for (place, side) in sides.enumerated() {
      let next = sides[(place + 1) % sides.count]
      if turn(side.from, side.to, next.to) == 0, dot(side, next) < 0 { throw .repeated }
      for other in sides.dropFirst(place + 2)
      where !(place == 0 && other == sides.last) && touch(side, other) {
        throw .crossesItself
      }
    }
  }

  /// Whether a point is inside: a line to the east crosses the ring an odd number of times.
  static func contains(_ point: Coordinate, _ corners: [Coordinate]) -> Bool {
    sides(corners).reduce(false) { isInside, side in
      let (a, b) = (side.from, side.to)
      guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { return isInside }
      let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
      let crossing = a.longitude + share * (b.longitude - a.longitude)
      return point.longitude < crossing ? !isInside : isInside
    }
  }

  private struct Side: Equatable {
    let from, to: Coordinate
  }

  private static func sides(_ corners: [Coordinate]) -> [Side] {
    zip(corners, corners.dropFirst() + corners.prefix(1)).map { Side(from: $0, to: $1) }
  }

  /// Positive where the way over three points turns left, 0 where it is straight.
  private static func turn(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Double {
    (b.longitude - a.longitude) * (c.latitude - a.latitude)
      - (b.latitude - a.latitude) * (c.longitude - a.longitude)
  }

  private static func dot(_ one: Side, _ other: Side) -> Double {
    (one.to.longitude - one.from.longitude) * (other.to.longitude - other.from.longitude)
      + (one.to.latitude - one.from.latitude) * (other.to.latitude - other.from.latitude)
  }

  /// Whether two sides have a common point.
  private static func touch(_ one: Side, _ other: Side) -> Bool {
    let (a, b) = (turn(one.from, one.to, other.from), turn(one.from, one.to, other.to))
    let (c, d) = (turn(other.from, other.to, one.from), turn(other.from, other.to, one.to))
    if a == 0 && isBetween(other.from, one) || b == 0 && isBetween(other.to, one) { return true }
    if c == 0 && isBetween(one.from, other) || d == 0 && isBetween(one.to, other) { return true }
    return (a > 0) != (b > 0) && (c > 0) != (d > 0) && a != 0 && b != 0 && c != 0 && d != 0
  }

  /// Whether a point on the line of a side is on the side.
  private static func isBetween(_ point: Coordinate, _ side: Side) -> Bool {
    let longitudes = [side.from.longitude, side.to.longitude]
    let latitudes = [side.from.latitude, side.to.latitude]
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return false }
    return point.longitude >= west && point.longitude <= east && point.latitude >= south
      && point.latitude <= north
  }
}
