package import SpatialDatabase

/// Counts of watches for the monitoring of an instance.
package enum WatchFigures {
  /// The number of watches that are not paused.
  package static func running(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM watch WHERE paused = 0") ?? 0
  }
}
