internal import Synchronization

/// Limits the disk space for bodies whose clients are too slow.
final class AsideRoom: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  /// - Parameter limit: total size of all such bodies, in bytes.
  init(limit: Int) { self.limit = limit }

  /// - Returns: false if there is no space for `count` more bytes.
  func enter(_ count: Int) -> Bool {
    guard taken.add(count, ordering: .relaxed).newValue <= limit else {
      leave(count)
      return false
    }
    return true
  }

  func leave(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

/// The disk space for bodies of slow clients is exhausted.
struct NoRoomAside: Error {}
