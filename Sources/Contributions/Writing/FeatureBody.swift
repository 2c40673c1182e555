import Filters
import JSON
import PrivacyMap
import Service

/// A GeoJSON feature from a request (RFC 7946 §3.2). Its members are read; the values of
/// `properties` are not yet.
///
/// Faults are collected in `body` and `properties` until ``check()``.
struct FeatureBody: Sendable {
  /// The members of the feature itself.
  private(set) var body: RequestBody
  /// Its `properties`, to be read by a ``DeviceForm``.
  var properties: RequestBody
  /// `properties` as sent.
  let members: JSONObject
  /// The point; nil if missing or null.
  private(set) var place: Coordinate?
  /// The author's reason for the change.
  private(set) var comment: String?
  /// The reason why it is not one of the likely duplicates.
  private(set) var duplicateReason: String?

  static let types: Set<String> = ["application/geo+json", "application/json"]

  /// The maximum length of a feature in bytes; the largest valid device has some 60,000.
  static let limit = 256 << 10

  /// The maximum number of JSON values in a feature; the largest valid device has some 700.
  static let maxValues = 5_000

  /// Members that the server adds to a feature are accepted and ignored, so that clients can send
  /// back a feature they received.
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

  /// - Throws: ``InvalidInput`` with all faults, if there are any.
  func check() throws {
    var all = body
    all.take(properties)
    try all.check()
  }

  /// Reads a text that accompanies the write, from the feature or its properties.
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
    // A third number would be the height above the ellipsoid, which is rarely the `height` that a client means.
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
