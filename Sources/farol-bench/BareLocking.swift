import Foundation
internal import Locking
import Synchronization

/// Compares Farol's lock with the one of the Swift standard library.
enum BareLocking {
  /// Takes a lock `times` times on each of `threads` threads.
  struct Step: Sendable {
    let name: String
    let run: @Sendable (_ threads: Int, _ times: Int) -> Void
  }

  static let steps = [
    Step(name: "Locked") { threads, times in
      let value = Ours()
      sideBySide(threads, times) { value.take() }
    },
    Step(name: "Mutex") { threads, times in
      let value = Theirs()
      sideBySide(threads, times) { value.take() }
    },
  ]

  private final class Ours: Sendable {
    private let value = Locked([0])
    func take() { value.withLock { $0[0] &+= 1 } }
  }

  private final class Theirs: Sendable {
    private let value = Mutex([0])
    func take() { value.withLock { $0[0] &+= 1 } }
  }

  /// Uses separate threads, because `DispatchQueue` provides no more than there are processors.
  private static func sideBySide(
    _ threads: Int, _ times: Int, _ take: @escaping @Sendable () -> Void
  ) {
    let group = DispatchGroup()
    for _ in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        for _ in 0..<times { take() }
        group.leave()
      }
    }
    group.wait()
  }
}
