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
}

extension JSONRepresentable {
  package static var isNullable: Bool { false }
}

extension String: JSONRepresentable {
  package typealias Kind = String
  package var json: JSONValue { .string(self) }
}

extension Bool: JSONRepresentable {
  package typealias Kind = Bool
  package var json: JSONValue { .bool(self) }
}

extension Int: JSONRepresentable {
  package typealias Kind = Int
  package var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONRepresentable {
  package typealias Kind = Int
  package var json: JSONValue { .integer(self) }
}

extension Double: JSONRepresentable {
  package typealias Kind = Double
  package var json: JSONValue { .double(self) }
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
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package typealias Kind = Wrapped.Kind
  package static var isNullable: Bool { true }
  package var json: JSONValue { self?.json ?? .null }
}

extension JSONValue {
  /// Degrees, rounded to seven decimals as by ``JSONWriter/coordinate(_:)``.
  package static func degrees(_ degrees: Double) -> JSONValue {
    let rounded = (degrees * 1e7).rounded(.toNearestOrEven) / 1e7
    return Int64(exactly: rounded).map { .integer($0) } ?? .double(rounded)
  }

  /// The edges of a box, in degrees.
  package static func box(_ edges: [Double]) -> JSONValue { .array(edges.map(degrees)) }

  /// A GeoJSON point, or null.
  package static func point(_ point: (longitude: Double, latitude: Double)?) -> JSONValue {
    guard let point else { return .null }
    return ["type": "Point", "coordinates": [.double(point.longitude), .double(point.latitude)]]
  }
}
