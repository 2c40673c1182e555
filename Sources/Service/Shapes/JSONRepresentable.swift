package import JSON
package import PrivacyMap

/// A value that a member of a ``JSONShape`` can have.
///
/// `Kind` is the type of its JSON, so that the compiler compares a value with its schema: `String?` has the
/// kind `String`, and `Int64` the kind `Int`.
package protocol JSONRepresentable<Kind>: SendableMetatype {
  associatedtype Kind
  static var isNullable: Bool { get }
  var json: JSONValue { get }
  /// Writes ``json`` without making it first.
  func write(to writer: inout JSONWriter)
}

extension JSONRepresentable {
  package static var isNullable: Bool { false }
  package func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension String: JSONRepresentable {
  package typealias Kind = String
  package var json: JSONValue { .string(self) }
  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONRepresentable {
  package typealias Kind = Bool
  package var json: JSONValue { .bool(self) }
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: JSONRepresentable {
  package typealias Kind = Int
  package var json: JSONValue { .integer(Int64(self)) }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int64: JSONRepresentable {
  package typealias Kind = Int
  package var json: JSONValue { .integer(self) }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONRepresentable {
  package typealias Kind = Double
  package var json: JSONValue { .double(self) }
  package func write(to writer: inout JSONWriter) { writer.double(self) }
}

extension Day: JSONRepresentable {
  package typealias Kind = String
  package var json: JSONValue { .string(text) }
}

extension Timestamp: JSONRepresentable {
  package typealias Kind = String
  package var json: JSONValue { .string(text) }
}

extension JSONValue: JSONRepresentable {
  package typealias Kind = JSONValue
  package var json: JSONValue { self }
}

extension JSONObject: JSONRepresentable {
  package typealias Kind = JSONObject
  package var json: JSONValue { .object(self) }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package typealias Kind = [Element.Kind]
  package var json: JSONValue { .array(map(\.json)) }
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package typealias Kind = Wrapped.Kind
  package static var isNullable: Bool { true }
  package var json: JSONValue { self?.json ?? .null }
  package func write(to writer: inout JSONWriter) {
    if let value = self { value.write(to: &writer) } else { writer.null() }
  }
}

/// A longitude or latitude in degrees, rounded to seven decimals as by ``JSONWriter/coordinate(_:)``.
package struct Degrees: JSONRepresentable {
  package typealias Kind = Double
  private let degrees: Double

  package init(_ degrees: Double) { self.degrees = degrees }

  package var json: JSONValue {
    let rounded = (degrees * 1e7).rounded(.toNearestOrEven) / 1e7
    return Int64(exactly: rounded).map { .integer($0) } ?? .double(rounded)
  }

  package func write(to writer: inout JSONWriter) { writer.coordinate(degrees) }
}

/// Its edges in degrees: west, south, east, north.
extension BoundingBox: JSONRepresentable {
  package typealias Kind = [Double]
  private var edges: [Degrees] { [west, south, east, north].map(Degrees.init) }
  package var json: JSONValue { edges.json }
  package func write(to writer: inout JSONWriter) { edges.write(to: &writer) }
}

extension JSONValue {
  /// A GeoJSON point, or null.
  package static func point(_ point: (longitude: Double, latitude: Double)?) -> JSONValue {
    guard let point else { return .null }
    return ["type": "Point", "coordinates": [.double(point.longitude), .double(point.latitude)]]
  }
}
