package import JSON

/// A property of a collection that filters can name, and its SQL expression.
package struct FilterField: Sendable {
  /// The type of its values.
  package enum Kind: Equatable, Sendable {
    case text
    case number
    /// 0 or 1.
    case boolean
    /// An ISO 8601 day, as text.
    case date
    /// RFC 3339 to the second in UTC, as text.
    case timestamp
    /// A JSON array of texts.
    case texts
    /// A SpatiaLite geometry in WGS 84.
    case geometry
  }

  package let kind: Kind
  /// SQL made of constant names; NULL where the value is unknown.
  package let sql: String
  /// For a geometry: SQL that finds rows in a box, with the arguments west, south, east, north.
  package let withinBox: String?

  /// For a geometry: whether all values are points.
  package let holdsPoints: Bool

  package init(
    _ kind: Kind, _ sql: String, withinBox: String? = nil, holdsPoints: Bool = false
  ) {
    self.holdsPoints = holdsPoints
    self.kind = kind
    self.sql = sql
    self.withinBox = withinBox
  }
}

extension FilterField {
  /// The declaration in the queryables; a geometry has only a `format` (19-079r2, 6.2).
  package var schema: JSONValue {
    switch kind {
    case .text: ["type": "string"]
    case .number: ["type": "number"]
    case .boolean: ["type": "boolean"]
    case .date: ["type": "string", "format": "date"]
    case .timestamp: ["type": "string", "format": "date-time"]
    case .texts: ["type": "array", "items": ["type": "string"]]
    case .geometry: ["format": holdsPoints ? "geometry-point" : "geometry-any"]
    }
  }
}
