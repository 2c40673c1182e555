import Synchronization

/// How often something public has changed since the start that is not in the change sequence of the
/// map: a name that others see, what became of requests, a further collection. The versions of
/// answers change with it.
final class PublicChanges: Sendable {
  private let count = Atomic<Int>(0)

  var version: Int { count.load(ordering: .acquiring) }

  func changed() { count.add(1, ordering: .acquiringAndReleasing) }
}
