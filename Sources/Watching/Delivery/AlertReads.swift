import Locking
import SpatialDatabase

/// Serialises the reads of the threads that call webhooks. Otherwise they would hold database readers, which requests
/// need, while they wait for the processor.
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
