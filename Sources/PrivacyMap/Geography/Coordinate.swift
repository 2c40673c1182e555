private import Glibc

/// A place on the Earth: decimal degrees on WGS 84 (EPSG:4326), longitude before latitude.
package struct Coordinate: Equatable, Hashable, Sendable {
  /// Degrees east, -180 through 180.
  package let longitude: Double
  /// Degrees north, -90 through 90.
  package let latitude: Double

  /// - Throws: ``InvalidLocation`` when a number is not finite or lies outside its range.
  package init(longitude: Double, latitude: Double) throws(InvalidLocation) {
    guard longitude.isFinite, abs(longitude) <= 180 else {
      throw .longitude("\(longitude)")
    }
    guard latitude.isFinite, abs(latitude) <= 90 else { throw .latitude("\(latitude)") }
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The nearest valid place for two numbers that may be out of range. Not-a-number becomes 0.
  package static func clamped(longitude: Double, latitude: Double) -> Coordinate {
    func inside(_ number: Double, _ limit: Double) -> Double {
      number.isNaN ? 0 : min(max(number, -limit), limit)
    }
    return Coordinate(
      trustedLongitude: inside(longitude, 180), latitude: inside(latitude, 90))
  }

  private init(trustedLongitude longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Reads `longitude,latitude`, the form of the `near` query parameter.
  package init(text: String) throws(InvalidLocation) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .wrongCount(parts.count, expected: "2") }
    let longitude = try Self.number(parts[0])
    let latitude = try Self.number(parts[1])
    try self.init(longitude: longitude, latitude: latitude)
  }

  /// Reads one plain decimal number.
  ///
  /// `Double.init` also accepts `nan`, `inf` and `0x1p3`, so the characters are checked first.
  static func number(_ text: Substring) throws(InvalidLocation) -> Double {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isPlain, text.utf8.count <= 40, let number = Double(text), number.isFinite else {
      throw .notANumber(String(text.prefix(40)))
    }
    return number
  }

  /// Great-circle distance to `other`, in metres, on a sphere.
  ///
  /// Uses the haversine formula. The error against the ellipsoid is at most 0.56 %.
  package func distance(to other: Coordinate) -> Double {
    let latitudeStep = (other.latitude - latitude) * .pi / 360
    let longitudeStep = (other.longitude - longitude) * .pi / 360
    let sineLatitude = sin(latitudeStep)
    let sineLongitude = sin(longitudeStep)
    let cosines = cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180)
    let chord = sineLatitude * sineLatitude + cosines * sineLongitude * sineLongitude
    return 2 * Earth.meanRadius * asin(min(1, chord.squareRoot()))
  }
}

/// Radii of the Earth used by Farol.
package enum Earth {
  /// The Earth's mean radius in metres (Moritz 2000, GRS 80).
  package static let meanRadius = 6_371_008.8

  /// The radius in metres of the sphere that has the Earth's area (Moritz 2000, GRS 80).
  package static let authalicRadius = 6_371_007.180_9

  /// The radius in metres of the sphere of Web Mercator (EPSG:3857): WGS 84's equatorial radius.
  package static let mercatorRadius = 6_378_137.0
}

/// The reason why a text or a pair of numbers is not a valid place.
package enum InvalidLocation: Error, Equatable, Sendable {
  /// Not finite, or outside -180 through 180.
  case longitude(String)
  /// Not finite, or outside -90 through 90.
  case latitude(String)
  /// Wrong number of numbers: the given count and the expected count.
  case wrongCount(Int, expected: String)
  /// Not a plain decimal number.
  case notANumber(String)
  /// The south edge lies north of the north edge.
  case swappedLatitudes(south: Double, north: Double)
}
