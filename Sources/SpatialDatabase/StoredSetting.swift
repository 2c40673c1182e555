package import JSON
package import PrivacyMap

/// A value in the `setting` table, which all servers of a database share.
package struct StoredSetting: Sendable {
  private let name: String

  package init(_ name: String) { self.name = name }

  /// The text; nil if it was never set.
  package func text(_ connection: borrowing Connection) throws -> String? {
    try value(connection)?.stringValue
  }

  /// The value; nil if it was never set.
  package func value(_ connection: borrowing Connection) throws -> JSONValue? {
    try stored(connection).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
  }

  /// The value as it is stored; nil if it was never set.
  package func stored(_ connection: borrowing Connection) throws -> String? {
    try connection.text(query.sql, query.arguments)
  }

  /// The statement that reads the value as it is stored, and the time of its last change.
  package var query: Database.Item {
    ("SELECT value, changed_at FROM setting WHERE name = ?", [.text(name)])
  }

  /// A statement that sets the value unless it was set before.
  package func first(_ value: JSONValue, at now: Timestamp) -> Database.Item {
    (
      "INSERT INTO setting (name, value, changed_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
      [.text(name), .text(value.text), .text(now.text)]
    )
  }

  package func delete(_ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM setting WHERE name = ?", [.text(name)])
  }

  /// A statement that replaces a value by another, and returns a row if it did: not if the value is no longer `old`.
  package func exchange(
    _ old: String?, for value: JSONValue, at now: Timestamp
  ) -> Database.Item {
    (
      """
      INSERT INTO setting (name, value, changed_at) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
      WHERE setting.value = ? RETURNING name
      """, [.text(name), .text(value.text), .text(now.text), .text(old ?? "")]
    )
  }

  package func put(
    _ text: String, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try put(.string(text), at: now, connection)
  }

  package func put(
    _ value: JSONValue, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO setting (name, value, changed_at) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
      """, [.text(name), .text(value.text), .text(now.text)])
  }
}
