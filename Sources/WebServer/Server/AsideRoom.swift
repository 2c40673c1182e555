internal import Synchronization

/// How much of the disk bodies may take that their clients are too slow for.
final class AsideRoom: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  /// `limit` in bytes, of all such bodies together.
  init(limit: Int) { self.limit = limit }

  /// - Returns: false when there is no room for so many bytes more.
  func enter(_ count: Int) -> Bool {
    guard taken.add(count, ordering: .relaxed).newValue <= limit else {
      leave(count)
      return false
    }
    return true
  }

  func leave(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

/// A body that its client is too slow for found no room on the disk.
struct NoRoomAside: Error {}
