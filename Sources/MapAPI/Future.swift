import Foundation
internal import Locking

/// A value that a thread of its own works out while its maker goes on.
final class Future<Value: Sendable>: Sendable {
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let made = DispatchSemaphore(value: 0)

  /// Begins at once; `name` is the thread's.
  init(_ name: String, _ body: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      let result = Result { try body() }
      self.result.withLock { $0 = result }
      made.signal()
    }
    thread.name = name
    thread.start()
  }

  /// Waits for it.
  ///
  /// - Throws: what making it threw.
  func value() throws -> Value {
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      made.wait()
      // For whoever else waits.
      made.signal()
    }
  }
}
