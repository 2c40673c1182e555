import Foundation
import Locking
import SpatialDatabase

/// The reads of the threads that call webhooks, one at a time, so that they do not keep the readers of the database from
/// requests while they wait for the processor.
final class AlertReads: Sendable {
  private let database: Database
  private let pace: WritePace
  private let turn = Locked(())

  init(_ database: Database, _ pace: WritePace) { (self.database, self.pace) = (database, pace) }

  /// Without a time limit: comparing thousands of changes takes long on a busy machine, and an alert whose reading is
  /// always interrupted would never be sent.
  ///
  /// The rest that the writes need delays the next read, and so all calls together.
  func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
    try turn.withLock { _ in
      let begunAt = ContinuousClock.now
      defer { pace.rest(after: .now - begunAt) }
      return try database.read(limit: .none, body)
    }
  }
}
