import JSON
package import PrivacyMap
package import SpatialDatabase

/// A text in the `setting` table, which all servers of a database share.
package struct StoredSetting {
  private let name: String

  package init(_ name: String) { self.name = name }

  /// The text; nil if it was never set.
  package func text(_ connection: borrowing Connection) throws -> String? {
    let stored = try connection.text("SELECT value FROM setting WHERE name = ?", [.text(name)])
    return stored.flatMap { try? JSONValue(parsing: Array($0.utf8)).stringValue }
  }

  package func put(
    _ text: String, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO setting (name, value, changed_at) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
      """, [.text(name), .text(JSONValue.string(text).text), .text(now.text)])
  }
}
