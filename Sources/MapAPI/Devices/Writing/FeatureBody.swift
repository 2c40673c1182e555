import JSON
import PrivacyMap
import WebServer

/// A GeoJSON feature that somebody sent (RFC 7946 §3.2), its members read and their values not yet.
///
/// Faults are gathered in `body` and `properties` until ``check()``.
struct FeatureBody: Sendable {
  /// The members of the feature itself.
  private(set) var body: RequestBody
  /// Its `properties`, to be read by a ``DeviceForm``.
  var properties: RequestBody
  /// `properties` as it was sent.
  let members: JSONObject
  /// The point; nil where it is left out or null.
  private(set) var place: Coordinate?
  /// Why somebody changes a device.
  private(set) var comment: String?
  /// Why it is another device than the likely duplicates.
  private(set) var duplicateReason: String?

  static let types: Set<String> = ["application/geo+json", "application/json"]

  /// Values that one may hold; the longest that the form takes has some 700.
  static let mostValues = 5_000

  /// What the server adds to a feature is let in, so that what was got can be sent back; it counts
  /// for nothing.
  private static let names: Set<String> = [
    "type", "id", "geometry", "properties", "links", "comment", "duplicate_reason",
  ]

  init(_ feature: JSONObject, crs: CoordinateSystem, needsPlace: Bool) throws {
    body = try RequestBody(feature, Self.names, prefix: "")
    members = body.value("properties")?.objectValue ?? JSONObject()
    properties = try RequestBody(members, DeviceForm.known, prefix: "")
    _ = body.code("type", ["Feature"], isRequired: true)
    if body.value("properties")?.objectValue == nil {
      body.fault("properties", Message("error.type.object"))
    }
    comment = aside("comment")
    duplicateReason = aside("duplicate_reason")
    place = try readPlace(crs, isRequired: needsPlace)
  }

  /// - Throws: ``InvalidInput`` with every fault, where there is one.
  func check() throws {
    var all = body
    all.take(properties)
    try all.check()
  }

  /// A text that goes along, beside the properties or among them.
  private mutating func aside(_ name: String) -> String? {
    body.text(name, 1...500, lines: true) ?? properties.text(name, 1...500, lines: true)
  }

  private mutating func readPlace(
    _ crs: CoordinateSystem, isRequired: Bool
  ) throws -> Coordinate? {
    let names: Set<String> = ["type", "coordinates"]
    guard var geometry = try body.object("geometry", names, isRequired: isRequired) else {
      return nil
    }
    defer { body.take(geometry) }
    guard geometry.code("type", ["Point"], isRequired: true) != nil else { return nil }
    guard let position = geometry.value("coordinates")?.arrayValue else {
      body.fault("geometry", Message("error.position"))
      return nil
    }
    let numbers = position.compactMap(\.numberValue)
    guard numbers.count == position.count, numbers.allSatisfy(\.isFinite) else {
      body.fault("geometry", Message("error.type.numbers"))
      return nil
    }
    // A third number would be a height above the ellipsoid, which nobody who means `height` sends.
    guard numbers.count == 2 else {
      body.refuse("geometry", Message("error.position"))
      return nil
    }
    do throws(InvalidLocation) {
      return try Precision.exact.publicPoint(for: crs.coordinate(numbers[0], numbers[1]))
    } catch {
      body.refuse("geometry", error.message)
      return nil
    }
  }
}
