import JSON

/// Something of a collection that filters may name, and where the database keeps it.
package struct FilterField: Sendable {
  /// What its values are.
  package enum Kind: Equatable, Sendable {
    case text
    case number
    /// 0 or 1.
    case boolean
    /// ISO 8601 day, as text.
    case date
    /// RFC 3339 to the second in UTC, as text.
    case timestamp
    /// A JSON array of texts.
    case texts
    /// A geometry of SpatiaLite in WGS 84.
    case geometry
  }

  package let kind: Kind
  /// SQL of constant names, which is NULL where nothing is known.
  package let sql: String
  /// Of a geometry: SQL that finds rows by a box, which binds west, south, east, north.
  package let withinBox: String?

  /// Of a geometry: whether all are points.
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
  /// As queryables declare it; a place has a `format` alone (19-079r2, 6.2).
  var schema: JSONValue {
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
