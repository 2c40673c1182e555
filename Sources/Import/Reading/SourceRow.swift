package import JSON

/// One row of a list as its file gives it, before any mapping.
package struct SourceRow: Sendable {
  /// Counted from 1.
  package var number: Int
  /// The line on which it begins, counted from 1.
  package var line: Int?
  /// The columns. See `docs/import.md` for what they are in each format.
  package var columns: JSONObject
  /// The place that the format itself gives.
  package var place: SourcePlace = .none
  /// The geometry of a GeoJSON feature as it stands there.
  package var geometry: JSONValue?
  /// Why the row could not be read; its columns then hold nothing of use.
  package var fault: RowFault?
}

/// Where a row stands.
package enum SourcePlace: Equatable, Sendable {
  /// The format says nothing; columns may.
  case none
  /// Degrees as written, not yet checked.
  case point(longitude: Double, latitude: Double)
  /// A point on a shape, in degrees: on a line half-way along, in a polygon inside.
  case pointOnShape(longitude: Double, latitude: Double)
  /// A place that cannot be used, and why.
  case unusable(RowFault)
}

/// Why one row cannot be used.
package struct RowFault: Error, Equatable, Sendable {
  /// A word for counting.
  package var code: String
  /// One sentence for people.
  package var detail: String

  package init(code: String, detail: String) {
    self.code = code
    self.detail = detail
  }
}

/// How far a reader has come.
package struct ImportProgress: Equatable, Sendable {
  /// Bytes of the file as it lies on the disk.
  package var bytesRead: Int
  package var bytesTotal: Int
  package var rows: Int
}
