import JSON
import PrivacyMap
import SpatialDatabase

/// Reads pages of features and deletes collections.
struct CollectionStore: Sendable {
  let database: Database

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

  /// Hides a collection at once, then deletes its features in portions.
  func remove(_ rowid: Int64) throws {
    try database.write { connection in
      try connection.execute(
        "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
    }
    try sweep(rowid)
  }

  /// Deletes the remains of hidden collections: those that were replaced, removed, or interrupted by a
  /// stop of the program.
  func sweep(isWanted: () -> Bool = { true }) throws {
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
