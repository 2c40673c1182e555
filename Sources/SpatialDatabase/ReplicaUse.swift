internal import Locking

/// Lets reads of the calling thread use a replica while the primary does not answer. Only for public data, never for
/// decisions about access.
///
///     let use = ReplicaUse()
///     let devices = try use.permitting { try database.read(devices) }
///     let age = use.age  // nil: from the primary
package final class ReplicaUse: Sendable {
  @TaskLocal static var current: ReplicaUse?

  private let oldest = Locked<Duration?>(nil)

  package init() {}

  /// The age of the data that was read from a replica: it contains all data that was public at the primary that long
  /// ago. Nil if nothing was read there.
  package var age: Duration? { oldest.withLock { $0 } }

  /// Runs `body`, whose reads may use a replica.
  package func permitting<T>(_ body: () throws -> T) rethrows -> T {
    try Self.$current.withValue(self) { try body() }
  }

  func note(_ age: Duration) {
    oldest.withLock { oldest in oldest = max(oldest ?? age, age) }
  }
}

extension Database {
  /// Whether there is a replica for public reads.
  package var hasReplica: Bool { server?.replica != nil }

  /// Lets reads use the replica if `contains` finds in it the data that this server knows from the primary.
  package func readFromReplica(
    where contains: @escaping @Sendable (Connection) throws -> Bool
  ) { server?.replica?.use(where: contains) }

  /// Records that this server knows all public data of the primary now.
  package func confirmState() { server?.replica?.confirm() }
}
