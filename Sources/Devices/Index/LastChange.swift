import Secrets
import SpatialDatabase

/// A change that ends the change sequence, as seen by a transaction.
///
/// After a restore the sequence continues with the same numbers and other changes, so a number alone does not identify
/// the state of the map.
struct LastChange: Equatable, Sendable {
  let sequence: Int64
  /// A digest of the row.
  let stamp: String

  /// Before the first change.
  static let none = LastChange(sequence: 0, stamp: "0")

  private init(sequence: Int64, stamp: String) {
    (self.sequence, self.stamp) = (sequence, stamp)
  }

  /// As ``MapIndex/contains(_:_:)`` takes it.
  var text: String { "\(sequence)-\(stamp)" }

  /// Nil for another text.
  init?(text: String) {
    let parts = text.split(separator: "-")
    guard parts.count == 2, let sequence = Int64(parts[0]) else { return nil }
    self.init(sequence: sequence, stamp: String(parts[1]))
  }

  private static let columns = "SELECT sequence, device_rowid, kind, changed_at FROM change"

  /// The query of ``init(_:)``.
  static let newestQuery: Database.Item = ("\(columns) ORDER BY sequence DESC LIMIT 1", [])
  /// The query of ``isIn(_:)``.
  var query: Database.Item { ("\(Self.columns) WHERE sequence = ?", [.integer(sequence)]) }

  init(_ connection: borrowing Connection) throws {
    self = try connection.first(Self.newestQuery.sql, decode: LastChange.init(row:)) ?? .none
  }

  private init(row: Row) {
    sequence = row.int(0)
    let digest = Digest.sha256(Array("\(row.int(1)) \(row.text(2)) \(row.text(3))".utf8))
    stamp = String(digest.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }, radix: 36)
  }

  /// Whether the change sequence contains it.
  func isIn(_ connection: borrowing Connection) throws -> Bool {
    if self == .none { return true }
    let query = query
    return try connection.first(query.sql, query.arguments, decode: LastChange.init(row:)) == self
  }
}
