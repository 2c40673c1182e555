import JSON
import PrivacyMap
import SpatialDatabase

/// Reads pages of features, and takes collections away.
struct CollectionStore: Sendable {
  let database: Database

  /// Features deleted in one transaction, so that other writes come between.
  private static let portion = 1_000

  /// The rows of a page, in the order in which they were kept, and where the next begins.
  func forEachFeature(
    _ query: FeatureQuery, after last: Int64, limit: Int, _ connection: borrowing Connection,
    _ body: (Row) -> Void
  ) throws -> (count: Int, next: Int64?) {
    let condition = try query.condition()
    var count = 0
    var shown = last
    var hasMore = false
    // One more than asked for tells whether there is a next page.
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

  /// Hides a collection at once, then deletes its features portion by portion.
  func remove(_ rowid: Int64) throws {
    try database.write { connection in
      try connection.execute(
        "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
    }
    try sweep(rowid)
  }

  /// Deletes what is left of collections that nobody can see: those replaced, taken away, or broken
  /// off by the program's end.
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
