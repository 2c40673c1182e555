import Devices
import JSON
import PrivacyMap
package import SpatialDatabase

/// Reads pages of features and deletes collections.
package struct CollectionStore: Sendable {
  package let database: Database

  package init(database: Database) {
    self.database = database
  }

  /// Features deleted per transaction, so that other writes run in between.
  private static let portion = 1_000

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

  /// Passes the row of a feature; nil if there is none with this key.
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

  /// Hides a collection at once, then deletes its features in portions.
  package func remove(_ rowid: Int64) throws {
    try database.write { connection in
      try connection.execute(
        "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
    }
    try sweep(rowid)
  }

  /// Deletes the remains of hidden collections: those that were replaced, removed, or interrupted by a
  /// stop of the program.
  package func sweep(isWanted: () -> Bool = { true }) throws {
    let gone = try database.read { connection in
      try connection.rows("SELECT rowid FROM collection WHERE state = 'gone'") { $0.int(0) }
    }
    for rowid in gone where isWanted() { try sweep(rowid) }
  }

  private func sweep(_ rowid: Int64) throws {
    var isDone = false
    while !isDone {
      isDone = try database.write { connection in
        try connection.execute(
          """
          DELETE FROM collection_feature WHERE rowid IN (
            SELECT rowid FROM collection_feature WHERE collection_rowid = ? LIMIT ?)
          """, [.integer(rowid), SQLValue(Self.portion)])
        guard connection.changedRowCount < Self.portion else { return false }
        try connection.execute("DELETE FROM collection WHERE rowid = ?", [.integer(rowid)])
        return true
      }
    }
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
