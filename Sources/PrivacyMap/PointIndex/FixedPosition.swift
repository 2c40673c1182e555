/// A public point as stored in the index: whole ten-millionths of a degree on WGS 84. This is
/// exactly the seven decimals that the API publishes.
package struct FixedPosition: Hashable, Sendable {
  /// Ten-millionths of a degree, −1,800,000,000…1,800,000,000.
  package var longitude: Int32
  /// Ten-millionths of a degree, −900,000,000…900,000,000.
  package var latitude: Int32

  /// The number of units per degree.
  package static let unitsPerDegree = 10_000_000.0

  /// A position from whole ten-millionths of a degree.
  package init(longitude: Int32, latitude: Int32) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The nearest unit to a position in decimal degrees. `nil` if the position lies outside −180…180
  /// or −90…90, or is not a number.
  package init?(longitude: Double, latitude: Double) {
    guard abs(longitude) <= 180, abs(latitude) <= 90,
      let x = Int32(exactly: (longitude * Self.unitsPerDegree).rounded()),
      let y = Int32(exactly: (latitude * Self.unitsPerDegree).rounded())
    else { return nil }
    self.init(longitude: x, latitude: y)
  }

  /// The nearest unit to a coordinate.
  package init(_ place: Coordinate) {
    // The type guarantees coordinates in range, so both results fit into an Int32.
    longitude = Int32((place.longitude * Self.unitsPerDegree).rounded())
    latitude = Int32((place.latitude * Self.unitsPerDegree).rounded())
  }

  /// Decimal degrees.
  package var longitudeDegrees: Double { Double(longitude) / Self.unitsPerDegree }
  /// Decimal degrees.
  package var latitudeDegrees: Double { Double(latitude) / Self.unitsPerDegree }
}

/// A rectangle in the units of ``FixedPosition``, edges included.
///
/// A box never crosses the antimeridian. Such an area is represented by two boxes. If `west` is
/// greater than `east`, or `south` greater than `north`, the box is empty.
package struct FixedBox: Hashable, Sendable {
  /// The edges, in ten-millionths of a degree.
  package var west, south, east, north: Int32

  /// A box from its edges, in ten-millionths of a degree.
  package init(west: Int32, south: Int32, east: Int32, north: Int32) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The box that contains only one position.
  package init(_ position: FixedPosition) {
    self.init(
      west: position.longitude, south: position.latitude,
      east: position.longitude, north: position.latitude)
  }

  /// The positions between four edges in decimal degrees, edges included.
  ///
  /// An edge between two units excludes the unit outside it. An edge that is not a number makes an
  /// empty box.
  package static func degrees(
    west: Double, south: Double, east: Double, north: Double
  ) -> FixedBox {
    FixedBox(
      west: firstUnit(from: west), south: firstUnit(from: south),
      east: lastUnit(to: east), north: lastUnit(to: north))
  }

  /// Converts a bounding box: two boxes if it crosses the antimeridian.
  package static func halves(of box: BoundingBox) -> [FixedBox] {
    box.halves.map { half in
      .degrees(west: half.west, south: half.south, east: half.east, north: half.north)
    }
  }

  /// All valid positions.
  package static let world = FixedBox(
    west: -1_800_000_000, south: -900_000_000, east: 1_800_000_000, north: 900_000_000)

  /// The neutral element of a union: an empty box.
  static let nothing = FixedBox(west: .max, south: .max, east: .min, north: .min)

  /// Whether the box contains no position.
  package var isEmpty: Bool { west > east || south > north }

  /// Whether the box is a single position.
  package var isPoint: Bool { west == east && south == north }

  /// Whether the position lies inside or on an edge.
  package func contains(_ position: FixedPosition) -> Bool {
    position.longitude >= west && position.longitude <= east
      && position.latitude >= south && position.latitude <= north
  }

  /// Whether every position of `other` is in this box.
  package func contains(_ other: FixedBox) -> Bool {
    west <= other.west && east >= other.east && south <= other.south && north >= other.north
  }

  /// Whether the two boxes share a position.
  package func overlaps(_ other: FixedBox) -> Bool {
    west <= other.east && east >= other.west && south <= other.north && north >= other.south
  }

  /// The positions in both boxes. Empty if the boxes do not overlap.
  package func intersection(_ other: FixedBox) -> FixedBox {
    FixedBox(
      west: max(west, other.west), south: max(south, other.south),
      east: min(east, other.east), north: min(north, other.north))
  }

  /// Extends the box to include `other`.
  mutating func formUnion(_ other: FixedBox) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }

  private static func firstUnit(from degrees: Double) -> Int32 {
    guard !degrees.isNaN else { return .max }
    return unit(degrees, .up)
  }

  private static func lastUnit(to degrees: Double) -> Int32 {
    guard !degrees.isNaN else { return .min }
    return unit(degrees, .down)
  }

  /// The product of seven decimals and 10⁷ differs from the whole number by at most a few 10⁻⁷. A
  /// value within a thousandth of a unit is therefore treated as that unit.
  private static func unit(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Int32 {
    // Beyond every longitude, but still within Int32.
    let beyond = 2_000_000_000.0
    let scaled = min(beyond, max(-beyond, degrees * FixedPosition.unitsPerDegree))
    let nearest = scaled.rounded()
    let edge = abs(scaled - nearest) < 0.001 ? nearest : scaled.rounded(rule)
    return Int32(exactly: edge) ?? (rule == .up ? .max : .min)
  }
}
