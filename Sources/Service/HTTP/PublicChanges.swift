import Synchronization

/// Counts the public changes since the start that are not in the change sequence of the map:
/// account names, outcomes of requests, further collections. The versions of responses include this
/// count.
package final class PublicChanges: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var version: Int { count.load(ordering: .acquiring) }

  package func changed() { count.add(1, ordering: .acquiringAndReleasing) }
}
