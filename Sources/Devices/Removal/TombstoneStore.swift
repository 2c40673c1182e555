package import SpatialDatabase

/// The `tombstone` table: deleted devices.
package enum TombstoneStore {
  package static func count(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM tombstone") ?? 0
  }

  /// The id of the last deleted device of a name, as long as its content is stored.
  package static func lastDeleted(
    named name: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      """
      SELECT tombstone.id FROM tombstone_content JOIN tombstone USING (id)
      WHERE name = ? ORDER BY deleted_at DESC, tombstone.id DESC
      """, [.text(name)])
  }

  /// The ids of the devices deleted since a time. Merged devices continue as part of another device; their removal
  /// was not requested.
  package static func removed(
    since time: String, _ connection: borrowing Connection
  ) throws -> [[UInt8]] {
    try connection.rows(
      "SELECT id FROM tombstone WHERE deleted_at >= ? AND reason <> 'merged'", [.text(time)]
    ) { $0.blob(0) }
  }
}
