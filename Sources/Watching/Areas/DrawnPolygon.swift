package import JSON
package import PrivacyMap
package import Service

/// A polygon that a person drew, with the rules of the areas of watches: simple, without holes, and not across the
/// antimeridian.
package struct DrawnPolygon: Equatable, Sendable {
  /// Without the repetition of the first corner.
  package let corners: [Coordinate]
  package let box: BoundingBox

  /// The members of its JSON.
  package static let members: Set<String> = ["type", "coordinates"]

  package static let schema: JSONSchema = [
    "type": .oneOf(["polygon"]),
    "coordinates": .list(of: .list(of: .list(of: .number))),
  ]

  /// Reads a polygon; adds an error to `body` and returns nil if it is not one.
  package init?(_ body: inout RequestBody) {
    let reading = WatchAreaReading(places: nil)
    guard body.code("type", ["polygon"], isRequired: true) != nil,
      case .polygon(let corners)? = reading.polygon(&body)
    else { return nil }
    self.init(corners)
  }

  /// A stored polygon; nil if it cannot be read.
  package init?(stored: JSONValue) {
    guard case .polygon(let corners)? = WatchArea(stored: stored) else { return nil }
    self.init(corners)
  }

  private init?(_ corners: [Coordinate]) {
    guard let box = WatchArea.polygon(corners).bounds?.first else { return nil }
    (self.corners, self.box) = (corners, box)
  }

  package var json: JSONValue { WatchArea.polygon(corners).json }

  package func contains(_ point: Coordinate) -> Bool {
    box.contains(point) && Ring.contains(point, corners)
  }
}
