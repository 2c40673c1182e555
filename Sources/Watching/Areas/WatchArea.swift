internal import Foundation
import PrivacyMap

/// The devices that a watch follows: devices in an area, one device, or the devices of one operator.
///
/// An area is compared with public points only, so a watch cannot reveal where in its precision cell a device is.
enum WatchArea: Equatable, Sendable {
  case box(BoundingBox)
  /// `radius` is in metres.
  case circle(centre: Coordinate, radius: Double)
  /// A simple ring without the repetition of its first corner.
  case polygon([Coordinate])
  /// The box of a place of the gazetteer, with its id and its name there.
  case place(id: String, name: String, box: BoundingBox)
  /// ISO 3166-1 alpha-2.
  case country(String)
  case device(DeviceID)
  /// The name of an operator.
  case `operator`(String)
  /// No devices, but the moderation queue. Only moderators have such a watch.
  case queue

  /// The maximum number of corners of a polygon.
  static let maxCorners = 200
  /// The range of the radius of a circle, in metres.
  static let radii = 50.0...1_000_000.0

  /// The boxes that contain the area; nil if it has no position.
  var bounds: [BoundingBox]? {
    switch self {
    case .box(let box), .place(_, _, let box): box.halves
    case .circle(let centre, let radius): BoundingBox(around: centre, metres: radius).halves
    case .polygon(let corners): Self.box(of: corners).map { [$0] } ?? []
    case .country, .device, .operator, .queue: nil
    }
  }

  /// Whether a public point is in the area. Areas without a position contain every point.
  func contains(_ point: Coordinate) -> Bool {
    switch self {
    case .box(let box), .place(_, _, let box): box.contains(point)
    case .circle(let centre, let radius): centre.distance(to: point) <= radius
    case .polygon(let corners): Ring.contains(point, corners)
    case .country, .device, .operator: true
    case .queue: false
    }
  }

  private static func box(of corners: [Coordinate]) -> BoundingBox? {
    let (longitudes, latitudes) = (corners.map(\.longitude), corners.map(\.latitude))
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    return try? BoundingBox(west: west, south: south, east: east, north: north)
  }
}
