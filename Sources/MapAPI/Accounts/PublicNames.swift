import Synchronization

/// How often a name that others see has changed or gone since the start: histories show names, and
/// so their versions change with it.
final class PublicNames: Sendable {
  private let count = Atomic<Int>(0)

  var version: Int { count.load(ordering: .acquiring) }

  func changed() { count.add(1, ordering: .acquiringAndReleasing) }
}
