package import PrivacyMap

/// A position in one value of a list.
package struct WrittenPosition: Equatable, Sendable {
  /// The meaning of the numbers.
  package enum Numbers: Equatable, Sendable {
    /// Coordinates in the list's system.
    case ofList
    /// Degrees: the notation has letters, or is a link of a map.
    case degrees
    /// Coordinates in a system that the value names: `EPSG:25832`.
    case system(String)
  }

  /// Which number comes first.
  package enum Order: String, CaseIterable, Sendable {
    case latitudeFirst = "latitude_longitude"
    case longitudeFirst = "longitude_latitude"
  }

  /// The way in which a list writes numbers and directions.
  package struct Notation: Sendable {
    package var decimal = PlainNumber.Decimal.point
    /// Whether the letter O is the east (German, Dutch) and not the west (Portuguese, Spanish, Italian, French). Nil:
    /// unclear.
    package var isOEast: Bool?
    /// Whether numbers are degrees with their minutes.
    package var packed: PackedDegrees?
    /// Whether texts are geohashes.
    package var isGeohash = false

    package init(isOEast: Bool? = nil) { self.isOEast = isOEast }
  }

  /// In the order in which they are written.
  package var first, second: Double
  /// The order that the notation states; nil for two plain numbers.
  package var order: Order?
  package var numbers = Numbers.ofList
  /// Whether the value is a line or an area, and the position a point on it.
  package var isOnShape = false
  /// The precision if the value names a square of a grid and not a point, or states its accuracy.
  package var precision: Precision?
  /// Whether the order is so unclear that the list must state it.
  package var needsOrder = false

  /// The longitude and latitude, or x and y of another coordinate system.
  ///
  /// `order` is the order of the list; nil if the list does not state one. It has precedence, because some lists write
  /// notations in another order than the standard.
  package func ordered(_ order: Order?) -> (x: Double, y: Double) {
    // Letters leave no doubt.
    let order = numbers == .degrees ? self.order : order ?? self.order
    return order == .longitudeFirst ? (first, second) : (second, first)
  }
}
