import Foundation

/// The signals that control the server, awaited by one thread.
struct Signals {
  /// The action that a signal requests.
  enum Request { case stop, reload }

  private var signals = sigset_t()

  /// Blocks the signals for this thread and all threads it starts later.
  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    // A terminal that closes also sends this signal, and it must not end the program.
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of the signals.
  ///
  /// - Parameters:
  ///   - seconds: the interval between two calls of `body`.
  ///   - body: called repeatedly while waiting.
  /// - Returns: the requested action.
  func wait(every seconds: Int, _ body: () -> Void) -> Request {
    var signals = signals
    var end = timespec(tv_sec: seconds, tv_nsec: 0)
    while true {
      switch sigtimedwait(&signals, nil, &end) {
      case SIGHUP: return .reload
      case SIGTERM, SIGINT: return .stop
      // Timeout, or another signal was handled.
      default: if errno == EAGAIN { body() }
      }
    }
  }
}
