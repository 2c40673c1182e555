package import JSON
package import WrittenValues

/// One row of a list as read from its file, before any mapping.
package struct SourceRow: Sendable {
  /// Counted from 1.
  package var number: Int
  /// The first line of the row, counted from 1.
  package var line: Int?
  /// The columns. `docs/reference/import.md` describes them for each format.
  package var columns: JSONObject
  /// The position provided by the format itself.
  package var place: SourcePlace = .none
  /// The geometry of a GeoJSON feature, unchanged.
  package var geometry: JSONValue?
  /// The nodes of a way of OpenStreetMap that does not state its place.
  var nodes: [Int64] = []
  /// The reason why the row could not be read. Its columns are then not usable.
  package var fault: RowFault?
}

/// The progress of a reader.
package struct ImportProgress: Equatable, Sendable {
  /// Bytes of the file on the disk.
  package var bytesRead: Int
  package var bytesTotal: Int
  package var rows: Int
}
