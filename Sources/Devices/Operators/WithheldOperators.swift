internal import Locking

/// The rows of `operator` that no list names, because a moderator withholds the name of a private person.
///
/// A feature of a higher layer knows the decisions. Lists of lower layers ask here.
package final class WithheldOperators: Sendable {
  package typealias Source = @Sendable () throws -> Set<UInt32>

  private let source = Locked<Source>({ [] })

  package init() {}

  package func rows() throws -> Set<UInt32> { try source.withLock { $0 }() }

  package func read(from source: @escaping Source) { self.source.withLock { $0 = source } }
}
