package import PrivacyMap
import Secrets
package import SpatialDatabase

/// The `counted_event` table: events that all servers on a database count together.
///
/// Keys are digests with a secret of the instance, so the table reveals no address, network or account. Counting is one
/// small transaction outside of other writes. Events with the same key are counted one after the other, so two servers
/// never exceed a limit together. Without the database nothing is counted and the request fails: it needs the database
/// anyway.
///
/// Row numbers are random. The table is unlogged, and PostgreSQL 15 makes its sequence unlogged, too. After a standby
/// was promoted, the sequence was seen to be an empty page ("bad magic number in sequence").
package final class SharedEvents: EventStore {
  private let database: Database
  private let secret: [UInt8]

  /// Reads the secret of the instance, which is created at its first start.
  package init(_ database: Database, now: Timestamp) throws {
    self.database = database
    secret = try database.write { try InstanceSecret.read(.limits, $0, now: now) }
  }

  /// The condition of events that count. Binds the key, the last moment that no longer counts, and the first one that a
  /// correction of the clock left in the future.
  private static let recent = "key = ? AND happened_at > ? AND happened_at < ?"

  func take(_ key: [UInt8], limit: Int, window: Int64, now: Int64) throws -> Int64? {
    let digest = digest(key)
    let recent = Self.recent(digest, window, now)
    let end = Timestamp(secondsSinceEpoch: now + window).text
    var isCounted = false
    var first: Int64?
    try database.apart(
      inTurnFor: Self.turn(digest),
      [
        (
          """
          INSERT INTO counted_event (rowid, key, happened_at, ends_at)
          SELECT CAST(? AS BIGINT), ?, CAST(? AS BIGINT), CAST(? AS TEXT)
          WHERE (SELECT count(*) FROM counted_event WHERE \(Self.recent)) < ?
          RETURNING happened_at
          """,
          [.integer(.random(in: 1...(.max))), .blob(digest), .integer(now), .text(end)] + recent
            + [.integer(Int64(limit))]
        ),
        Self.oldest(recent, limit),
      ]
    ) { place, row in
      if place == 0 { isCounted = true } else { first = row.int(0) }
    }
    if isCounted { return nil }
    return max(1, (first ?? now) + window - now)
  }

  func wait(for key: [UInt8], limit: Int, window: Int64, now: Int64) throws -> Int64? {
    var first: Int64?
    let digest = digest(key)
    try database.apart([Self.oldest(Self.recent(digest, window, now), limit)]) { _, row in
      first = row.int(0)
    }
    return first.map { max(1, $0 + window - now) }
  }

  func giveBack(_ key: [UInt8]) throws {
    try database.apart([
      (
        """
        DELETE FROM counted_event WHERE rowid =
          (SELECT rowid FROM counted_event WHERE key = ? ORDER BY happened_at DESC LIMIT 1)
        """, [.blob(digest(key))]
      )
    ])
  }

  func forget(_ key: [UInt8]) throws {
    try database.apart([("DELETE FROM counted_event WHERE key = ?", [.blob(digest(key))])])
  }

  /// The moment of the oldest of the last `limit` events; no row if there are fewer.
  private static func oldest(_ recent: [SQLValue], _ limit: Int) -> Database.Item {
    (
      """
      SELECT happened_at FROM counted_event WHERE \(Self.recent)
      ORDER BY happened_at DESC LIMIT 1 OFFSET ?
      """, recent + [.integer(Int64(max(1, limit)) - 1)]
    )
  }

  private static func recent(_ digest: [UInt8], _ window: Int64, _ now: Int64) -> [SQLValue] {
    [.blob(digest), .integer(now - window), .integer(now + window)]
  }

  /// Sixteen bytes: the fewest with which a collision is unlikely.
  private func digest(_ key: [UInt8]) -> [UInt8] {
    Array(Digest.hmacSHA256(key: secret, message: key).prefix(16))
  }

  /// Different keys with the same turn would only wait for each other.
  private static func turn(_ digest: [UInt8]) -> Int64 {
    digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}
