package import SpatialDatabase

/// Deletes collections.
package struct CollectionRemoval: Sendable {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// Features deleted per transaction, so that other writes run in between.
  private static let portion = 1_000

  /// Hides a collection at once, then deletes its features in portions.
  package func remove(_ rowid: Int64) throws {
    try database.write { connection in
      try connection.execute(
        "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
    }
    try sweep(rowid)
  }

  /// Deletes the remains of hidden collections. They were replaced or removed, or a stop of the program interrupted
  /// their import.
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
