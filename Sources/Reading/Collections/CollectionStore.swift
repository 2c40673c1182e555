import Devices
import Filters
import PrivacyMap
package import SpatialDatabase

/// Reads pages of features.
package struct CollectionStore: Sendable {
  package let database: Database

  /// Passes the rows of a page, in insertion order, and returns the start of the next page.
  func forEachFeature(
    _ query: FeatureQuery, after last: Int64, limit: Int, _ connection: borrowing Connection,
    _ body: (Row) -> Void
  ) throws -> (count: Int, next: Int64?) {
    let condition = try query.condition()
    var count = 0
    var shown = last
    var hasMore = false
    // Select one more row than requested to detect whether there is a next page.
    try connection.forEach(
      """
      SELECT \(FeatureGeoJSON.columns), feature.rowid FROM collection_feature AS feature
      WHERE \(condition.sql) AND feature.rowid > ? ORDER BY feature.rowid LIMIT ?
      """, condition.arguments + [.integer(last), SQLValue(limit + 1)]
    ) { row in
      guard count < limit else {
        hasMore = true
        return
      }
      count += 1
      shown = row.int(3)
      body(row)
    }
    return (count, hasMore ? shown : nil)
  }

  /// Passes the row of a feature to `decode`; nil if no feature has this key.
  static func feature<T>(
    _ key: String, of collection: FurtherCollection, _ connection: borrowing Connection,
    decode: (Row) -> T
  ) throws -> T? {
    try connection.first(
      """
      SELECT \(FeatureGeoJSON.columns) FROM collection_feature AS feature
      WHERE collection_rowid = ? AND key = ?
      """, [.integer(collection.rowid), .text(key)], decode: decode)
  }

  /// Passes the rows of the features in a box (west, south, east, north), in insertion order.
  static func features<T>(
    _ query: FeatureQuery, in box: [Double], limit: Int, _ connection: borrowing Connection,
    decode: (Row) -> T
  ) throws -> [T] {
    let condition = try query.condition()
    return try connection.rows(
      """
      SELECT \(FeatureGeoJSON.columns), feature.rowid FROM collection_feature AS feature
      WHERE \(condition.sql) AND \(FurtherCollection.geometry.withinBox ?? "TRUE")
      ORDER BY feature.rowid LIMIT ?
      """, condition.arguments + box.map { .real($0) } + [SQLValue(limit)], decode: decode)
  }
}

extension DeviceStore {
  /// The bounding box of all public devices, and the times of their first and last change.
  func extent() throws -> (box: BoundingBox, interval: [String?]) {
    let interval = try database.readQuickly { connection in
      [
        try connection.text("SELECT min(updated_at) FROM device WHERE hidden = 0"),
        try connection.text("SELECT max(updated_at) FROM device WHERE hidden = 0"),
      ]
    }
    return (index.snapshot.extent?.onMap ?? .world, interval)
  }
}
