internal import Foundation
internal import Locking
package import SpatialDatabase

/// Work that one server at a time does: a row of the `lease` table.
///
/// The holder renews it well before its end. A server that ends without releasing it is replaced after ``length``. All
/// times come from the database, so the clocks of the servers may differ. SQLite has one server, which holds every
/// lease without a statement.
package final class Lease: Sendable {
  /// Another server has taken over the work.
  package struct Lost: Error, CustomStringConvertible {
    let work: String
    package var description: String { "another server has taken over “\(work)”" }
  }

  private struct State {
    /// When a renewal began that succeeded; nil while another server may hold the lease.
    var renewedAt: ContinuousClock.Instant?
    /// The number of renewing threads so far. The last of them renews for the present work.
    var keepers = 0
    var isKept = false
  }

  /// Its lifetime without a renewal.
  package static let length = Duration.seconds(45)
  /// The time after which it is renewed: several attempts may fail before its end.
  private static let pause = Duration.seconds(10)
  /// The time before its end by which a step of the work must begin that lasts a quarter of a minute at most.
  private static let margin = Duration.seconds(16)

  private let work: String
  private let database: Database
  /// Random, so that a server that was restarted is another one.
  private let holder = UUID().uuidString
  private let state = Locked(State())

  package init(_ work: String, on database: Database) {
    (self.work, self.database) = (work, database)
  }

  /// Takes or renews the lease, if it is time to.
  ///
  /// - Returns: false if another server holds it.
  /// - Throws: ``DatabaseFault``.
  package func hold() throws -> Bool {
    if !database.isShared { return true }
    if let renewedAt = state.withLock({ $0.renewedAt }), .now - renewedAt < Self.pause {
      return true
    }
    return try take()
  }

  /// Whether a step of the work may begin.
  package var isHeld: Bool {
    if !database.isShared { return true }
    return state.withLock { $0.renewedAt.map { .now - $0 < Self.length - Self.margin } ?? false }
  }

  private func take() throws -> Bool {
    let begunAt = ContinuousClock.now
    var isTaken = false
    // Two servers that try at once change the row one after the other.
    try database.apart([
      (
        """
        INSERT INTO lease (work, holder, ends_at) VALUES (?, ?, \(database.milliseconds) + ?)
        ON CONFLICT (work) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
        WHERE lease.holder = excluded.holder OR lease.ends_at <= \(database.milliseconds)
        RETURNING holder
        """, [.text(work), .text(holder), .integer(Self.milliseconds)]
      )
    ]) { _, _ in isTaken = true }
    state.withLock { $0.renewedAt = isTaken ? begunAt : nil }
    return isTaken
  }

  private static let milliseconds = length.components.seconds * 1_000

  /// Renews the lease in a write that is part of the work. Until the commit no other server can take it.
  ///
  /// - Throws: ``Lost``.
  package func confirm(_ connection: borrowing Connection) throws {
    if !database.isShared { return }
    try connection.execute(
      "UPDATE lease SET ends_at = \(database.milliseconds) + ? WHERE work = ? AND holder = ?",
      [.integer(Self.milliseconds), .text(work), .text(holder)])
    guard connection.changedRowCount == 1 else {
      state.withLock { $0.renewedAt = nil }
      throw Lost(work: work)
    }
  }

  /// Takes the lease, and renews it on a separate thread until ``release()``.
  ///
  /// - Returns: false if another server holds it.
  /// - Throws: ``DatabaseFault``.
  package func keep() throws -> Bool {
    if !database.isShared { return true }
    guard try take() else { return false }
    let number = state.withLock { state in
      state.isKept = true
      state.keepers += 1
      return state.keepers
    }
    NamedThread.start("lease") { [self] in
      while state.withLock({ $0.isKept && $0.keepers == number }) {
        // A failure is followed by further attempts before the lease ends.
        _ = try? hold()
        Thread.sleep(forTimeInterval: 1)
      }
    }
    return true
  }

  /// Lets another server take the work at once.
  package func release() {
    if !database.isShared { return }
    state.withLock { state in
      state.renewedAt = nil
      state.isKept = false
    }
    // Without the database it ends by itself.
    try? database.apart([
      ("DELETE FROM lease WHERE work = ? AND holder = ?", [.text(work), .text(holder)])
    ])
  }
}
