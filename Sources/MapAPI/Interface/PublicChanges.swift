import Synchronization

/// Counts the public changes since the start that are not in the change sequence of the map:
/// account names, outcomes of requests, further collections. The versions of responses include this
/// count.
final class PublicChanges: Sendable {
  private let count = Atomic<Int>(0)

  var version: Int { count.load(ordering: .acquiring) }

  func changed() { count.add(1, ordering: .acquiringAndReleasing) }
}
