internal import Locking

/// A value that is computed on first use and then kept. Concurrent callers wait for it.
package final class MadeOnce<Value: Sendable>: Sendable {
  private enum State {
    case unmade(@Sendable () -> Value)
    case made(Value)
  }

  private let state: Locked<State>

  package init(_ make: @escaping @Sendable () -> Value) {
    state = Locked(.unmade(make))
  }

  package var value: Value {
    state.withLock { state in
      switch state {
      case .made(let value): return value
      case .unmade(let make):
        let value = make()
        state = .made(value)
        return value
      }
    }
  }
}
