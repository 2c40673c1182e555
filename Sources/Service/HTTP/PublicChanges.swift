internal import Locking
package import PrivacyMap
import Secrets
package import SpatialDatabase

/// The public changes that are not in the change sequence of the map: account names, outcomes of requests, further
/// collections, taxonomies. The versions of responses include them.
///
/// Each change stores a new random mark in its transaction. All servers on the database read it, and a backup that is
/// restored brings back the mark of its content. A counter could count to the same number again for other content.
package final class PublicChanges: Sendable {
  private let database: Database
  private let known: Locked<Mark>
  /// Held while the mark is read, so that an older mark does not replace a newer one.
  private let following = Locked(())

  private static let setting = StoredSetting("public_version")

  private struct Mark {
    var text = "0"
    /// When it was stored; empty before the first change.
    var storedAt = ""
  }

  /// - Throws: ``DatabaseFault``.
  package init(_ database: Database) throws {
    self.database = database
    known = Locked(try database.readQuickly(Self.stored))
  }

  /// The mark of the last change.
  package var version: String { known.withLock { $0.text } }

  /// Stores a new mark, in the transaction of a change. ``changed()`` follows the commit.
  package static func note(_ connection: borrowing Connection, at now: Timestamp) throws {
    try setting.put(fresh, at: now, connection)
  }

  /// Reads the mark after a commit.
  package func changed() {
    // The change is stored, so the request succeeds in any case.
    do { try refresh() } catch { known.withLock { $0.text = Self.fresh } }
  }

  /// Reads the mark, which another server may have changed.
  ///
  /// - Throws: ``DatabaseFault``.
  package func refresh() throws {
    try following.withLock { _ in
      let stored = try database.readOnce { try Self.stored($0) }
      known.withLock { $0 = stored }
    }
  }

  private static var fresh: String { String(SecretToken().text.prefix(12)) }

  /// Whether a database, which may be behind, contains the last change that this server knows.
  package func isKnown(to connection: borrowing Connection) throws -> Bool {
    try Self.stored(connection).storedAt >= known.withLock { $0.storedAt }
  }

  private static func stored(_ connection: borrowing Connection) throws -> Mark {
    let query = setting.query
    return try connection.first(query.sql, query.arguments) {
      // A JSON text without special characters.
      Mark(text: String($0.text(0).dropFirst().dropLast()), storedAt: $0.text(1))
    } ?? Mark()
  }
}
