import Foundation
package import JSON
package import PrivacyMap
package import Service
package import WebServer

/// A coordinate reference system in which positions may be requested (OGC API – Features Part 2).
package enum CoordinateSystem: String, CaseIterable, Sendable {
  /// Longitude, latitude in degrees on WGS 84, as in GeoJSON.
  case crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
  /// The same as ``crs84``, with latitude first.
  case epsg4326 = "http://www.opengis.net/def/crs/EPSG/0/4326"
  /// Web Mercator, metres east and north.
  case epsg3857 = "http://www.opengis.net/def/crs/EPSG/0/3857"

  /// The latitude at which Web Mercator is square: 2·atan(e^π) − 90°.
  package static let mercatorLatitude = 85.051_128_779_806_6

  /// A parameter that names a system by its URI as in Part 2; the default is CRS84.
  package static func parameter(_ name: String, _ description: String) -> Parameter {
    .query(name, .uri(allCases.map(\.rawValue), byDefault: crs84.rawValue), description)
  }

  /// The parameter `crs`.
  package static let ofAnswer = parameter(
    "crs", "The coordinate reference system of positions in the answer.")
  /// The parameter `bbox-crs`.
  package static let ofBox = parameter("bbox-crs", "The coordinate reference system of `bbox`.")

  /// Reads `crs` or `bbox-crs`.
  package init(parameter name: String, _ text: String?) throws(InvalidInput) {
    guard let text else {
      self = .crs84
      return
    }
    guard let system = CoordinateSystem(rawValue: text) else {
      throw .unknownCode(name, text)
    }
    self = system
  }

  /// Writes a position as a GeoJSON array in this system.
  package func write(longitude: Double, latitude: Double, to json: inout JSONWriter) {
    json.beginArray()
    switch self {
    case .crs84:
      json.coordinate(longitude)
      json.coordinate(latitude)
    case .epsg4326:
      json.coordinate(latitude)
      json.coordinate(longitude)
    case .epsg3857:
      let radius = Earth.mercatorRadius
      let clamped = min(max(latitude, -Self.mercatorLatitude), Self.mercatorLatitude)
      json.double((longitude * .pi / 180 * radius * 1_000).rounded() / 1_000)
      let north = radius * log(tan(.pi / 4 + clamped * .pi / 360))
      json.double((north * 1_000).rounded() / 1_000)
    }
    json.endArray()
  }

  /// The place of a GeoJSON position (two finite numbers) in this system.
  package func coordinate(_ first: Double, _ second: Double) throws(InvalidLocation) -> Coordinate {
    switch self {
    case .crs84: return try Coordinate(longitude: first, latitude: second)
    case .epsg4326: return try Coordinate(longitude: second, latitude: first)
    case .epsg3857:
      let radius = Earth.mercatorRadius
      return try Coordinate(
        longitude: first / radius * 180 / .pi, latitude: atan(sinh(second / radius)) * 180 / .pi)
    }
  }

  /// Reads `Content-Crs`, the system of the positions in a request (OGC API – Features Part 4).
  package init(of request: Request) throws(InvalidInput) {
    guard let header = request.headers["Content-Crs"] else {
      self = .crs84
      return
    }
    let uri =
      header.hasPrefix("<") && header.hasSuffix(">") ? header.dropFirst().dropLast() : header[...]
    try self.init(parameter: "Content-Crs", String(uri))
  }

  /// Reads a box whose numbers are in this system.
  package func box(_ text: String) throws(InvalidLocation) -> BoundingBox {
    switch self {
    case .crs84: return try BoundingBox(bbox: text)
    case .epsg4326:
      return try BoundingBox(bbox: Self.reordered(text) { [$0[1], $0[0], $0[3], $0[2]] })
    case .epsg3857:
      let box = try Self.numbers(text)
      let degrees = box.enumerated().map { position, metres in
        let angle = metres / Earth.mercatorRadius
        return position % 2 == 0
          ? min(max(angle * 180 / .pi, -180), 180) : atan(sinh(angle)) * 180 / .pi
      }
      return try BoundingBox(
        west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3])
    }
  }

  private static func reordered(
    _ text: String, _ order: ([Substring]) -> [Substring]
  ) throws(InvalidLocation) -> String {
    let parts = try split(text)
    return order(parts).joined(separator: ",")
  }

  private static func split(_ text: String) throws(InvalidLocation) -> [Substring] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    switch parts.count {
    case 4: return parts
    case 6: return [parts[0], parts[1], parts[3], parts[4]]
    default: throw .wrongCount(parts.count, expected: "4 or 6")
    }
  }

  private static func numbers(_ text: String) throws(InvalidLocation) -> [Double] {
    var numbers: [Double] = []
    for part in try split(text) {
      guard let number = Double(part), number.isFinite, abs(number) < 1e9 else {
        throw .notANumber(String(part.prefix(40)))
      }
      numbers.append(number)
    }
    return numbers
  }
}
