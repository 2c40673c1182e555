internal import Projections
import WrittenValues

/// Positions of another coordinate system in degrees.
package struct ConvertedPositions: Sendable {
  /// Such as `EPSG:25832`.
  package let code: String
  /// Such as “ETRS89 / UTM zone 32N”.
  package let name: String
  /// In the order of the given positions; nil without one, and outside the area of the system.
  package let positions: [SamplePosition?]

  /// Nil for an unknown system.
  ///
  /// - Parameters:
  ///   - positions: easting and northing of each, or nil.
  ///   - code: the coordinate system, in any notation of a mapping.
  package init?(_ positions: [(Double, Double)?], from code: String) {
    guard let short = CoordinateSystemName.short(code), let system = CoordinateSystem(short) else {
      return nil
    }
    self.code = short
    name = system.name
    self.positions = positions.map { position in
      position.flatMap { system.degrees(x: $0.0, y: $0.1) }.map {
        SamplePosition(longitude: $0.longitude, latitude: $0.latitude)
      }
    }
  }
}
