import Foundation
import PrivacyMap
import Service
import Watching

/// Rules for the area of a mapping day and its meeting point.
struct DayArea: Sendable {
  /// Nil if set-up has not built the map of countries; then land is not checked.
  let countries: CountryMap?

  /// The longest side of the box around an area, in metres: as far as people get in a day.
  static let maxSideLength = 100_000.0
  /// The maximum distance of a meeting point from the area, in metres.
  static let nearby = 2_000.0
  /// The number of points in each direction that are tested for land.
  private static let samples = 16

  /// Why an area or a meeting point is refused; nil if it is not.
  func fault(_ area: DrawnPolygon) -> Message? {
    let box = area.box
    let middle = Coordinate.clamped(
      longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2)
    func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
      Coordinate.clamped(longitude: one.0, latitude: one.1)
        .distance(to: .clamped(longitude: other.0, latitude: other.1))
    }
    let width = distance((box.west, middle.latitude), (box.east, middle.latitude))
    let height = distance((box.west, box.south), (box.west, box.north))
    guard max(width, height) <= Self.maxSideLength else {
      return Message(
        "error.mapping_day.area_large", ["kilometres": "\(Int(Self.maxSideLength / 1_000))"])
    }
    return hasLand(area) ? nil : Message("error.mapping_day.no_land")
  }

  /// Whether some point of the area is on land.
  private func hasLand(_ area: DrawnPolygon) -> Bool {
    guard let countries else { return true }
    if area.corners.contains(where: countries.isLand) { return true }
    let box = area.box
    for row in 0..<Self.samples {
      for column in 0..<Self.samples {
        func part(_ from: Double, _ to: Double, _ place: Int) -> Double {
          from + (to - from) * (Double(place) + 0.5) / Double(Self.samples)
        }
        let point = Coordinate.clamped(
          longitude: part(box.west, box.east, column), latitude: part(box.south, box.north, row))
        if area.contains(point), countries.isLand(at: point) { return true }
      }
    }
    return false
  }

  /// Whether a point is in an area or at most ``nearby`` metres from its edge.
  static func isNear(_ point: Coordinate, _ area: DrawnPolygon) -> Bool {
    if area.contains(point) { return true }
    let ends = area.corners.dropFirst() + area.corners.prefix(1)
    return zip(area.corners, ends).contains { distance(from: point, to: ($0, $1)) <= nearby }
  }

  /// The distance from a point to a side, on a plane that touches the sphere at the point.
  private static func distance(
    from point: Coordinate, to side: (from: Coordinate, to: Coordinate)
  ) -> Double {
    let metres = Earth.meanRadius * .pi / 180
    func plane(_ other: Coordinate) -> (x: Double, y: Double) {
      (
        (other.longitude - point.longitude) * metres * cos(point.latitude * .pi / 180),
        (other.latitude - point.latitude) * metres
      )
    }
    let (a, b) = (plane(side.from), plane(side.to))
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(1, max(0, -(a.x * dx + a.y * dy) / square)) : 0
    return hypot(a.x + share * dx, a.y + share * dy)
  }
}
