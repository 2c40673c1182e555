import Service
package import SpatialDatabase

/// Indexes of devices that are created after a load of many devices. Devices never arrive in the order of
/// these indexes, so the load is twice as fast without them, and creating them at once takes a moment
/// (docs/reference/performance.md).
///
/// A load that is killed leaves them missing. Each start creates the missing indexes before the first
/// request. If no requests are served during the load, ``LateTrees`` are created late as well.
package enum LateIndexes {
  /// The definitions, as in the migrations.
  static let all: [(name: String, definition: String)] = [
    ("device_by_name", "CREATE INDEX device_by_name ON device (name, rowid)"),
    (
      "device_by_operator",
      """
      CREATE INDEX device_by_operator ON device (operator_rowid, rowid) WHERE operator_rowid IS NOT NULL
      """
    ),
    (
      "device_by_watch_cell",
      "CREATE INDEX device_by_watch_cell ON device (watch_cell, updated_at) WHERE hidden = 0"
    ),
  ]

  /// With fewer devices the indexes stay in place.
  package static let minCount = 4_000
  /// With more existing devices the indexes stay in place, because people search them during the load.
  private static let maxKnown = 100_000

  /// Whether to create the indexes after adding `added` devices to `known` existing ones.
  package static func mayWait(added: Int, known: Int) -> Bool {
    added >= max(minCount, known) && known <= maxKnown
  }

  package static func drop(_ connection: borrowing Connection, servesNobody: Bool) throws {
    guard connection.mayDropTriggers else { return }
    for index in all { try connection.execute("DROP INDEX IF EXISTS \(index.name)") }
    if servesNobody {
      try LateTrees.drop(connection)
      try connection.mergeTextsLate(of: "device", true)
    }
  }

  /// Creates the missing indexes. Sorts in temporary files: in memory, ten million devices would need
  /// gigabytes.
  package static func make(in database: Database) throws {
    guard try database.read(lacksAny) else { return }
    let listings = try LateTrees.rows(of: database)
    defer { listings?.cancel() }
    try database.write(sortingInFiles: true) { connection in
      for index in all where try connection.definition(of: "index", index.name) == nil {
        try connection.execute(index.definition)
      }
      // Merges the full-text index into one segment. Otherwise the first thousand writes would merge its
      // segments, each several megabytes at once.
      try connection.mergeTextsLate(of: "device", false)
      try connection.optimizeTexts(of: "device")
      // Only now, so that the points are not in memory while the indexes are sorted.
      let points = try LateTrees.points(of: database)
      if let listings { try LateTrees.make(listings: listings, connection) }
      if let points { try LateTrees.make(boxes: points, connection) }
    }
  }

  private static func lacksAny(_ connection: borrowing Connection) throws -> Bool {
    for index in all where try connection.definition(of: "index", index.name) == nil { return true }
    return try LateTrees.lacksAny(connection)
  }
}
