/// The position of a row.
package enum SourcePlace: Equatable, Sendable {
  /// The format provides no position. Columns may contain one.
  case none
  /// Degrees as written, not yet validated.
  case point(longitude: Double, latitude: Double)
  /// A point on a shape, in degrees: the midpoint of a line, or a point inside a polygon.
  case pointOnShape(longitude: Double, latitude: Double)
  /// An unusable position, with the reason.
  case unusable(RowFault)
}

/// The reason why one row is unusable.
package struct RowFault: Error, Equatable, Sendable {
  /// A code for statistics.
  package var code: String
  /// One sentence for people.
  package var detail: String

  package init(code: String, detail: String) { (self.code, self.detail) = (code, detail) }
}
