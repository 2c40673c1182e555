private import Glibc

/// A rectangle on the map, edges included.
///
/// Edges are decimal degrees on WGS 84 (EPSG:4326). If `west` is greater than `east`, the box
/// crosses the antimeridian (RFC 7946 §5.2).
package struct BoundingBox: Equatable, Hashable, Sendable {
  package let west, south, east, north: Double

  /// - Throws: ``InvalidLocation`` for the first edge that is not finite or out of range, or for
  ///   swapped latitudes.
  package init(
    west: Double, south: Double, east: Double, north: Double
  ) throws(InvalidLocation) {
    for longitude in [west, east] where !(longitude.isFinite && abs(longitude) <= 180) {
      throw .longitude("\(longitude)")
    }
    for latitude in [south, north] where !(latitude.isFinite && abs(latitude) <= 90) {
      throw .latitude("\(latitude)")
    }
    guard south <= north else { throw .swappedLatitudes(south: south, north: north) }
    self.init(trustedWest: west, south: south, east: east, north: north)
  }

  /// Creates a box from edges that are known to be in range.
  private init(trustedWest west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The whole Earth.
  package static let world = BoundingBox(trustedWest: -180, south: -90, east: 180, north: 90)

  /// Reads the `bbox` query parameter of OGC API – Features (17-069r4, §7.15.3).
  ///
  /// - Parameter text: four numbers, `west,south,east,north`, or six numbers with heights in third
  ///   and sixth place. Heights are parsed and ignored, because device geometry has no height.
  /// - Throws: ``InvalidLocation`` for the first number that is missing or out of range.
  package init(bbox text: String) throws(InvalidLocation) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count == 6 else {
      throw .wrongCount(parts.count, expected: "4 or 6")
    }
    var numbers: [Double] = []
    for part in parts { numbers.append(try Coordinate.number(part)) }
    if numbers.count == 6 { numbers = [numbers[0], numbers[1], numbers[3], numbers[4]] }
    try self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  /// The box around a circle on the sphere. A circle that contains a pole has every longitude.
  package init(around centre: Coordinate, metres radius: Double) {
    // A ten-thousandth more, so that rounding excludes no point of the edge.
    let angle = radius / Earth.meanRadius * 1.0001
    let degrees = angle * 180 / .pi
    let (south, north) = (centre.latitude - degrees, centre.latitude + degrees)
    guard south > -90, north < 90 else {
      self.init(trustedWest: -180, south: max(-90, south), east: 180, north: min(90, north))
      return
    }
    // The longitude at which the circle is widest (Bronstein, Taschenbuch der Mathematik, §3.4.3).
    let width = asin(min(1, sin(angle) / cos(centre.latitude * .pi / 180))) * 180 / .pi
    self.init(
      trustedWest: Self.wrapped(centre.longitude - width), south: south,
      east: Self.wrapped(centre.longitude + width), north: north)
  }

  private static func wrapped(_ longitude: Double) -> Double {
    longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
  }

  /// Whether the box crosses the antimeridian.
  package var crossesAntimeridian: Bool { west > east }

  /// The same area as one box, or as two if it crosses the antimeridian.
  package var halves: [BoundingBox] {
    guard crossesAntimeridian else { return [self] }
    return [
      BoundingBox(trustedWest: west, south: south, east: 180, north: north),
      BoundingBox(trustedWest: -180, south: south, east: east, north: north),
    ]
  }

  /// Whether `place` lies inside the box or on its edge.
  package func contains(_ place: Coordinate) -> Bool {
    guard (south...north).contains(place.latitude) else { return false }
    return crossesAntimeridian
      ? place.longitude >= west || place.longitude <= east
      : (west...east).contains(place.longitude)
  }
}
