internal import CPostgreSQL
internal import Locking

/// Cancels the running statement of a connection.
///
/// libpq waits until the server has taken the request, which a machine that hangs never does. A thread of its own waits, so
/// that a caller is not held longer than its time limit.
///
/// `@unchecked Sendable`: libpq never changes what the handle refers to (libpq, “Canceling Queries in Progress”).
final class Cancelling: @unchecked Sendable {
  private struct State {
    var isRunning = false
    var isSending = false
  }

  /// The requests of all connections that a server has not taken yet. Further statements are not cancelled: their
  /// connections are given up, and the limit of the server ends them.
  private static let waiting = Locked(0)
  private static let maxWaiting = 16

  private let handle: OpaquePointer?
  private let state = Monitor(State())

  init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

  deinit { PQfreeCancel(handle) }

  /// A statement begins.
  func begin() { state.withLock { $0.isRunning = true } }

  /// The statement has ended.
  ///
  /// - Returns: whether no request is under way, after a wait of at most `duration`.
  func end(within duration: Duration) -> Bool {
    state.wait(until: { !$0.isSending }, orUntil: .now + duration) { state in
      state.isRunning = false
      return !state.isSending
    }
  }

  /// Asks the server to end the running statement, and does not wait.
  func send() {
    let starts = state.withLock { state in
      guard state.isRunning, !state.isSending, Self.enter() else { return false }
      state.isSending = true
      return true
    }
    guard starts else { return }
    NamedThread.start("cancel") { [self] in
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(handle, &message, Int32(message.count))
      Self.waiting.withLock { $0 -= 1 }
      state.withLock { $0.isSending = false }
    }
  }

  private static func enter() -> Bool {
    waiting.withLock { count in
      guard count < maxWaiting else { return false }
      count += 1
      return true
    }
  }
}
