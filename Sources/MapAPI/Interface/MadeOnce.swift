internal import Locking

/// What is made when it is first asked for and kept from then on. Who asks meanwhile waits.
final class MadeOnce<Value: Sendable>: Sendable {
  private enum State {
    case unmade(@Sendable () -> Value)
    case made(Value)
  }

  private let state: Locked<State>

  init(_ make: @escaping @Sendable () -> Value) {
    state = Locked(.unmade(make))
  }

  var value: Value {
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
