internal import Foundation
internal import Locking

/// The kinds of the jobs that are due, which one thread looks up every second for all threads of a ``JobRunner``.
final class JobLooks: Sendable {
  private struct State {
    /// The number of checks so far.
    var count = 0
    /// The kinds that the last check found.
    var kinds: Set<String> = []
    var isStopping = false
  }

  /// The time between two checks.
  private static let pause = Duration.seconds(1)

  private let state = Monitor(State())
  private let ended = DispatchSemaphore(value: 0)

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts the thread. `look` returns nil if it failed.
  func start(_ look: @escaping @Sendable () -> Set<String>?) {
    NamedThread.start("job looks") { [self] in
      while !isStopping {
        if let kinds = look() {
          state.withLock { state in
            state.count += 1
            state.kinds = kinds
          }
        }
        state.wait(until: { $0.isStopping }, orUntil: .now + Self.pause) { _ in }
      }
      ended.signal()
    }
  }

  /// Waits for a check after the first `count` ones that finds a kind the caller wants.
  ///
  /// - Returns: the number of checks so far; nil after ``stop()``.
  func next(after count: Int, where isWanted: (Set<String>) -> Bool) -> Int? {
    state.wait(until: { $0.isStopping || $0.count > count && isWanted($0.kinds) }) { state in
      state.isStopping ? nil : state.count
    }
  }

  /// Ends all waits, and the thread. Call after ``start(_:)``.
  func stop() {
    state.withLock { $0.isStopping = true }
    ended.wait()
  }
}
