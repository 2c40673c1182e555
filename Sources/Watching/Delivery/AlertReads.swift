import Locking
import SpatialDatabase

/// The reads of the threads that call webhooks, one at a time, so that they do not keep the readers of the database
/// from requests while they wait for the processor.
final class AlertReads: Sendable {
  private let database: Database
  private let turn = Locked(())

  init(_ database: Database) { self.database = database }

  /// Runs a read, by default without a time limit: comparing thousands of changes takes long on a busy machine, and an
  /// alert whose reading is always interrupted would never be sent.
  func read<T: Sendable>(
    limit: Database.TimeLimit = .none, _ body: @Sendable (Connection) throws -> T
  ) throws -> T {
    try turn.withLock { _ in try database.read(limit: limit, body) }
  }
}
