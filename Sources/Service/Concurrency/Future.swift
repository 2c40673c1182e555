import Foundation
internal import Locking
internal import SpatialDatabase

/// A value that is computed on a separate thread, with the `WriteCondition` of the calling one.
package final class Future<Value: Sendable>: Sendable {
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let made = DispatchSemaphore(value: 0)

  /// Starts at once; `name` is the name of the thread.
  package init(_ name: String, _ body: @escaping @Sendable () throws -> Value) {
    let condition = WriteCondition.current
    NamedThread.start(name) { [self] in
      let result = Result { try condition.applied(body) }
      self.result.withLock { $0 = result }
      made.signal()
    }
  }

  /// Waits for the value.
  ///
  /// - Throws: the error of `body`.
  package func value() throws -> Value {
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      made.wait()
      // Wake up the next waiting thread.
      made.signal()
    }
  }
}
