import JSON
import PrivacyMap
import Secrets
package import SpatialDatabase

/// Compares the key file of a server with the key of the other servers on the same PostgreSQL database.
///
/// The first server stores a digest of its key, from which the key cannot be found.
package struct SharedKey: Sendable {
  /// A key file that a server must not use.
  enum Fault: Error, CustomStringConvertible {
    /// Other servers have a key, and a new one would differ.
    case missing(path: String)
    case other(path: String)

    var description: String {
      switch self {
      case .missing(let path):
        "\(path) is missing: copy it from another server on this database\(Self.otherwise)"
      case .other(let path):
        """
        \(path) is not the key of the other servers on this database: copy it from one of them\
        \(Self.otherwise)
        """
      }
    }

    private static let otherwise =
      "; if no server has it any more, run farol settle --key-only (docs/how-to/postgresql.md)"
  }

  private static let setting = "key_digest"
  private static let message = Array("farol key".utf8)

  private let database: Database
  private let now: @Sendable () -> Timestamp

  /// Nil on SQLite, which has one server.
  init?(_ database: Database, now: @escaping @Sendable () -> Timestamp) {
    guard database.isShared else { return nil }
    (self.database, self.now) = (database, now)
  }

  /// Checks that this server may create a missing key.
  ///
  /// - Throws: ``Fault``, or ``DatabaseFault``.
  func confirmFirst(path: String) throws {
    guard try stored(making: nil) == nil else { throw Fault.missing(path: path) }
  }

  /// Checks the key of a file, and stores its digest if it is the first one.
  ///
  /// - Throws: ``Fault``, or ``DatabaseFault``.
  func confirm(_ key: SealingKey, path: String) throws {
    let digest = Digest.hmacSHA256(key: key.bytes, message: Self.message)
    let text = Hexadecimal.text(of: digest)
    guard try stored(making: text) == JSONValue.string(text).text else {
      throw Fault.other(path: path)
    }
  }

  /// The stored digest. Independent of a write in which it is called, whose rollback must not remove it.
  private func stored(making digest: String?) throws -> String? {
    let setting = StoredSetting(Self.setting)
    var items = [setting.query]
    if let digest { items.insert(setting.first(.string(digest), at: now()), at: 0) }
    var found: String?
    try database.apart(items) { _, row in found = row.text(0) }
    return found
  }

  /// Lets the next server that starts bring another key.
  package static func forget(_ connection: borrowing Connection) throws {
    try StoredSetting(setting).delete(connection)
  }
}
